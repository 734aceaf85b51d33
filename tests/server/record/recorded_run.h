// A loop that is recorded, without a server around it: what the tests of recorder, replay and diff run.
#pragma once

#include "rt/ali3p/compile_plan.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/models/built_in_models.h"
#include "server/record/recorder.h"
#include "server/record/snapshot_message.h"
#include "server/wire/settings_message.h"
#include "tests/server/record/memory_disk.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tactus::server::tests {

/// A built-in model with its loop; input is offered and ticks are made by the test.
class RecordedRun {
  static rt::LoopOptions optionsOf(std::size_t ring, rt::StepFunction* step) {
    rt::LoopOptions options;
    options.ring_capacity = ring;
    options.step = step;
    return options;
  }

 public:
  explicit RecordedRun(const std::string& name = "motor_four_bar", std::size_t ring = 1024,
                       rt::StepFunction* step = &rt::step)
      : document(openModel(name)),
        model(rt::buildModel(document.spec)),
        plan(rt::compilePlan(model)),
        directory(model),
        settings(rt::chooseSettings(model)),
        initial(rt::initialState(model).state),
        loop(model, plan, settings, initial, optionsOf(ring, step)),
        input(model) {
    setup.mutable_build()->set_version("test");
    *setup.mutable_model() = document.message;
    setup.set_model_hash(rt::formatHash(model.hash));
    writeSettings(settings, *setup.mutable_settings());
    setup.mutable_session()->set_model_name(name);
    setup.set_start_time_ns(1'000'000'000);
  }

  /// Records from now on.
  void record(std::unique_ptr<FileSink> file, RecorderOptions options = {}) {
    RecorderSource source{
        loop.ring(), directory,
        [this](std::uint64_t index, std::chrono::nanoseconds timeout) { return loop.ring().waitNewer(index, timeout); },
        [] {
          v1::TimingReport report;
          report.set_ticks(42);
          return report;
        },
        [this](const RecorderNotice& notice) {
          std::lock_guard lock(notices_mutex);
          notices.push_back(notice);
        }};
    recorder.emplace(std::move(source), std::move(options), setup, 0, std::move(file), "test");
  }

  /// Ticks with a new input every `every` ticks; 0 for none.
  void tick(int ticks, int every = 3) {
    for (int i = 0; i < ticks; ++i) {
      const auto next = static_cast<double>(loop.state().tick + 1);
      if (every > 0 && static_cast<int>(next) % every == 0) {
        ++input.sequence;
        for (std::size_t k = 0; k < input.values.size(); ++k)
          input.values[k] = std::clamp(std::sin(0.01 * next + static_cast<double>(k)), model.actuators[k].minimum,
                                       model.actuators[k].maximum);
        loop.inputs().offer(input);
      }
      loop.tick();
    }
  }

  /// Waits until the recorder has taken or given up everything that was published since the first tick.
  void settle() {
    while (recorder->status().ticks + recorder->status().lost_ticks < loop.ring().newestIndex())
      std::this_thread::yield();
  }

  /// The newest notice of a kind, once there is one.
  RecorderNotice awaitNotice(RecorderNotice::Kind kind) {
    while (true) {
      {
        std::lock_guard lock(notices_mutex);
        for (auto notice = notices.rbegin(); notice != notices.rend(); ++notice)
          if (notice->kind == kind) return *notice;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  ModelDocument document;
  rt::Model model;
  rt::Plan plan;
  rt::SignalDirectory directory;
  rt::Settings settings;
  rt::State initial;
  rt::TickLoop loop;
  rt::ActuatorInput input;
  v1::RecordingSetup setup;
  std::mutex notices_mutex;
  std::vector<RecorderNotice> notices;  ///< that the recorder has sent
  std::optional<Recorder> recorder;
};

}  // namespace tactus::server::tests
