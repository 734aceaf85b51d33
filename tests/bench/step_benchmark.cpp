// How long one time step takes: every built-in mechanism and chains of growing length, step by step, one thread.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/step.h"
#include "rt/mechanics/initial_state.h"
#include "server/models/built_in_models.h"
#include "tests/bench/latency_report.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>

namespace tactus::bench {
namespace {

struct Options {
  std::vector<std::string> models = {"double_pendulum", "four_bar",   "motor_four_bar", "bricard",
                                     "chain:n=2",       "chain:n=4",  "chain:n=8",      "chain:n=16",
                                     "chain:n=32",      "chain:n=64", "chain:n=128"};
  int rounds = 10;
  int steps = 1000;
  int iterations = 0;
  double period_ms = 1.0;
  std::string csv;
};

// A mechanism under way. Each round begins again at its initial state, so that all rounds compute the same steps.
class Lane {
 public:
  Lane(const std::string& reference, const Options& options)
      : model_(rt::buildModel(server::openBuiltInModel(reference).spec)),
        plan_(rt::compilePlan(model_)),
        settings_(rt::chooseSettings(model_, static_cast<std::int64_t>(1e6 * options.period_ms), options.iterations)),
        workspace_(model_, plan_),
        initial_(rt::initialState(model_).state),
        input_(static_cast<std::size_t>(model_.actuatorCount()), 0.0) {
    durations.name = reference + " (" + std::to_string(model_.bodyCount()) + " bodies, " + std::to_string(model_.rows) +
                     " rows, " + std::to_string(settings_.iterations) + " iterations)";
  }

  /// @throws Error if a step fails
  void run(int steps, std::vector<std::int64_t>& samples) {
    using Clock = std::chrono::steady_clock;
    rt::State state = initial_;
    for (int i = 0; i < steps; ++i) {
      const Clock::time_point start = Clock::now();
      const rt::StepReport report = rt::step(model_, plan_, settings_, input_, state, workspace_);
      samples.push_back((Clock::now() - start).count());
      if (report.status != rt::TickStatus::kOk)
        throw Error(durations.name + ": step " + std::to_string(i + 1) + " failed: " + toString(report.status));
    }
  }

  LatencySeries durations;

 private:
  rt::Model model_;
  rt::Plan plan_;
  rt::Settings settings_;
  rt::Workspace workspace_;
  rt::State initial_;
  std::vector<double> input_;
};

void run(const Options& options) {
  printEnvironment(std::cout);
  std::cout << "threads:  1\n"
            << "steps:    " << options.rounds << " rounds of " << options.steps << ", period " << options.period_ms
            << " ms, interleaved\n";
  std::vector<Lane> lanes;
  for (const std::string& model : options.models) lanes.emplace_back(model, options);

  const std::int64_t stolen_before = stolenTicks();
  std::vector<std::int64_t> warm_up;
  for (Lane& lane : lanes) lane.run(std::min(options.steps, 100), warm_up);
  for (int round = 0; round < options.rounds; ++round)
    for (Lane& lane : lanes) lane.run(options.steps, lane.durations.samples);
  std::cout << "stolen:   " << stolenTicks() - stolen_before << " ticks of 10 ms during the run\n\n";

  std::vector<LatencySeries> series;
  for (Lane& lane : lanes) series.push_back(std::move(lane.durations));
  series.front().base = true;
  printTable(std::cout, series);
  if (options.csv.empty()) return;
  writeCsv(options.csv, series);
  std::cout << "\nwritten: " << options.csv << '\n';
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  CLI::App app("Duration of one time step of each model");
  app.add_option("MODEL", options.models, "built-in models: four_bar, chain:n=32, ...")->capture_default_str();
  app.add_option("--rounds", options.rounds, "interleaved rounds")->check(CLI::Range(1, 100000));
  app.add_option("--steps", options.steps, "steps a round, from the initial state")->check(CLI::Range(1, 10000000));
  app.add_option("--iterations", options.iterations, "Newton iterations; default: the model's")
      ->check(CLI::Range(1, 100));
  app.add_option("--period", options.period_ms, "time step, ms")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  app.add_option("--csv", options.csv, "write the table to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    tactus::bench::run(options);
  } catch (const std::exception& error) {
    std::cerr << "step_benchmark: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
