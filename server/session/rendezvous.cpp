#include "server/session/rendezvous.h"

#include <algorithm>
#include <chrono>

namespace tactus::server {

namespace {

// A waiting participant checks at this interval whether its client has left.
constexpr std::chrono::milliseconds kExpiryCheckInterval{20};

}  // namespace

std::int64_t Rendezvous::lastTick() const {
  const Hold hold = lifecycle_.hold();
  return loop_.state().tick;
}

std::optional<std::uint64_t> Rendezvous::arrive(InputLease& lease, rt::Snapshot& result, std::int64_t for_tick) {
  const Hold hold = lifecycle_.hold();
  return begin(hold, lease, true, for_tick, result);
}

std::uint64_t Rendezvous::awaitOthers(InputLease& lease, rt::Snapshot& result) {
  Hold hold = lifecycle_.hold();
  return meet(hold, lease, result);
}

std::uint64_t Rendezvous::advance(InputLease& lease, bool with_input, std::int64_t for_tick, rt::Snapshot& result) {
  Hold hold = lifecycle_.hold();
  if (const auto publication = begin(hold, lease, with_input, for_tick, result)) return *publication;
  return meet(hold, lease, result);
}

// Up to the point where inputs of others are missing; then it has no value.
std::optional<std::uint64_t> Rendezvous::begin(const Hold& hold, InputLease& lease, bool with_input,
                                               std::int64_t for_tick, rt::Snapshot& result) {
  if (lifecycle_.closed() || lease.lost()) return 0;
  if (for_tick != 0 && for_tick != loop_.state().tick + 1) return 0;
  lifecycle_.enterFirstTick(hold);
  if (!lifecycle_.running()) return 0;
  if (with_input) lease.offer();
  if (spec_.clock.lockstep()) {
    arriveFor(lease);
    if (missingGroups() != 0) {
      lease.arrived_at_ = std::chrono::steady_clock::now();
      return {};
    }
    makeRound(hold);
  } else {
    loop_.tick();
    lifecycle_.settle(hold);
  }
  return loop_.ring().newest(result);
}

void Rendezvous::arriveFor(InputLease& lease) {
  lease.round_ = rounds_;
  lease.dismissals_ = dismissals_;
  arrived_ |= lease.groups();
  for (std::size_t group = 0; group < arrived_by_.size(); ++group)
    if (lease.groups() >> group & 1) arrived_by_[group] = lease.id();
}

// The input of a participant that gets no tick is void. A controller that has taken groups over may have brought its
// own input for them: that one stays.
void Rendezvous::depart(const InputLease& lease) {
  loop_.inputs().discard(lease.writer_);
  for (std::size_t group = 0; group < arrived_by_.size(); ++group)
    if (arrived_by_[group] == lease.id()) arrived_ &= ~(rt::GroupMask{1} << group);
}

void Rendezvous::dismiss(const Hold&) {
  loop_.inputs().clear();
  arrived_ = 0;
  ++dismissals_;
  arrival_.notify_all();
}

// Groups whose input the next tick waits for.
rt::GroupMask Rendezvous::missingGroups() const {
  return (spec_.participants | inputs_.heldGroups()) & ~arrived_;
}

// The tick of all participants.
void Rendezvous::makeRound(const Hold& hold) {
  loop_.tick();
  lifecycle_.settle(hold);
  const std::uint64_t publication = loop_.ring().newestIndex();
  for (std::size_t group = 0; group < published_.size(); ++group)
    if (arrived_ >> group & 1) published_[group] = {rounds_, arrived_by_[group], publication};
  arrived_ = 0;
  ++rounds_;
  arrival_.notify_all();
}

// A participant is late: applies the rule of the session. Returns whether there is a tick.
bool Rendezvous::continueWithoutLate(const Hold& hold) {
  ++late_;
  if (spec_.participant_rule == ParticipantRule::kSafe) loop_.requestSafeState();
  if (spec_.participant_rule != ParticipantRule::kPause) return true;
  const std::string late = inputs_.groupNames(missingGroups());
  lifecycle_.change(hold, SessionState::kPaused, SessionEvent::Kind::kPaused,
                    "the inputs of " + late + " did not come in time");
  dismiss(hold);
  return false;
}

// What the round of a participant has published. 0 if another one has taken its groups over before it.
std::uint64_t Rendezvous::publishedFor(const InputLease& lease, rt::Snapshot& result) const {
  for (std::size_t group = 0; group < published_.size(); ++group) {
    if (!(lease.groups() >> group & 1)) continue;
    const auto [round, by, publication] = published_[group];
    if (round != lease.round_ || by != lease.id()) return 0;
    const bool is_there = loop_.ring().read(publication, result).result == rt::ReadResult::kOk;
    return is_there ? publication : loop_.ring().newest(result);
  }
  return loop_.ring().newest(result);
}

// Waits for the other participants of the round that the lease has arrived for. The last one to arrive, or the first
// one whose timeout expires, makes the tick for all. Returns its publication, 0 if there is no tick.
std::uint64_t Rendezvous::meet(Hold& hold, const InputLease& lease, rt::Snapshot& result) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    // Its tick first: ticks of others may have come behind it.
    if (rounds_ != lease.round_) return publishedFor(lease, result);
    if (dismissals_ != lease.dismissals_) return 0;
    if (lifecycle_.closed() || lease.lost() || !lifecycle_.running()) break;
    const bool complete = missingGroups() == 0;
    // Asking whether the client has left costs system calls: only where the tick has to wait.
    if (!complete && lease.request_.gone && lease.request_.gone()) break;
    const std::chrono::nanoseconds timeout(spec_.participant_timeout_ns);
    const bool late = !complete && timeout.count() > 0 && Clock::now() - lease.arrived_at_ >= timeout;
    if (complete || late) {
      if (late && !continueWithoutLate(hold)) return 0;
      makeRound(hold);
      return publishedFor(lease, result);
    }
    const std::chrono::nanoseconds check(kExpiryCheckInterval), left = timeout - (Clock::now() - lease.arrived_at_);
    arrival_.wait_for(hold, timeout.count() > 0 ? std::min(check, left) : check);
  }
  depart(lease);
  return 0;
}

}  // namespace tactus::server
