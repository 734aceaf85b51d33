// Lifecycle: the state machine of a session, and the lock under which its ticks and its states change.
#pragma once

#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_loop.h"
#include "server/session/energy_growth_watch.h"
#include "server/session/safe_state_watch.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace tactus::server {

enum class SessionState : std::uint8_t {
  kReady,  ///< at tick 0, not yet started
  kRunning,
  kPaused,
  kFaulted,   ///< a step failed; the last good State is kept until a reset
  kFinished,  ///< reached its stop tick; a reset begins again
  kStopped,   ///< the overrun rule ended the run; another start continues it
};
inline constexpr rt::Word<SessionState> kSessionStates[] = {
    {SessionState::kReady, "ready"},     {SessionState::kRunning, "running"},   {SessionState::kPaused, "paused"},
    {SessionState::kFaulted, "faulted"}, {SessionState::kFinished, "finished"}, {SessionState::kStopped, "stopped"}};
constexpr const char* toString(SessionState state) noexcept {
  return rt::wordOf(kSessionStates, state);
}

/// The lock is held by a thread that ticks on behalf of a caller, that resets the loop, or that looks at its State.
/// The tick thread of a session ticks without it. Members that need the lock take it as an argument.
class Lifecycle {
 public:
  using Hold = std::unique_lock<std::mutex>;

  /// All three must outlive this object.
  Lifecycle(const SessionSpec& spec, const rt::TickLoop& loop, SessionFeed& feed)
      : spec_(spec), loop_(loop), feed_(feed), safe_(spec, loop, feed), energy_(spec, loop, feed) {}

  Hold hold() const { return Hold(mutex_); }

  // ---- any thread ----

  SessionState state() const noexcept { return state_.load(std::memory_order_acquire); }
  bool running() const noexcept { return state() == SessionState::kRunning; }
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }

  /// Tells the streams and the log if groups have entered or left the safe state, or if the energy begins to grow.
  void look() {
    safe_.look();
    energy_.look();
  }

  SafeStateWatch& safeState() noexcept { return safe_; }
  const SafeStateWatch& safeState() const noexcept { return safe_; }

  // ---- with the lock ----

  /// Why the session is kFaulted or kStopped; else empty.
  const std::string& fault(const Hold&) const noexcept { return fault_; }

  /// A transition that the streams are told of. A fault is forgotten in every state but kFaulted and kStopped.
  void change(const Hold&, SessionState state, SessionEvent::Kind kind, const std::string& message = {});

  /// A transition whose event was posted before: of a reset or a restore.
  void begin(const Hold&, SessionState state);

  /// The first tick that a caller's thread drives. A session that ticks in such threads runs from then on, another one
  /// counts as paused. No event: the ticks themselves are published.
  void enterFirstTick(const Hold&);

  /// After ticks: looks at the safe state and the energy, and takes over what the loop has ended with: a fault or the
  /// stop tick.
  void settle(const Hold& hold);

  /// The overrun rule of the clock has ended the run.
  void stopAfterOverrun(const Hold& hold, const rt::TickClock& clock);

  /// The session is deleted: its streams end.
  void close(const Hold& hold);

 private:
  const SessionSpec& spec_;
  const rt::TickLoop& loop_;
  SessionFeed& feed_;
  SafeStateWatch safe_;
  EnergyGrowthWatch energy_;
  mutable std::mutex mutex_;
  std::atomic<SessionState> state_{SessionState::kReady};
  std::atomic<bool> closed_{false};
  std::string fault_;
};

}  // namespace tactus::server
