// The vehicle of [RN] section 6 over its bump, by rn4 and by explicit methods; rt/doc/experiments/vehicle.md holds the
// results. Arguments: the end of the explicit runs in s (default 4), a file for the steps of rn4 (CSV), and the
// tolerance of the explicit runs (default: all).
#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"
#include "server/models/built_in_models.h"
#include "tests/server/models/stiff_vehicle.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace tactus;
using namespace tactus::rt::offline;

namespace {

struct Run {
  Trajectory trajectory;
  double seconds;  ///< CPU
};

Run runOn(const rt::Model& model, const std::string& method, double until, const std::vector<double>& times,
          const std::vector<std::string>& settings) {
  const rt::State start = rt::initialState(model).state;
  const std::clock_t begin = std::clock();
  Trajectory t = integrate({model, start, {}, 0.1, until, times, nullptr, {}}, method, settings);
  return {std::move(t), static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
}

double chassisHeight(const rt::Model& model, const Sample& sample) {
  return rt::StateView(rt::StateLayout(model), sample.state.data()).r(0)[2];
}

/// Largest difference of the height of the chassis, m.
double heightError(const rt::Model& model, const Trajectory& run, const Trajectory& reference) {
  double worst = 0;
  for (std::size_t k = 0; k < std::min(run.samples.size(), reference.samples.size()); ++k)
    worst =
        std::max(worst, std::abs(chassisHeight(model, run.samples[k]) - chassisHeight(model, reference.samples[k])));
  return worst;
}

void print(const rt::Model& model, const char* method, const std::string& tolerance, const Run& run,
           const Trajectory& reference) {
  const Statistics& s = run.trajectory.statistics;
  std::printf("%-13s  %5s  %7lld  %8lld  %11lld  %8.2f  %9.1e  %.1e %.1e %.1e  %s\n", method, tolerance.c_str(),
              static_cast<long long>(s.steps), static_cast<long long>(s.rejected),
              static_cast<long long>(s.force_evaluations), run.seconds, heightError(model, run.trajectory, reference),
              run.trajectory.worst_position, run.trajectory.worst_velocity, run.trajectory.worst_acceleration,
              run.trajectory.failure.c_str());
}

void writeSteps(const char* file, const Trajectory& run) {
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) return;
  std::fprintf(out, "t,step\n");
  for (std::size_t k = 1; k < run.samples.size(); ++k)
    std::fprintf(out, "%.6f,%.3e\n", run.samples[k].t, run.samples[k].t - run.samples[k - 1].t);
  std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
  const double explicit_until = argc > 1 ? std::atof(argv[1]) : 4;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  const rt::Model model = rt::buildModel(tests::stiffVehicle());
  std::vector<double> times;
  for (int k = 1; k <= 80; ++k) times.push_back(0.05 * k);
  const Run reference = runOn(model, "rn4", 4, times, {"rtol=1e-8", "atol=1e-8"});
  std::printf("method         tolerance  steps  rejected  evaluations  CPU s  chassis m  |Phi| |Phi'| |Phi''|\n");
  print(model, "rn4", "1e-8", reference, reference.trajectory);
  for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-5"}) {
    const std::vector<std::string> settings = {"rtol=" + tolerance, "atol=" + tolerance};
    print(model, "rn4", tolerance, runOn(model, "rn4", 4, times, settings), reference.trajectory);
    if (argc > 2 && tolerance == "1e-3") writeSteps(argv[2], runOn(model, "rn4", 4, {}, settings).trajectory);
  }
  std::printf("explicit, %g s\n", explicit_until);
  std::vector<double> early;
  for (const double t : times)
    if (t <= explicit_until) early.push_back(t);
  if (explicit_until > 0)
    for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-5"}) {
      if (argc > 3 && tolerance != argv[3]) continue;
      const std::vector<std::string> settings = {"rtol=" + tolerance, "atol=" + tolerance};
      print(model, "adams", tolerance, runOn(model, "adams", explicit_until, early, settings), reference.trajectory);
    }
  return 0;
}
