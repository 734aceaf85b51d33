// Session: one Model being run. The control calls are here; each of their concerns has a type of its own.
#pragma once

#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/signals/model_versions.h"
#include "server/session/caller_step.h"
#include "server/session/input_authority.h"
#include "server/session/lifecycle.h"
#include "server/session/model_swap.h"
#include "server/session/rendezvous.h"
#include "server/session/request_log.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"
#include "server/session/tick_thread.h"

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace tactus::server {

/// A copy of what a session reports about itself.
struct SessionStatus {
  SessionState state;
  std::int64_t tick = 0;
  std::optional<std::uint64_t> state_hash;          ///< where no loop thread is running
  std::string fault;                                ///< why it is kFaulted or kStopped
  rt::InputMode input_mode = rt::InputMode::kFree;  ///< of the newest tick
  std::array<rt::InputMode, rt::kMaxGroups> group_modes{};
  std::string energy_growth;  ///< see describeEnergyGrowth(); empty if the energy does not grow
};

/// Thread-safe.
///
/// Real-time, scaled and free-run sessions tick in the TickThread between start() and pause(). A session with the clock
/// lockstep or external ticks through its Rendezvous, in the threads that bring the inputs. Locks are taken in this
/// order: that of the control calls, that of Lifecycle, that of InputAuthority.
class Session {
 public:
  /// Assembles the initial state, compiles the Plan and warms up.
  /// @throws RequestError naming the field of CreateSessionRequest that cannot be met
  explicit Session(SessionSpec spec);
  ~Session();

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ---- control; each throws RequestError kSessionState where the state does not allow it ----

  /// Runs; does nothing while it runs. Missing inputs count anew. Returns when the thread has what the system grants of
  /// its real-time requests.
  void start();

  /// Stops after the tick under way, or ends a step() under way; does nothing while nothing runs.
  void pause();

  /// The first half of pause(), which must follow: requests the end of the run, and returns at once. Whoever pauses
  /// many sessions requests it of all before it waits for one.
  void requestPause() noexcept { thread_.requestStop(); }

  /// Runs `ticks` in the calling thread, in short batches; fewer if the session faults or finishes.
  /// @param cancelled  asked between two batches
  /// @throws RequestError kCancelled
  void step(std::int64_t ticks, const std::function<bool()>& cancelled);

  /// Back to tick 0 and the initial state, kReady.
  void reset();

  /// Continues from `saved`, which must be of an equal session: kPaused, or kFinished after its stop tick.
  /// @param parameters  of the saved tick; if empty, those that the session was made with
  /// @throws RequestError naming the element of `snapshot.parameters` that does not fit; nothing has changed then
  void restore(const rt::Snapshot& saved, const ParameterValues& parameters = {});

  /// Takes the actuators to their safe values, or leaves that state, from the next tick on. If a thread ticks, returns
  /// when that tick is published, or after a second.
  /// @param reason  that safeState() gives until it is left, "by ..."; empty: by request
  void enterSafeState(std::string reason = {});
  void clearSafeState();

  /// Changes parameters together between two ticks, or none of them. If a thread ticks, returns when a tick has used
  /// them.
  /// @returns the first tick that uses them
  /// @throws RequestError naming the element of `values` that the model does not take
  std::int64_t setParameters(const ParameterValues& values);

  /// Ends the loop and every wait on it; the streams are told that the session is deleted. Nothing runs afterwards.
  void close();

  // ---- what it is and does ----

  SessionStatus status();
  SessionState state() const noexcept { return lifecycle_.state(); }

  /// Why the inputs of some groups are ignored, see describeSafeState(); empty if the next tick uses them.
  std::string safeState(rt::GroupMask groups = rt::kAllGroups, rt::GroupMask resumed = 0) const {
    return loop_.clearRequested()
               ? std::string()
               : describeSafeState(spec_, feed_.newest(), groups, resumed, lifecycle_.safeState().reason());
  }
  const SessionSpec& spec() const noexcept { return spec_; }

  /// With the parameters that the session was made with. What parameters cannot change holds for tuning(), too.
  const rt::Model& model() const noexcept { return *spec_.model; }
  const rt::Settings& settings() const noexcept { return loop_.settings(); }
  int threads() const noexcept { return loop_.threads(); }  ///< that share a step: what the request asks for, or fewer
  const rt::AssemblyResult& assembly() const noexcept { return initial_; }
  std::int64_t missLimit() const noexcept { return loop_.missLimit(); }

  /// The parameters in force.
  ModelSwap::Tuning tuning() const { return models_.tuning(); }

  /// A copy of the newest tick, with the model of the next one: parameters that were set while no tick runs are in it.
  /// Any thread; no tick waits for it.
  struct Present {
    rt::Snapshot tick;
    std::shared_ptr<const rt::Model> model;
  };
  Present present() const;

  /// Whether a tick takes so long, or starts a team of threads, that a thread that serves other clients must not run
  /// it.
  bool hasLongTicks() const noexcept;

  rt::TickStatsReport timing() const { return loop_.stats().report(); }
  rt::EnergyReport energy() const noexcept { return loop_.energy().report(); }

  /// All counts but those of the readers begin at zero: at once, or with the next tick of a thread that ticks.
  void resetTiming();

  // ---- its parts, for streams, links and recorders ----

  SessionFeed& feed() noexcept { return feed_; }
  const SessionFeed& feed() const noexcept { return feed_; }
  InputAuthority& inputs() noexcept { return inputs_; }
  const InputAuthority& inputs() const noexcept { return inputs_; }
  Rendezvous& rendezvous() noexcept { return rendezvous_; }
  TickThread& thread() noexcept { return thread_; }
  const TickThread& thread() const noexcept { return thread_; }

  /// Requests with an id, and their answers in the caller's encoding.
  RequestLog<std::string>& requests() noexcept { return requests_; }

 private:
  void requireOpen() const;
  void requireTunable() const;
  bool ticking() const noexcept;
  void awaitNextTick();

  const SessionSpec spec_;
  const rt::AssemblyResult initial_;
  const std::unique_ptr<const rt::Plan> plan_;
  rt::TickLoop loop_;
  rt::ModelVersions versions_;
  SessionFeed feed_;
  ModelSwap models_;
  Lifecycle lifecycle_;
  InputAuthority inputs_;
  Rendezvous rendezvous_;
  TickThread thread_;
  CallerStep step_;
  RequestLog<std::string> requests_;

  std::mutex control_;  ///< one control call at a time
};

}  // namespace tactus::server
