// Session: one Model being run, with its State, its loop and its thread.
#pragma once

#include "rt/loop/reader_waker.h"
#include "rt/loop/compiled_model.h"
#include "rt/loop/realtime_thread.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_loop.h"
#include "rt/loop/wake_probe.h"
#include "rt/mechanics/initial_state.h"
#include "rt/signals/signal_directory.h"
#include "server/config.h"
#include "server/model_io/tuned_model.h"
#include "server/session/event_log.h"
#include "server/session/reader_list.h"
#include "server/session/request_log.h"
#include "server/session/session_setup.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tactus::server {

enum class SessionState : std::uint8_t {
  kReady,  ///< at tick 0, not yet started
  kRunning,
  kPaused,
  kFaulted,   ///< a step failed; the last good State is kept until a reset
  kFinished,  ///< reached its stop tick; a reset begins again
  kStopped,   ///< the overrun rule ended the run; another start goes on
};
const char* toString(SessionState state) noexcept;

/// A copy of what a session says about itself.
struct SessionStatus {
  SessionState state;
  std::int64_t tick = 0;
  std::optional<std::uint64_t> state_hash;          ///< where no loop thread is running
  std::string fault;                                ///< why it is kFaulted or kStopped
  rt::InputMode input_mode = rt::InputMode::kFree;  ///< of the newest tick
};

/// All members may be called from any thread, except where an InputLease is asked for.
///
/// Real-time, scaled and free-run sessions tick in a thread of their own between start() and pause(). A session with
/// the clock lockstep or external has none: it ticks in the thread that brings the input.
class Session {
 public:
  /// Assembles the initial state, compiles the Plan and warms up.
  /// @throws RequestError naming the field of CreateSessionRequest that cannot be met
  explicit Session(SessionSpec spec);
  ~Session() { close(); }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ---- control; each throws RequestError kSessionState where the state does not allow it ----

  /// Runs; harmless while it does. Returns when the thread has what it could get of its real-time requests.
  void start();

  /// Stops after the tick under way, or ends a step() under way; harmless while nothing runs.
  void pause();

  /// Runs `ticks` in the calling thread, in short batches; fewer if the session faults or finishes.
  /// @throws RequestError kCancelled when `cancelled` says so between two batches
  void step(std::int64_t ticks, const std::function<bool()>& cancelled);

  /// Back to tick 0 and the initial state, kReady.
  void reset();

  /// Goes on from `saved`, which must be of an equal session: kPaused, or kFinished behind its stop tick.
  /// @param parameters  of the tick that was saved; those of the model where they are left out
  /// @throws RequestError naming the element of `snapshot.parameters` that does not fit; nothing has changed then
  void restore(const rt::Snapshot& saved, const ParameterValues& parameters = {});

  /// Takes the actuators to their safe values, and leaves that state again: from the next tick on. Where ticks run by
  /// themselves, returns when that tick is published, or after a second.
  void enterSafeState();
  void clearSafeState();

  /// Changes parameters together between two ticks, or none of them. Where ticks run by themselves, returns when one
  /// has used them.
  /// @returns the first tick that uses them
  /// @throws RequestError naming the element of `values` that the model does not take
  std::int64_t setParameters(const ParameterValues& values);

  /// What runs now.
  struct Tuning {
    std::shared_ptr<const rt::Model> model;
    v1::Model message;            ///< with the values; empty if the session was made without one
    std::int64_t first_tick = 0;  ///< 0: since the beginning
  };
  Tuning tuning() const;

  /// Ends the loop and every wait on it; the streams are told that the session is gone. Nothing runs afterwards.
  void close();

  // ---- inputs ----

  /// Who wants to drive what.
  struct LeaseRequest {
    rt::GroupMask groups = rt::kAllGroups;
    std::string controller = "controller";       ///< for people
    std::optional<std::string> takeover_reason;  ///< takes the groups from who has them; none: only if they are free
    std::function<bool()> gone;  ///< lockstep: whether a holder that waits for others need wait no longer
  };

  /// The right to send the inputs of some groups of actuators; of each group one holder at a time. Used by one thread,
  /// must not outlive the session.
  class InputLease {
   public:
    ~InputLease();
    InputLease(const InputLease&) = delete;
    InputLease& operator=(const InputLease&) = delete;

    /// The complete set in force, for the holder to overwrite what it drives.
    rt::ActuatorInput& input();

    /// Hands it to the next tick, or to the one that `tick` names.
    void offer();
    rt::ScheduleResult offerAt(std::int64_t tick);

    /// Lockstep and external: one tick with it, in this thread or, where others have to bring inputs for it, in that of
    /// the last of them.
    /// @param[out] result  what the tick has published
    /// @param for_tick  the tick that it must be, and no other; 0 for whichever it is
    /// @returns the index of that publication in the ring; 0, without a tick, if the session may not tick now
    std::uint64_t tick(rt::Snapshot& result, std::int64_t for_tick = 0);

    /// The same in two parts, for who may not wait: brings the input, and has no value if those of others are missing.
    /// Then, and only then, awaitOthers() is to be called.
    std::optional<std::uint64_t> arrive(rt::Snapshot& result, std::int64_t for_tick = 0);
    std::uint64_t awaitOthers(rt::Snapshot& result);

    /// The same without a new input: one that the holder has missed.
    std::uint64_t tickHeld(rt::Snapshot& result);

    /// The last tick. Where the holder ticks, the next one is its own.
    std::int64_t tickNow() const;

    /// Somebody took it over: nothing that is offered has an effect, and nothing ticks.
    bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
    std::string takenBy() const;

   private:
    friend class Session;
    InputLease(Session& session, LeaseRequest request, int writer, rt::ActuatorInput input, std::uint64_t resets)
        : session_(session), request_(std::move(request)), writer_(writer), input_(std::move(input)), resets_(resets) {}
    std::optional<std::uint64_t> begin(bool with_input, std::int64_t for_tick, rt::Snapshot& result);
    std::uint64_t advance(bool with_input, std::int64_t for_tick, rt::Snapshot& result);

    Session& session_;
    const LeaseRequest request_;
    const int writer_;  ///< of the loop
    rt::ActuatorInput input_;
    std::uint64_t resets_;
    std::atomic<bool> lost_{false};
    std::string taken_by_;     ///< under the session's lease_
    std::uint64_t round_ = 0;  ///< under drive_: that it has an input for
    std::chrono::steady_clock::time_point arrived_at_;
  };

  /// @throws RequestError kLeaseHeld while another one holds a group of it, kLimitExceeded while too many are leaving
  std::unique_ptr<InputLease> leaseInputs(LeaseRequest request);
  std::unique_ptr<InputLease> leaseInputs() { return leaseInputs(LeaseRequest()); }

  /// The groups that some actuators are of; external: all of them, because one device is the clock.
  rt::GroupMask groupsOf(const std::vector<int>& actuators) const noexcept;

  /// Of each group who holds it; empty for nobody.
  std::vector<std::string> controllers() const;

  /// Lockstep: ticks that did not wait any longer for a participant.
  std::uint64_t participantsLate() const noexcept { return participants_late_.load(std::memory_order_relaxed); }

  /// What became of inputs before they came near a tick; counted by the streams.
  struct InputCounts {
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> lost{0};       ///< numbers that a client's sequence left out
    std::atomic<std::uint64_t> duplicate{0};  ///< numbers that did not rise; they are refused, too
    std::atomic<std::uint64_t> late{0};       ///< named a tick that was over; they are refused, too
  };
  InputCounts inputs;

  // ---- what there is to see ----

  SessionStatus status();
  SessionState state() const noexcept { return state_.load(std::memory_order_acquire); }
  rt::Snapshot newest() const;

  /// Asks for the class and the cores of the session for the calling thread, which is to tick, and starts the threads
  /// that are to share its steps. @throws Error
  void enterTickThread();

  /// What the tick thread asked for when it last started, and what it got.
  std::vector<rt::Grant> grants() const;
  std::int64_t spinMarginNs() const noexcept { return margin_ns_.load(std::memory_order_relaxed); }

  /// How late the host wakes a thread like that of the ticks; none before the first start, or without a grid.
  std::optional<rt::LatencySummary> hostWake() const;
  ReaderList& readers() noexcept { return readers_; }
  const ReaderList& readers() const noexcept { return readers_; }
  rt::TickStatsReport timing() const { return loop_.stats().report(); }
  void resetTiming();

  const SessionSpec& spec() const noexcept { return spec_; }
  /// With the parameters that the session was made with; what never changes is that of tuning(), too.
  const rt::Model& model() const noexcept { return *spec_.model; }
  const rt::Settings& settings() const noexcept { return loop_.settings(); }
  std::int64_t missLimit() const noexcept { return loop_.missLimit(); }
  const rt::AssemblyResult& assembly() const noexcept { return initial_; }
  const rt::SignalDirectory& signals() const noexcept { return signals_; }
  const rt::SnapshotRing& ring() const noexcept { return loop_.ring(); }
  rt::ReaderWaker& announcer() noexcept { return announcer_; }
  EventLog& events() noexcept { return events_; }

  /// Requests with an id, and their answers in the caller's encoding.
  RequestLog<std::string>& requests() noexcept { return requests_; }
  bool lockstep() const noexcept { return spec_.clock.mode == ClockChoice::Mode::kLockstep; }
  bool external() const noexcept { return spec_.clock.mode == ClockChoice::Mode::kExternal; }

  /// Whether it has no thread of its own: it ticks in that of who brings the input.
  bool ticksInCaller() const noexcept { return lockstep() || external(); }
  bool paced() const noexcept { return spec_.clock.paced(); }

  /// Whether a tick takes so long, or brings a team of threads with it, that it is no work for a thread that others
  /// wait for.
  bool hasLongTicks() const noexcept {
    constexpr double kLong = 2e5;  // operations of a factorisation and a solve: some 100 us a tick along the tree
    return spec_.realtime.threads > 1 || plan_.factor_flops + plan_.solve_flops > kLong;
  }

  /// Streams that are open now; kept by the streams themselves.
  std::atomic<std::uint32_t> tick_streams{0}, observers{0};

 private:
  void awaitNextTick();
  std::unique_ptr<rt::CompiledModel> prepareModel(const ParameterValues& values, const std::string& field,
                                                  v1::Model& message);
  bool handOver(rt::CompiledModel& next);
  void useCompiledModel(std::unique_ptr<rt::CompiledModel> next, v1::Model message);
  void requireTunable() const;
  void rebaseInputs();
  void startProbe();
  void stopProbe();
  void runLoop(std::function<void(std::exception_ptr)> ready);
  void stopThread();
  void leaveReady();
  void settle();
  void stopAfterOverrun();
  void setState(SessionState state, SessionEvent::Kind kind, const std::string& message);
  bool tickBatch(std::int64_t& remaining);
  bool allArrived() const;
  void makeRound();
  bool meet(std::unique_lock<std::mutex>& drive, const InputLease& lease);
  bool goesOnWithout();
  rt::GroupMask expectedGroups() const;
  std::string groupNames(rt::GroupMask groups) const;
  void requireOpen() const;

  const SessionSpec spec_;
  const rt::AssemblyResult initial_;
  const rt::Plan plan_;
  rt::ModelVersions versions_;
  const rt::SignalDirectory signals_;
  rt::TickLoop loop_;
  std::optional<rt::TickClock> clock_;  ///< of all but lockstep
  rt::ReaderWaker announcer_;

  std::unique_ptr<rt::CompiledModel>
      mechanism_;                   ///< under control_: what the loop runs; null for that of the beginning
  std::uint64_t next_version_ = 1;  ///< under control_
  mutable std::mutex tuning_mutex_;
  Tuning tuning_;

  EventLog events_;
  RequestLog<std::string> requests_;

  std::mutex control_;   ///< one control call at a time; taken before drive_
  bool closed_ = false;  ///< written under control_ and drive_
  std::thread thread_;   ///< under control_
  std::atomic<bool> stop_{false};
  std::atomic<bool> stepping_{false}, interrupt_step_{false};

  mutable std::mutex drive_;  ///< held by who ticks in a caller's thread, resets, or looks at State
  std::atomic<SessionState> state_{SessionState::kReady};  ///< written under drive_
  std::string fault_;                                      ///< under drive_
  std::condition_variable met_;                            ///< of drive_: lockstep participants that wait for others
  rt::GroupMask arrived_ = 0;                              ///< under drive_: have an input for the next tick
  std::uint64_t rounds_ = 0;                               ///< under drive_: ticks that participants have made
  std::atomic<std::uint64_t> participants_late_{0};

  mutable std::mutex lease_;          ///< taken after drive_
  std::vector<InputLease*> holders_;  ///< that have not lost their lease
  std::vector<bool> writers_in_use_;  ///< of the loop; also those who have lost theirs
  rt::ActuatorInput held_input_;      ///< what former holders left
  std::atomic<std::uint64_t> resets_{0};

  mutable std::mutex grants_mutex_;
  std::vector<rt::Grant> grants_;
  std::atomic<std::int64_t> margin_ns_{0};
  ReaderList readers_;
  mutable std::mutex probe_mutex_;
  std::unique_ptr<rt::WakeProbe> probe_;              ///< while the thread of a paced session runs
  std::optional<rt::LatencySummary> last_host_wake_;  ///< of the run before
};

}  // namespace tactus::server
