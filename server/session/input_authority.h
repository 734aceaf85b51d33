// InputAuthority: which controller may send the inputs of which groups of actuators.
#pragma once

#include "rt/loop/tick_loop.h"
#include "rt/state/actuator_input.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tactus::server {

class InputAuthority;

/// Who asks for inputs, and from whom a takeover may take them.
struct Claimant {
  std::string identity{};          ///< empty: the server knows no identities
  bool takes_from_anybody = true;  ///< false: only from holders of the same identity
};

/// What a controller asks for.
struct LeaseRequest {
  rt::GroupMask groups = rt::kAllGroups;
  std::optional<std::vector<int>> actuators{};  ///< that it drives, of its groups; the others keep their values
  std::string controller = "controller";        ///< name, for people
  std::optional<std::string> takeover_reason;   ///< takes the groups from their holders; none: only if they are free
  std::function<bool()> gone;                   ///< lockstep: whether the client has left
  /// How long the request waits for holders whose clients have left: their calls end a few ticks later.
  std::chrono::milliseconds patience{0};
  bool leave_safe_state = false;  ///< that the loss of a former controller led to
  Claimant claimant{};
};

/// The right to send the inputs of some groups of actuators; each group has one holder at a time. Used by one thread
/// at a time.
/// Must not outlive the session.
class InputLease {
 public:
  ~InputLease();
  InputLease(const InputLease&) = delete;
  InputLease& operator=(const InputLease&) = delete;

  /// The complete set of values in force. The holder overwrites those of its groups.
  rt::ActuatorInput& input();

  /// Hands input() to the next tick.
  void offer();

  /// Hands input() to tick number `tick`.
  rt::ScheduleResult offerAt(std::int64_t tick);

  /// What became of the inputs that were offered under this lease. Thread-safe.
  rt::InputFate fate() const noexcept;

  /// Another controller has taken the groups over: offered inputs have no effect, and this holder can no longer tick.
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }

  /// "controller": reason; empty unless the lease is lost.
  std::string takenBy() const;

  rt::GroupMask groups() const noexcept { return request_.groups; }

  /// Number of the lease in its session, from 1.
  std::uint64_t id() const noexcept { return id_; }

  /// Groups that leave, with the next tick, the safe state that the silence of their former controller led to.
  rt::GroupMask resumed() const noexcept { return resumed_; }

  /// The controller ends in order: the next one of its groups need not leave the safe state that the silence leads to.
  void leave() noexcept { leaves_in_order_ = true; }

 private:
  friend class InputAuthority;
  friend class Rendezvous;
  InputLease(InputAuthority& authority, LeaseRequest request, int writer, rt::ActuatorInput input,
             std::uint64_t resets);
  void followLossAction();
  void offered();

  InputAuthority& authority_;
  const LeaseRequest request_;
  const int writer_;            ///< of the loop
  const rt::InputFate before_;  ///< of the writer, under earlier leases
  std::uint64_t id_ = 0;
  rt::ActuatorInput input_;
  std::uint64_t resets_;
  std::atomic<bool> lost_{false};
  std::string taken_by_;  ///< under the lock of the authority
  rt::GroupMask resumed_ = 0;
  std::uint64_t resumes_after_ = 0;  ///< a publication: the next tick or the one after it resumes; 0: it has resumed
  bool leaves_in_order_ = false;
  bool has_offered_ = false;
  std::vector<int> once_;  ///< actuators that it drives with its first input alone: a former holder left unused values

  // Of Rendezvous, under the lock of Lifecycle.
  std::uint64_t round_ = 0;       ///< for which it has brought its input
  std::uint64_t dismissals_ = 0;  ///< of Rendezvous when it brought its input
  std::chrono::steady_clock::time_point arrived_at_;
};

/// Inputs that were rejected or lost before they reached a tick; counted by the streams.
struct InputCounts {
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> lost{0};       ///< numbers that a client's sequence left out
  std::atomic<std::uint64_t> duplicate{0};  ///< numbers that did not rise; counted as refused, too
  std::atomic<std::uint64_t> late{0};       ///< for a tick that was over; counted as refused, too

  void reset() noexcept {
    for (auto* counter : {&refused, &lost, &duplicate, &late}) *counter = 0;
  }
};

/// Thread-safe. Its lock is taken after that of Lifecycle.
class InputAuthority {
 public:
  /// @param changed  called without the lock after a holder has come, gone or lost its groups
  InputAuthority(const SessionSpec& spec, rt::TickLoop& loop, SessionFeed& feed, std::function<void()> changed);

  /// @throws RequestError kLeaseHeld while another controller holds one of the groups, kNotOwner for a takeover that
  /// the
  ///         claimant may not make, kLimitExceeded while too many streams that lost their lease are open
  std::unique_ptr<InputLease> lease(LeaseRequest request = {});

  /// The groups of some actuators. With an external clock all groups, because one device is the clock.
  rt::GroupMask groupsOf(const std::vector<int>& actuators) const noexcept;

  /// "front and rear"
  std::string groupNames(rt::GroupMask groups) const;

  /// The holder of each group; empty for none.
  std::vector<std::string> controllers() const;

  /// All groups that have a holder.
  rt::GroupMask heldGroups() const;

  /// From now on the actuators that a holder does not drive have these values.
  void rebase(std::span<const double> values);

  /// The same after a restore: how controllers ended before it no longer counts.
  void restore(std::span<const double> values);

  /// As before the first input.
  void reset();

  InputCounts& counts() noexcept { return counts_; }
  const InputCounts& counts() const noexcept { return counts_; }

 private:
  friend class InputLease;
  bool isHeldByLeaver(rt::GroupMask groups) const;
  void awaitLeavers(const LeaseRequest& request) const;
  std::string takeFrom(const std::vector<InputLease*>& former, const LeaseRequest& request);
  void inheritUnused(InputLease& lease) const;
  void adoptValues(rt::GroupMask groups);

  const SessionSpec& spec_;
  rt::TickLoop& loop_;
  SessionFeed& feed_;
  const std::function<void()> changed_;
  InputCounts counts_;

  mutable std::mutex mutex_;
  std::vector<InputLease*> holders_;  ///< that have not lost their lease
  std::vector<bool> writers_in_use_;  ///< of the loop; those of lost leases, too
  std::uint64_t leases_ = 0;          ///< number of the newest lease
  /// The last input that the former holder of a group has offered, and the actuators that it drove.
  struct Left {
    std::uint64_t holder = 0, sequence = 0;
    std::vector<std::uint8_t> driven;
  };
  std::array<Left, rt::kMaxGroups> left_{};
  rt::GroupMask left_in_order_ = 0;  ///< groups that were driven until their last holder ended in order
  rt::ActuatorInput held_input_;     ///< values that former holders left
  std::atomic<std::uint64_t> resets_{0};
};

}  // namespace tactus::server
