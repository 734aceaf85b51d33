// Cost of publishing a tick: publishing its Snapshot (tick thread), and reading it, selecting the signals and
// serializing the frame (reader thread); compared with a plain copy of as many bytes.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/loop/snapshot_ring.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/models/built_in_models.h"
#include "server/wire/state_frame.h"
#include "tests/bench/command_line.h"
#include "tests/bench/latency_report.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

namespace tactus::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> models = {"hmmwv", "sedan"};
  int samples = 20000, batch = 16;
  std::string csv, only;
};

// Reading the clock twice costs as much as one call: each sample is the mean of a batch.
class Measured {
 public:
  Measured(const std::string& name, const std::string& what, const std::vector<std::string>& patterns,
           const Options& options)
      : options_(options),
        model_(rt::buildModel(server::openBuiltInModel(name).spec)),
        directory_(model_),
        selection_(directory_.resolve(patterns)),
        writer_(directory_, selection_, false),
        snapshot_(model_),
        read_(model_),
        ring_(snapshot_, 256) {
    // The state of a moving mechanism, so that few values are zero.
    rt::State state = rt::initialState(model_).state;
    const rt::Plan plan = rt::compilePlan(model_);
    const rt::Settings settings = rt::chooseSettings(model_);
    rt::Workspace workspace(model_, plan, 1);
    const std::vector<double> input(model_.actuators.size(), 0.0);
    for (int i = 0; i < 20; ++i) rt::step(model_, plan, settings, input, state, workspace);
    std::copy(state.values().begin(), state.values().end(), snapshot_.state.begin());
    const std::string label = name + ", " + std::to_string(model_.bodyCount()) + " bodies, " + what;
    publish.name = label + ": publish, " + std::to_string(snapshot_.state.size()) + " doubles";
    frame.name = label + ": read, choose, serialize " + std::to_string(selection_.size()) + " signals";
    all.name = label + ": both";
    copy.name = label + ": copy of the frame's bytes";
    copy.base = true;
  }

  void run() {
    for (int i = 0; i < options_.samples; ++i) {
      measure(copy, [this] { std::memcpy(bytes_.data(), source_.data(), frame_bytes_); });
      measure(publish, [this] { publishOne(); });
      measure(frame, [this] { frameOne(); });
      measure(all, [this] { publishOne(), frameOne(); });
    }
  }

  void publishOne() {
    ++snapshot_.header.tick;
    ring_.publish(snapshot_.header, snapshot_.state, snapshot_.inputs, snapshot_.input_history);
  }

  void frameOne() {
    ring_.newest(read_);
    writer_.write(read_, message_);
    frame_bytes_ = message_.ByteSizeLong();
    message_.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(bytes_.data()));
  }

  LatencySeries copy, publish, frame, all;

 private:
  template <class Work>
  void measure(LatencySeries& series, Work&& work) {
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < options_.batch; ++i) {
      work();
      asm volatile("" : : "r"(bytes_.data()) : "memory");
    }
    series.samples.push_back((Clock::now() - begin).count() / options_.batch);
  }

  const Options& options_;
  rt::Model model_;
  rt::SignalDirectory directory_;
  std::vector<int> selection_;
  server::FrameWriter writer_;
  rt::Snapshot snapshot_, read_;
  rt::SnapshotRing ring_;
  v1::StateFrame message_;
  std::size_t frame_bytes_ = 0;
  std::vector<char> bytes_ = std::vector<char>(1 << 20), source_ = std::vector<char>(1 << 20);
};

void run(const Options& options) {
  printEnvironment(std::cout);
  std::cout << "samples:  " << options.samples << " of " << options.batch << " calls each, mean of a call\n\n";
  std::vector<LatencySeries> table;
  for (const std::string& model : options.models)
    for (const bool motion : {true, false}) {
      std::vector<std::string> patterns = {"*"};
      if (motion) patterns = {"*.r.?", "*.p.e?", "*.v.?", "*.omega.?"};
      Measured measured(model, motion ? "motion" : "all signals", patterns, options);
      if (options.only == "publish") {
        for (int i = 0; i < options.samples; ++i) measured.publishOne();
        continue;
      }
      measured.frameOne();
      if (options.only == "frame") {
        for (int i = 0; i < options.samples; ++i) measured.frameOne();
        continue;
      }
      measured.run();
      for (LatencySeries* series : {&measured.copy, &measured.publish, &measured.frame, &measured.all})
        table.push_back(std::move(*series));
    }
  if (table.empty()) return;
  printTable(std::cout, table);
  if (!options.csv.empty()) writeCsv(options.csv, table);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  tactus::bench::CommandLine line("Measure the cost of publishing a tick and of serializing it for a reader");
  line.add("MODEL", options.models, "built-in models")
      .add("--samples", options.samples, "samples of each duration", {1, 10000000})
      .add("--batch", options.batch, "calls per sample", {1, 100000})
      .choice("--only", options.only, {"publish", "frame"}, "run this part only, for a profiler")
      .add("--csv", options.csv, "write the table to this file");
  return line.main(argc, argv, [&] { tactus::bench::run(options); });
}
