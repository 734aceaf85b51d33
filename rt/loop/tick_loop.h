// TickLoop: one tick is take input, step, publish; run() adds the wait. Open this first, then tick_loop.cpp.
#pragma once

#include "rt/ali3p/step.h"
#include "rt/loop/compiled_model.h"
#include "rt/loop/input_guard.h"
#include "rt/loop/latest_value.h"
#include "rt/loop/snapshot_ring.h"
#include "rt/loop/stamped_inputs.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_stats.h"
#include "rt/loop/time_source.h"
#include "rt/state/actuator_input.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace tactus::rt {

/// The signature of step(); tests put slow and failing steps in its place.
using StepFunction = StepReport(const Model&, const Plan&, const Settings&, std::span<const double>, State&,
                                Workspace&) noexcept;

struct LoopOptions {
  std::size_t ring_capacity = 256;
  std::vector<ScriptedInput> script;  ///< in any order; of several for one tick the last in the list holds
  std::int64_t stop_tick = 0;         ///< last tick; 0 for none
  int threads = 1;                    ///< that share a step, see chooseThreads()
  std::int64_t miss_limit = 0;        ///< inputs of a controller that may be missing in a row; 0 for any number
  StepFunction* step = &tactus::rt::step;
  TimeSource time = monotonicTime();  ///< of the statistics
};

/// The run of one Model: its State, its input slot, its ring and its statistics.
///
/// The thread that calls tick() or run() is the tick thread; there is one at a time. Input of tick n: the newest one
/// offered before it, held until the next; an input that names its tick, or a scripted one, takes its place in that;
/// what follows when a controller falls silent, and in the safe state, says InputGuard. If a step fails, or an actuator
/// demands a fault, State keeps the last good tick, one Snapshot with `faulted` set goes out, and no further step is
/// tried.
class TickLoop {
 public:
  enum class End : std::uint8_t {
    kStopped,   ///< asked to
    kFaulted,   ///< a step failed
    kFinished,  ///< reached the stop tick
    kOverrun,   ///< the overrun rule of the clock ended the run; State is good, and another run may go on
  };

  /// Allocates all that the loop will ever need and publishes `initial` as the first Snapshot.
  /// Model and Plan must outlive the loop.
  /// @throws Error if a scripted input has a tick below 1, the wrong number of values, or one that is not finite
  TickLoop(const Model& model, const Plan& plan, const Settings& settings, const State& initial,
           LoopOptions options = {});

  TickLoop(const TickLoop&) = delete;
  TickLoop& operator=(const TickLoop&) = delete;

  // ---- the tick thread ----

  /// One tick. Called by run(), and directly where the caller is the clock: lockstep, stepping by n, offline runs.
  /// @returns what the step returned; after a fault that fault, after the stop tick kOk, both without a step
  /// @rt no allocation, no lock, no throw, fixed work; no system call but the one that wakes a sleeping reader
  TickStatus tick() noexcept { return advance(false); }

  /// Ticks at the pace of the clock until stopped, faulted, finished or ended by its overrun rule. Starts the clock's
  /// grid anew.
  /// @rt as tick(); sleeps between ticks
  End run(TickClock& clock, const std::atomic<bool>& stop) noexcept;

  /// Runs the step on a copy of the State, so that its code and memory are in place, and the team that shares it, which
  /// belongs to the calling thread. Set-up: allocates, starts threads.
  void warmUp(int steps = 3);

  // ---- the writers of inputs: one thread at a time for each of them ----

  /// Makes `input` the newest of a writer, for those of the groups that allow() gives it; other values do not count.
  /// Values must be finite; the wire checks them.
  /// @returns false, and the input is ignored, if it does not have one value for each actuator
  /// @rt wait-free, no allocation
  bool offerInput(const ActuatorInput& input, int writer = 0, GroupMask groups = kAllGroups) noexcept;

  /// The same for the tick that `tick` names. In that tick it goes before what has no name; a tick that is over by then
  /// leaves it unused and counts it as late.
  /// It must have one value for each actuator.
  /// @returns kKept, or why it is ignored: too many wait, or one for a later tick does
  /// @rt wait-free, no allocation
  Stamping offerInputAt(std::int64_t tick, const ActuatorInput& input, int writer = 0,
                        GroupMask groups = kAllGroups) noexcept;

  /// Writers beside each other; of each group of the Model two, so that one can take over while the other still writes.
  int writers() const noexcept { return static_cast<int>(writers_.size()); }

  /// From now on a writer drives these groups, also with what it has offered before without naming a tick. At first
  /// writer 0 drives all.
  void allow(int index, GroupMask groups) noexcept {
    Writer& writer = writers_[static_cast<std::size_t>(index)];
    writer.right.fetch_add(1, std::memory_order_acq_rel);
    writer.groups.store(groups, std::memory_order_release);
  }

  // ---- who changes parameters: one thread at a time ----

  /// The next tick begins with `next`, which must have the structure of the Model, and outlive the loop or a later one.
  /// The one before is no longer used once modelVersion() says so.
  /// @rt wait-free for both sides
  void offerModel(CompiledModel& next) noexcept { next_.store(&next, std::memory_order_release); }

  /// @returns whether no tick has taken it; none will
  bool withdrawModel() noexcept { return next_.exchange(nullptr, std::memory_order_acq_rel) != nullptr; }

  /// Of the one in use; 0 for that of the constructor.
  std::uint64_t modelVersion() const noexcept { return version_.load(std::memory_order_acquire); }

  /// The first tick that it made, or is going to make; and the newest publication before that.
  std::int64_t modelTick() const noexcept { return version_tick_.load(std::memory_order_relaxed); }
  std::uint64_t modelPublication() const noexcept { return version_publication_.load(std::memory_order_relaxed); }

  // ---- any thread ----

  /// The next tick enters the safe state, or leaves it; of several requests before a tick the last one counts.
  void requestSafeState() noexcept { request_.store(Request::kSafe, std::memory_order_release); }
  void requestClear() noexcept { request_.store(Request::kClear, std::memory_order_release); }

  const SnapshotRing& ring() const noexcept { return ring_; }
  SnapshotRing& ring() noexcept { return ring_; }
  TickStats& stats() noexcept { return stats_; }
  const TickStats& stats() const noexcept { return stats_; }
  const Settings& settings() const noexcept { return settings_; }
  std::int64_t missLimit() const noexcept { return guard_.missLimit(); }
  bool faulted() const noexcept { return fault() != TickStatus::kOk; }
  TickStatus fault() const noexcept { return fault_.load(std::memory_order_acquire); }
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }

  // ---- only while no tick runs ----

  const State& state() const noexcept { return state_; }

  /// All that decides the next tick beside State, as of the last one.
  const InputState& inputState() const noexcept { return guard_.state(); }

  /// Goes on with another one, or with null with that of the constructor; one that was offered is left.
  void setCompiledModel(CompiledModel* next) noexcept;

  /// Back to `initial`, which must be of the same Model: clears the fault, the held input and one that waits, starts
  /// the script anew and publishes. Statistics go on.
  void reset(const State& initial) noexcept;

  /// Goes on from a State and an InputState of the same Model, saved together: clears the fault and an input that
  /// waits, takes the script up behind the tick, and publishes.
  void restore(const State& state, const InputState& inputs) noexcept;

  /// Goes on from `saved`, a Snapshot of a loop with the same Model, Settings and script, as if it had never stopped:
  /// State, the held input and its age, the place in the script. Clears the fault and an input that waits, publishes.
  void restore(const Snapshot& saved) noexcept;

 private:
  TickStatus advance(bool overrun) noexcept;
  bool takeInput(TickRecord& record) noexcept;
  void begin(const State& state) noexcept;
  void beginAgain(bool input_held) noexcept;
  void publish(const StepReport& report, bool input_held, bool overrun) noexcept;
  void settle(TickStatus status) noexcept;
  void account(const TickClock& clock, const GridPoint& point, std::int64_t tick, LateWitness& witness) noexcept;

  void adopt(CompiledModel* next) noexcept;

  const Model& model_;
  const Plan& plan_;
  const Settings settings_;
  const LoopOptions options_;
  State state_;
  Workspace workspace_;

  // What steps run; of the tick thread.
  struct Parts {
    const Model* model;
    const Plan* plan;
    Workspace* workspace;
    std::uint64_t version = 0;
  };
  Parts parts_;
  std::atomic<CompiledModel*> next_{nullptr};
  std::atomic<std::uint64_t> version_{0}, version_publication_{0};
  std::atomic<std::int64_t> version_tick_{0};

  // The input in force, and where it came from.
  enum class Request : std::uint8_t { kNone, kSafe, kClear };
  InputGuard guard_;
  TickWork work_;                ///< of the last tick
  InputState restored_;          ///< scratch of restore()
  std::vector<double> history_;  ///< scratch of publish()
  std::atomic<Request> request_{Request::kNone};
  std::size_t script_next_ = 0;
  std::uint64_t begun_ = 0;
  /// What a client has offered, and when.
  struct Offer {
    ActuatorInput input;
    GroupMask groups = 0;
    std::int64_t arrival_ns = 0;
    std::uint32_t right = 0;  ///< under which it was offered
  };
  struct Writer {
    explicit Writer(const Offer& prototype) : offering(prototype), offered(prototype), stamped(prototype) {}
    Offer offering;  ///< the writer's own copy
    LatestValue<Offer> offered;
    StampedInputs<Offer> stamped;
    std::atomic<std::uint32_t> right{0};  ///< counts the changes of `groups`
    std::atomic<GroupMask> groups{0};
  };
  std::deque<Writer> writers_;

  Writer& fillOffer(const ActuatorInput& input, int index, GroupMask groups) noexcept;

  SnapshotRing ring_;
  TickStats stats_;
  std::atomic<TickStatus> fault_{TickStatus::kOk};
  std::atomic<bool> finished_{false};
};

}  // namespace tactus::rt
