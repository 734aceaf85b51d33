// Error against CPU time on the chain of eight links: steps of order 2, 3 and 4, several numbers of iterations and
// steps.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/bench/command_line.h"
#include "tests/bench/latency_report.h"
#include "tests/support/mechanisms.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace tactus::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLinks = 8;
constexpr double kUntil = 2;  ///< s

struct Method {
  std::string name;
  int order;
  int iterations;
};

struct Point {
  std::string method;
  double step_ms, error, cpu_ms;  ///< error of the worst link, m; CPU time per simulated second
};

/// Runs to the end; records the durations of the steps on request.
rt::State simulate(const rt::Model& model, const rt::Plan& plan, const Method& method, double step_ms,
                   std::vector<std::int64_t>* samples) {
  rt::Settings settings = rt::chooseSettings(model, static_cast<std::int64_t>(1e6 * step_ms), method.iterations);
  settings.setOrder(method.order);
  rt::Workspace ws(model, plan);
  rt::State state = rt::initialState(model).state;
  const int steps = static_cast<int>(kUntil / settings.dt() + 0.5);
  for (int i = 0; i < steps; ++i) {
    const Clock::time_point start = Clock::now();
    rt::step(model, plan, settings, {}, state, ws);
    if (samples != nullptr) samples->push_back((Clock::now() - start).count());
  }
  return state;
}

double worstLink(const rt::State& a, const rt::State& b) {
  double worst = 0;
  for (int i = 0; i < kLinks; ++i) worst = rt::worst(worst, (a.view().r(i) - b.view().r(i)).norm());
  return worst;
}

std::vector<Point> measure(int rounds) {
  const rt::Model model = rt::buildModel(tests::chain(kLinks));
  const rt::Plan plan = rt::compilePlan(model);
  const rt::State reference = simulate(model, plan, {"reference", 4, 4}, 0.625, nullptr);
  std::vector<Point> points;
  for (const Method& method :
       {Method{"plain, 1 iteration", 2, 1}, Method{"plain, 2 iterations", 2, 2}, Method{"plain, 3 iterations", 2, 3},
        Method{"third order, 1 iteration", 3, 1}, Method{"third order, 2 iterations", 3, 2},
        Method{"fourth order, 1 iteration", 4, 1}, Method{"fourth order, 2 iterations", 4, 2}})
    for (const double step_ms : {20.0, 10.0, 5.0, 2.5, 1.25}) {
      std::vector<std::int64_t> samples;
      rt::State end = simulate(model, plan, method, step_ms, &samples);
      for (int round = 1; round < rounds; ++round) end = simulate(model, plan, method, step_ms, &samples);
      const double steps_a_second = 1e3 / step_ms;
      points.push_back({method.name, step_ms, worstLink(end, reference),
                        1e-6 * steps_a_second * static_cast<double>(percentilesOf(samples).p50)});
    }
  return points;
}

void run(int rounds, const std::string& csv) {
  printEnvironment(std::cout);
  const std::vector<Point> points = measure(rounds);
  std::printf("\nchain of %d links, worst link after %g s; CPU a simulated second from the median step\n", kLinks,
              kUntil);
  std::printf("%-28s %9s %12s %10s\n", "", "step ms", "error m", "CPU ms");
  for (const Point& p : points)
    std::printf("%-28s %9.4g %12.2e %10.3f\n", p.method.c_str(), p.step_ms, p.error, p.cpu_ms);
  if (csv.empty()) return;
  std::ofstream file(csv);
  file << "method,step_ms,error_m,cpu_ms\n";
  for (const Point& p : points)
    file << '"' << p.method << "\"," << p.step_ms << ',' << p.error << ',' << p.cpu_ms << '\n';
  if (!file) throw std::runtime_error("cannot write " + csv);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  int rounds = 20;
  std::string csv;
  tactus::bench::CommandLine line("Measure error against CPU time of a chain of eight links");
  line.add("--rounds", rounds, "runs of each contender", {1, 10000}).add("--csv", csv, "write the table to this file");
  return line.main(argc, argv, [&] { tactus::bench::run(rounds, csv); });
}
