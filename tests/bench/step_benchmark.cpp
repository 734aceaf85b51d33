// Duration of one time step: built-in mechanisms and chains of growing length, each step timed, for any number of
// iterations and threads; in the same run the algorithm as printed in the paper.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"
#include "server/models/built_in_models.h"
#include "tests/bench/command_line.h"
#include "tests/bench/latency_report.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"

#include <immintrin.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

namespace tactus::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> models = {"double_pendulum", "four_bar",   "motor_four_bar", "bricard",
                                     "chain:n=2",       "chain:n=4",  "chain:n=8",      "chain:n=16",
                                     "chain:n=32",      "chain:n=64", "chain:n=128"};
  int rounds = 10;
  int steps = 1000;
  std::vector<int> iterations = {0};
  std::vector<int> threads = {1};
  bool oversubscribe = false;
  int order = 2;
  bool by_rows = false;
  bool same_hashes = false;
  bool two_at_once = false;
  int velocity_passes = 0;
  std::vector<int> bushings;
  std::vector<int> literal;
  double period_ms = 1.0;
  std::string csv;
};

// One contender. Each round begins at its initial state, so that all rounds compute the same steps.
class Contender {
 public:
  virtual ~Contender() = default;
  /// @throws Error if a step fails
  virtual void run(int steps, std::vector<std::int64_t>& samples) = 0;

  LatencySeries durations;
  int bodies = 0;
  std::string model;                    ///< with iterations; contenders of equal name compute the same states
  std::map<std::uint64_t, int> hashes;  ///< number of runs that ended in each state, by state hash
};

class Tactus : public Contender {
 public:
  Tactus(const std::string& reference, int iterations, int threads, const Options& options)
      : Tactus(reference, server::openModel(reference).spec, iterations, threads, options) {}
  Tactus(const std::string& reference, const rt::ModelSpec& spec, int iterations, int threads, const Options& options)
      : model_(rt::buildModel(spec)),
        plan_(rt::compilePlan(model_, rt::LaneRule::kAll,
                              options.by_rows ? rt::FreedomRule::kNone : rt::FreedomRule::kCheapest)),
        settings_(rt::chooseSettings(model_, static_cast<std::int64_t>(1e6 * options.period_ms), iterations)),
        initial_(rt::initialState(model_).state),
        input_(static_cast<std::size_t>(model_.actuatorCount()), 0.0) {
    if (options.order > 2) settings_.setOrder(options.order);
    if (options.velocity_passes > 0) settings_.velocity_passes = options.velocity_passes;
    threads_ = rt::chooseThreads(rt::maxThreads(plan_, settings_), threads, options.oversubscribe);
    workspace_ = rt::Workspace(model_, plan_, threads_);
    bodies = model_.bodyCount();
    model = reference + ", " + std::to_string(settings_.iterations) + " iterations";
    durations.name = reference + " (" + std::to_string(bodies) + " bodies, " + std::to_string(model_.rows) + " rows, " +
                     std::to_string(settings_.iterations) + " iterations, " + std::to_string(threads_) +
                     (threads_ > 1 ? " threads)" : " thread)");
  }

  void run(int steps, std::vector<std::int64_t>& samples) override {
    rt::State state = initial_;
    for (int i = 0; i < steps; ++i) {
      const Clock::time_point start = Clock::now();
      const rt::StepReport report = rt::step(model_, plan_, settings_, input_, state, workspace_);
      samples.push_back((Clock::now() - start).count());
      if (report.status != rt::TickStatus::kOk)
        throw Error(durations.name + ": step " + std::to_string(i + 1) + " failed: " + toString(report.status));
    }
    ++hashes[rt::hashState(state)];
  }

 private:
  rt::Model model_;
  rt::Plan plan_;
  rt::Settings settings_;
  int threads_ = 1;
  rt::Workspace workspace_;
  rt::State initial_;
  std::vector<double> input_;
};

/// Runs two mechanisms at once, one per thread, and times the slower one. If it takes longer than one mechanism alone,
/// the cores are not free or not equally fast; threads that share one step cannot gain more than these two.
class TwoAtOnce : public Contender {
 public:
  TwoAtOnce(const std::string& reference, int iterations, const Options& options)
      : first_(reference, iterations, 1, options), second_(reference, iterations, 1, options) {
    bodies = first_.bodies;
    model = first_.model;
    durations.name = first_.durations.name + ", slower of two at once";
  }

  void run(int steps, std::vector<std::int64_t>& samples) override {
    std::vector<std::int64_t> of_first, of_second;
    of_first.reserve(static_cast<std::size_t>(steps));
    of_second.reserve(static_cast<std::size_t>(steps));
    {
      const std::jthread beside([&] { second_.run(steps, of_second); });
      first_.run(steps, of_first);
    }
    for (std::size_t i = 0; i < of_first.size(); ++i) samples.push_back(std::max(of_first[i], of_second[i]));
    hashes = first_.hashes;
  }

 private:
  Tactus first_, second_;
};

/// Times one cache line that two threads hand to each other and back: the least cost of a barrier between them. Cores
/// that share a cache need a fraction of the time of other cores.
class HandOff : public Contender {
 public:
  HandOff() {
    bodies = 1;
    durations.name = "a cache line to another core and back";
  }

  void run(int steps, std::vector<std::int64_t>& samples) override {
    std::atomic<int> turn{0};  // even: ours
    const std::jthread other([&turn, steps] {
      for (int i = 0; i < steps; ++i) {
        while (turn.load(std::memory_order_acquire) != 2 * i + 1) _mm_pause();
        turn.store(2 * i + 2, std::memory_order_release);
      }
    });
    for (int i = 0; i < steps; ++i) {
      const Clock::time_point start = Clock::now();
      turn.store(2 * i + 1, std::memory_order_release);
      while (turn.load(std::memory_order_acquire) != 2 * i + 2) _mm_pause();
      samples.push_back((Clock::now() - start).count());
    }
  }
};

class Literal : public Contender {
 public:
  Literal(int links, int iterations, const Options& options) : model_(rt::buildModel(tests::chain(links))) {
    settings_.dt = 1e-3 * options.period_ms;
    settings_.alpha = 1e9;
    settings_.iterations = iterations > 0 ? iterations : rt::Settings{}.iterations;
    bodies = links;
    durations.name = "literal chain:n=" + std::to_string(links) + " (" + std::to_string(settings_.iterations) +
                     " iterations, 1 thread)";
  }

  void run(int steps, std::vector<std::int64_t>& samples) override {
    rt::offline::LiteralChain chain(model_, rt::initialState(model_).state, settings_);
    for (int i = 0; i < steps; ++i) {
      const Clock::time_point start = Clock::now();
      chain.step();
      samples.push_back((Clock::now() - start).count());
    }
  }

 private:
  rt::Model model_;
  rt::offline::LiteralSettings settings_;
};

/// Prints the hashes of the final states of each model, for all numbers of threads.
/// @returns true if each model has one hash only
bool compareHashes(const std::vector<std::unique_ptr<Contender>>& contenders) {
  std::map<std::string, std::map<std::uint64_t, int>> of_models;
  for (const auto& contender : contenders)
    for (const auto& [hash, runs] : contender->hashes) of_models[contender->model][hash] += runs;
  std::cout << "\nhashes of the last states:\n";
  bool same = true;
  for (const auto& [model, hashes] : of_models) {
    for (const auto& [hash, runs] : hashes)
      std::cout << "  " << model << ": " << std::hex << hash << std::dec << ", " << runs << " runs\n";
    same = same && hashes.size() == 1;
  }
  return same;
}

/// @returns false if equal hashes are required and differ
bool run(const Options& options) {
  printEnvironment(std::cout);
  std::cout << "steps:    " << options.rounds << " rounds of " << options.steps << ", period " << options.period_ms
            << " ms, interleaved" << (options.order > 2 ? ", order " + std::to_string(options.order) : "") << '\n';
  std::vector<std::unique_ptr<Contender>> contenders;
  for (const int iterations : options.iterations) {
    for (const int links : options.literal) contenders.push_back(std::make_unique<Literal>(links, iterations, options));
    for (const std::string& model : options.models)
      for (const int threads : options.threads)
        contenders.push_back(std::make_unique<Tactus>(model, iterations, threads, options));
    for (const int n : options.bushings)
      contenders.push_back(std::make_unique<Tactus>("bushings:n=" + std::to_string(n), tests::cantileverOfBushings(n),
                                                    iterations, 1, options));
    if (options.two_at_once)
      for (const std::string& model : options.models)
        contenders.push_back(std::make_unique<TwoAtOnce>(model, iterations, options));
  }
  if (options.two_at_once) contenders.push_back(std::make_unique<HandOff>());

  const std::int64_t stolen_before = stolenTicks();
  std::vector<std::int64_t> warm_up;
  for (auto& contender : contenders) {
    contender->run(std::min(options.steps, 100), warm_up);
    contender->hashes.clear();
  }
  for (int round = 0; round < options.rounds; ++round)
    for (auto& contender : contenders) contender->run(options.steps, contender->durations.samples);
  std::cout << "stolen:   " << stolenTicks() - stolen_before << " ticks of 10 ms during the run\n\n";

  std::vector<LatencySeries> series;
  for (auto& contender : contenders) series.push_back(std::move(contender->durations));
  series.front().base = true;
  printTable(std::cout, series);
  std::cout << "\nns a body, p50:\n";
  for (std::size_t i = 0; i < series.size(); ++i)
    std::cout << "  " << series[i].name << ": " << percentilesOf(series[i].samples).p50 / contenders[i]->bodies << '\n';
  if (!options.csv.empty()) {
    writeCsv(options.csv, series);
    std::cout << "\nwritten: " << options.csv << '\n';
  }
  return !options.same_hashes || compareHashes(contenders);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  tactus::bench::CommandLine line("Measure the duration of one time step of each model");
  line.add("MODEL", options.models, "built-in models or files: four_bar, chain:n=32, rig.json, ...")
      .add("--rounds", options.rounds, "interleaved rounds", {1, 100000})
      .add("--steps", options.steps, "steps per round, from the initial state", {1, 10000000})
      .add("--iterations", options.iterations, "Newton iterations, several as 2,3 (0: those of the model)", {0, 100})
      .add("--threads", options.threads, "threads, several as 1,2; limited by the work that can be shared", {1, 1024})
      .flag("--oversubscribe", options.oversubscribe, "allow more threads than cores")
      .flag("--two-at-once", options.two_at_once,
            "each model also twice side by side, a thread each, and a cache line handed to and fro: shows whether two "
            "cores are free, equally fast, and near each other")
      .flag("--by-rows", options.by_rows, "every joint by its rows, none by its freedoms")
      .add("--order", options.order, "order of the steps (2: that of the model)", {2, 4})
      .add("--velocity-passes", options.velocity_passes, "velocity projections (0: those of the settings)", {0, 10})
      .add("--bushings", options.bushings, "chains of so many compliant joints of six rows, several as 8,64", {1, 1024})
      .add("--literal", options.literal,
           "chains of so many links, several as 8,128, by the algorithm as printed, in the same run", {1, 1024})
      .add("--period", options.period_ms, "time step, ms", {0.01, 1000.0})
      .flag("--same-hashes", options.same_hashes,
            "compare the states at the end of all rounds: any number of threads has to arrive at the same one")
      .add("--csv", options.csv, "write the table to this file");
  return line.main(argc, argv, [&] {
    if (!tactus::bench::run(options)) throw tactus::Error("the hashes differ");
  });
}
