// TickLoop: one tick is take input, step, publish; run() adds the wait. Open this first, then tick_loop.cpp.
#pragma once

#include "rt/ali3p/step.h"
#include "rt/loop/compiled_model.h"
#include "rt/loop/energy_watch.h"
#include "rt/loop/input_guard.h"
#include "rt/loop/input_writers.h"
#include "rt/loop/model_exchange.h"
#include "rt/loop/snapshot_ring.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_stats.h"
#include "rt/loop/time_source.h"
#include "rt/state/actuator_input.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tactus::rt {

/// The signature of step(); tests replace it by slow and failing steps.
using StepFunction = StepReport(const Model&, const Plan&, const Settings&, std::span<const double>, State&,
                                Workspace&) noexcept;

struct LoopOptions {
  std::size_t ring_capacity = 256;
  std::vector<ScriptedInput> script;  ///< in any order; if several name one tick, the last one in the list counts
  std::int64_t stop_tick = 0;         ///< last tick; 0 for none
  int threads = 1;                    ///< number of threads that share a step, see chooseThreads()
  std::int64_t miss_limit = 0;        ///< consecutive inputs of a controller that may be missing; 0: no limit
  StepFunction* step = &tactus::rt::step;
  TimeSource time = monotonicTime();  ///< for the statistics
};

/// The run of one Model: its State, its inputs, its ring and its statistics.
///
/// The thread that calls tick() or run() is the tick thread; there is one at a time. Input of tick n: the newest input
/// offered before it, held until the next one. A scheduled or scripted input takes precedence in its tick. InputGuard
/// defines what happens on loss of a controller and in the safe state. If a step fails, or an actuator demands a fault,
/// State keeps the last good tick, one Snapshot with `faulted` set is published, and no further step is tried.
class TickLoop {
 public:
  enum class End : std::uint8_t {
    kStopped,   ///< `stop` was set
    kFaulted,   ///< a step failed
    kFinished,  ///< reached the stop tick
    kOverrun,   ///< the overrun rule of the clock ended the run; State is valid, and another run may continue
  };

  /// Allocates all that the loop will ever need and publishes `initial` as the first Snapshot.
  /// Model and Plan must outlive the loop.
  /// @throws Error if a scripted input has a tick below 1, the wrong number of values, or one that is not finite
  TickLoop(const Model& model, const Plan& plan, const Settings& settings, const State& initial,
           LoopOptions options = {});
  ~TickLoop();

  TickLoop(const TickLoop&) = delete;
  TickLoop& operator=(const TickLoop&) = delete;

  // ---- the tick thread ----

  /// One tick, for callers that are the clock themselves: lockstep, single steps, offline runs. run() makes the same
  /// tick at the pace of a clock. Both call advance().
  /// @returns the status of the step. Without a step: the fault after a fault, kOk after the stop tick
  /// @rt no allocation, no lock, no throw, fixed work; no system call but those that wake a sleeping reader and, in a
  ///     tick that alerts, a thread in waitAlert()
  TickStatus tick() noexcept { return advance(false); }

  /// Ticks at the pace of the clock until `stop` is set, a step fails, the stop tick is reached or the overrun rule of
  /// the clock ends the run. Begins with a new grid of the clock.
  /// @rt as tick(); sleeps between ticks
  End run(TickClock& clock, const std::atomic<bool>& stop) noexcept;

  /// Runs the step on a copy of the State, so that its code and memory are in place, and starts the threads that share
  /// it, which belong to the calling thread. Set-up: allocates, starts threads.
  void warmUp(int steps = 3);

  // ---- any thread; InputWriters and ModelExchange document the threads of their members ----

  InputWriters& inputs() noexcept { return inputs_; }
  const InputWriters& inputs() const noexcept { return inputs_; }
  ModelExchange& models() noexcept { return models_; }

  /// Requests that the next tick enters the safe state, or leaves it. The last request before a tick counts.
  void requestSafeState() noexcept { request_.store(Request::kSafe, std::memory_order_release); }
  void requestClear() noexcept { request_.store(Request::kClear, std::memory_order_release); }

  /// The next tick calls InputGuard::resume().
  void requestResume(GroupMask groups) noexcept { resume_.fetch_or(groups, std::memory_order_acq_rel); }

  /// Whether the next tick leaves the safe state on request.
  bool clearRequested() const noexcept { return request_.load(std::memory_order_acquire) == Request::kClear; }

  /// Groups whose inputs the safe state leaves aside, as of the last tick.
  GroupMask latchedGroups() const noexcept { return latched_.load(std::memory_order_acquire); }

  /// Sleeps until a tick has alerted after alert number `seen`: groups entered or left the safe state, or the energy
  /// begins to grow. Returns early after wakeAlerted(), and at the latest after the timeout.
  /// @returns number of the newest alert
  std::uint32_t waitAlert(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept;
  std::uint32_t alerts() const noexcept { return alerts_.load(std::memory_order_acquire); }

  /// Ends every waitAlert().
  void wakeAlerted() noexcept;

  /// Whether the energy grows without an input, and by how much.
  const EnergyWatch& energy() const noexcept { return energy_; }

  const SnapshotRing& ring() const noexcept { return ring_; }
  SnapshotRing& ring() noexcept { return ring_; }
  TickStats& stats() noexcept { return stats_; }
  const TickStats& stats() const noexcept { return stats_; }
  const Settings& settings() const noexcept { return settings_; }
  std::int64_t missLimit() const noexcept { return guard_.missLimit(); }
  int threads() const noexcept;  ///< that share a step
  bool faulted() const noexcept { return fault() != TickStatus::kOk; }
  TickStatus fault() const noexcept { return fault_.load(std::memory_order_acquire); }
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }

  // ---- only while no tick runs ----

  const State& state() const noexcept { return state_; }

  /// The part of what decides the next tick that is not in State: inputs in force and losses of controllers.
  const InputState& inputState() const noexcept { return guard_.state(); }

  /// Missing inputs count from now on: the loop stood still, so that no controller had a tick to send for.
  void countMissesAnew() noexcept { guard_.countMissesFrom(state_.tick); }

  /// Continues with another compiled model, or with the initial one for null; an offered model is dropped. What the
  /// exchange does to the energy is no growth.
  void setModel(CompiledModel* next) noexcept {
    models_.set(next, state_.tick + 1, ring_.newestIndex());
    energy_.rebase(*models_.parts().model, state_);
  }

  /// Returns to `initial`, a State of the same Model: clears the fault, the held input and waiting inputs, restarts the
  /// script and publishes. Statistics continue.
  void reset(const State& initial) noexcept;

  /// Continues from a State and an InputState that were saved together with the same Model: clears the fault and
  /// waiting inputs, continues the script after the tick of the State, and publishes.
  void restore(const State& state, const InputState& inputs) noexcept;

  /// Continues from `saved`, a Snapshot of a loop with the same Model, Settings and script, as if it had never stopped:
  /// restores State, the held input with its age, and the position in the script. Clears the fault and waiting inputs,
  /// and publishes.
  void restore(const Snapshot& saved) noexcept;

 private:
  enum class Request : std::uint8_t { kNone, kSafe, kClear };

  TickStatus advance(bool overrun) noexcept;
  bool takeInput(TickRecord& record) noexcept;
  void begin(const State& state) noexcept;
  void beginAgain(bool input_held) noexcept;
  void publish(const StepReport& report, bool input_held, bool overrun) noexcept;
  void settle(TickStatus status) noexcept;
  void account(const TickClock& clock, const GridPoint& point, std::int64_t tick, LateTickAnalyzer& analyzer) noexcept;

  const Settings settings_;
  const LoopOptions options_;
  State state_;
  const std::unique_ptr<Workspace> workspace_;
  ModelExchange models_;

  // The input in force, and where it came from.
  InputWriters inputs_;
  InputGuard guard_;
  TickWork work_;                ///< work of the last tick
  InputState restored_;          ///< scratch of restore()
  std::vector<double> history_;  ///< scratch of publish()
  std::atomic<Request> request_{Request::kNone};
  std::atomic<GroupMask> resume_{0}, latched_{0};
  std::size_t script_next_ = 0;
  std::uint64_t epoch_ = 0;  ///< counts the starts, resets and restores

  SnapshotRing ring_;
  TickStats stats_;
  EnergyWatch energy_;
  std::atomic<std::uint32_t> alerts_{0};
  std::atomic<int> alert_waiters_{0};
  std::atomic<TickStatus> fault_{TickStatus::kOk};
  std::atomic<bool> finished_{false};
};

}  // namespace tactus::rt
