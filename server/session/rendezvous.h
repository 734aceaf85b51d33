// Rendezvous: ticks in the threads of the controllers: lockstep, where a tick waits for the input of each participant,
// and external, where one device is the clock.
#pragma once

#include "rt/loop/tick_loop.h"
#include "server/session/input_authority.h"
#include "server/session/lifecycle.h"
#include "server/session/session_setup.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <optional>

namespace tactus::server {

/// Thread-safe, but each lease is used by one thread. Works under the lock of Lifecycle.
class Rendezvous {
 public:
  Rendezvous(const SessionSpec& spec, rt::TickLoop& loop, Lifecycle& lifecycle, InputAuthority& inputs)
      : spec_(spec), loop_(loop), lifecycle_(lifecycle), inputs_(inputs) {}

  /// One tick with the input of a lease. Runs in this thread or, in lockstep with several participants, in the thread
  /// of the last one to arrive.
  /// @param[out] result  what the tick has published
  /// @param for_tick     the only tick that may be made; 0 for any
  /// @returns the index of that publication in the ring; 0, without a tick, if the session cannot tick now
  std::uint64_t tick(InputLease& lease, rt::Snapshot& result, std::int64_t for_tick = 0) {
    return advance(lease, true, for_tick, result);
  }

  /// One tick without a new input: the holder of the lease has missed it.
  std::uint64_t tickHeld(InputLease& lease, rt::Snapshot& result) { return advance(lease, false, 0, result); }

  /// tick() in two parts, for threads that must not wait. Brings the input. Without a value the inputs of other
  /// participants are missing; then awaitOthers() must follow.
  std::optional<std::uint64_t> arrive(InputLease& lease, rt::Snapshot& result, std::int64_t for_tick = 0);
  std::uint64_t awaitOthers(InputLease& lease, rt::Snapshot& result);

  /// Number of the last tick. A holder that ticks makes the next one itself.
  std::int64_t lastTick() const;

  /// Lockstep: ticks that stopped waiting for a late participant.
  std::uint64_t late() const noexcept { return late_.load(std::memory_order_relaxed); }

  /// Lets the waiting participants check again what they wait for.
  void wake() noexcept { arrival_.notify_all(); }

  /// All inputs that wait for a tick are void, after a reset, a restore or a pause: their participants wait no longer
  /// and get no tick.
  void dismiss(const Lifecycle::Hold& hold);

  /// The same where participants wait, before ticks that are not theirs.
  void dismissWaiting(const Lifecycle::Hold& hold) {
    if (arrived_ != 0) dismiss(hold);
  }

 private:
  using Hold = Lifecycle::Hold;

  std::uint64_t advance(InputLease& lease, bool with_input, std::int64_t for_tick, rt::Snapshot& result);
  std::optional<std::uint64_t> begin(const Hold& hold, InputLease& lease, bool with_input, std::int64_t for_tick,
                                     rt::Snapshot& result);
  rt::GroupMask missingGroups() const;
  void makeRound(const Hold& hold);
  bool continueWithoutLate(const Hold& hold);
  std::uint64_t meet(Hold& hold, const InputLease& lease, rt::Snapshot& result);
  std::uint64_t publishedFor(const InputLease& lease, rt::Snapshot& result) const;
  void arriveFor(InputLease& lease);
  void depart(const InputLease& lease);

  const SessionSpec& spec_;
  rt::TickLoop& loop_;
  Lifecycle& lifecycle_;
  InputAuthority& inputs_;

  // Under the lock of Lifecycle.
  std::condition_variable arrival_;
  rt::GroupMask arrived_ = 0;                               ///< groups that have an input for the next tick
  std::array<std::uint64_t, rt::kMaxGroups> arrived_by_{};  ///< number of the lease that has brought it
  std::uint64_t rounds_ = 0;                                ///< ticks that participants have made
  /// The last round that a group had an input in, the lease that brought it, and what its tick has published: a
  /// participant wakes up later, when there may be newer publications.
  struct Published {
    std::uint64_t round = 0, lease = 0, publication = 0;
  };
  std::array<Published, rt::kMaxGroups> published_{};
  std::uint64_t dismissals_ = 0;  ///< see dismiss()
  std::atomic<std::uint64_t> late_{0};
};

}  // namespace tactus::server
