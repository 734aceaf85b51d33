// Leases on the inputs of a session, by groups of actuators, and the ticks that their holders make.
#include "server/session/session.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tactus::server {

namespace {

// A participant that waits for others looks so often whether it need.
constexpr std::chrono::milliseconds kLook{20};

}  // namespace

std::unique_ptr<Session::InputLease> Session::leaseInputs(LeaseRequest request) {
  if (external()) request.groups = rt::kAllGroups;
  std::string taken;
  std::unique_ptr<InputLease> lease;
  {
    std::lock_guard lock(lease_);
    std::vector<InputLease*> former;
    for (InputLease* holder : holders_)
      if (holder->request_.groups & request.groups) former.push_back(holder);
    if (!former.empty() && !request.takeover_reason)
      throw RequestError(Reason::kLeaseHeld, "inputs",
                         "\"" + former.front()->request_.controller + "\" drives " +
                             groupNames(former.front()->request_.groups & request.groups) + " of session \"" +
                             spec_.name + "\" already",
                         "close that stream, open this one without these inputs, or take over with a reason");
    const auto free = std::find(writers_in_use_.begin(), writers_in_use_.end(), false);
    if (free == writers_in_use_.end())
      throw RequestError(Reason::kLimitExceeded, "inputs", "those who lost their lease have not left yet",
                         "close their streams");

    // What former holders offer from now on, or have offered just before, comes to nothing.
    for (InputLease* holder : former) {
      loop_.inputs().allow(holder->writer_, 0);
      holder->taken_by_ = "\"" + request.controller + "\": " + *request.takeover_reason;
      holder->lost_.store(true, std::memory_order_release);
      taken += (taken.empty() ? "" : ", ") + groupNames(holder->request_.groups) + " from \"" +
               holder->request_.controller + '"';
      std::erase(holders_, holder);
    }
    if (!former.empty()) held_input_.values = newest().inputs;

    *free = true;
    const int writer = static_cast<int>(free - writers_in_use_.begin());
    loop_.inputs().allow(writer, request.groups);
    lease.reset(new InputLease(*this, std::move(request), writer, held_input_, resets_));
    holders_.push_back(lease.get());
  }
  if (!taken.empty()) {
    const rt::SnapshotHeader now = newest().header;
    events_.post({SessionEvent::Kind::kTakeover, now.tick,
                  "\"" + lease->request_.controller + "\" took over " + taken + ": " + *lease->request_.takeover_reason,
                  ring().newestIndex()});
  }
  met_.notify_all();
  return lease;
}

Session::InputLease::~InputLease() {
  {
    std::lock_guard lock(session_.lease_);
    session_.writers_in_use_[static_cast<std::size_t>(writer_)] = false;
    std::erase(session_.holders_, this);
    const auto& actuators = session_.model().actuators;
    for (std::size_t i = 0; !lost() && resets_ == session_.resets_ && i < actuators.size(); ++i)
      if (request_.groups >> actuators[i].group & 1) session_.held_input_.values[i] = input_.values[i];
    session_.held_input_.sequence = input_.sequence;
  }
  session_.met_.notify_all();
}

rt::GroupMask Session::groupsOf(const std::vector<int>& actuators) const noexcept {
  rt::GroupMask groups = actuators.empty() ? 1 : 0;
  for (const int i : actuators) groups |= rt::GroupMask{1} << model().actuators[static_cast<std::size_t>(i)].group;
  return external() ? rt::kAllGroups : groups;
}

std::string Session::groupNames(rt::GroupMask groups) const {
  std::string names;
  for (int g = 0; g < model().groupCount(); ++g)
    if (groups >> g & 1) names += (names.empty() ? "" : " and ") + model().groups[static_cast<std::size_t>(g)];
  return names;
}

std::vector<std::string> Session::controllers() const {
  std::lock_guard lock(lease_);
  std::vector<std::string> names(model().groups.size());
  for (const InputLease* holder : holders_)
    for (std::size_t g = 0; g < names.size(); ++g)
      if (holder->request_.groups >> g & 1) names[g] = holder->request_.controller;
  return names;
}

rt::ActuatorInput& Session::InputLease::input() {
  // After a reset, a restore or a safe state the actuators that this holder does not drive have other values.
  if (session_.resets_ != resets_) {
    std::lock_guard lock(session_.lease_);
    resets_ = session_.resets_;
    input_.values = session_.held_input_.values;
  }
  return input_;
}

std::string Session::InputLease::takenBy() const {
  std::lock_guard lock(session_.lease_);
  return taken_by_;
}

void Session::InputLease::offer() {
  session_.loop_.inputs().offer(input_, writer_, request_.groups);
}

rt::ScheduleResult Session::InputLease::offerAt(std::int64_t tick) {
  return session_.loop_.inputs().offerAt(tick, input_, writer_, request_.groups);
}

std::uint64_t Session::InputLease::tick(rt::Snapshot& result, std::int64_t for_tick) {
  return advance(true, for_tick, result);
}

std::uint64_t Session::InputLease::tickHeld(rt::Snapshot& result) {
  return advance(false, 0, result);
}

std::int64_t Session::InputLease::tickNow() const {
  std::lock_guard drive(session_.drive_);
  return session_.loop_.state().tick;
}

std::optional<std::uint64_t> Session::InputLease::arrive(rt::Snapshot& result, std::int64_t for_tick) {
  std::lock_guard drive(session_.drive_);
  return begin(true, for_tick, result);
}

std::uint64_t Session::InputLease::awaitOthers(rt::Snapshot& result) {
  std::unique_lock drive(session_.drive_);
  return session_.meet(drive, *this) ? session_.ring().newest(result) : 0;
}

std::uint64_t Session::InputLease::advance(bool with_input, std::int64_t for_tick, rt::Snapshot& result) {
  std::unique_lock drive(session_.drive_);
  if (const auto publication = begin(with_input, for_tick, result)) return *publication;
  return session_.meet(drive, *this) ? session_.ring().newest(result) : 0;
}

// Up to where others are missing: then it has no value. The caller holds drive_.
std::optional<std::uint64_t> Session::InputLease::begin(bool with_input, std::int64_t for_tick, rt::Snapshot& result) {
  if (session_.closed_ || lost()) return 0;
  if (for_tick != 0 && for_tick != session_.loop_.state().tick + 1) return 0;
  session_.leaveReady();
  if (session_.state() != SessionState::kRunning) return 0;
  if (with_input) offer();
  if (session_.lockstep()) {
    round_ = session_.rounds_;
    session_.arrived_ |= request_.groups;
    if (!session_.allArrived()) {
      arrived_at_ = std::chrono::steady_clock::now();
      return {};
    }
    session_.makeRound();
  } else {
    session_.loop_.tick();
    session_.settle();
  }
  return session_.ring().newest(result);
}

// Groups whose input a tick waits for. The caller holds drive_.
rt::GroupMask Session::expectedGroups() const {
  std::lock_guard lock(lease_);
  rt::GroupMask groups = spec_.participants;
  for (const InputLease* holder : holders_) groups |= holder->request_.groups;
  return groups;
}

// Whether no input is missing for the next tick. The caller holds drive_.
bool Session::allArrived() const {
  return (expectedGroups() & ~arrived_) == 0;
}

// The tick of all participants. The caller holds drive_.
void Session::makeRound() {
  loop_.tick();
  settle();
  arrived_ = 0;
  ++rounds_;
  met_.notify_all();
}

// Somebody is late: what the session's rule says. The caller holds drive_. Returns whether there is a tick.
bool Session::goesOnWithout() {
  ++participants_late_;
  if (spec_.participant_rule == ParticipantRule::kSafe) loop_.requestSafeState();
  if (spec_.participant_rule != ParticipantRule::kPause) return true;
  const std::string late = groupNames(expectedGroups() & ~arrived_);
  arrived_ = 0;
  setState(SessionState::kPaused, SessionEvent::Kind::kPaused, "the inputs of " + late + " did not come in time");
  met_.notify_all();
  return false;
}

// Waits for the others of the round that the lease has arrived for. The one who comes last, or whose patience ends
// first, makes the tick for all. Returns false if there is none.
bool Session::meet(std::unique_lock<std::mutex>& drive, const InputLease& lease) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    if (rounds_ != lease.round_) return true;
    if (closed_ || lease.lost() || state() != SessionState::kRunning) break;
    const bool complete = allArrived();
    // Whether the client has left costs system calls: it is asked only where the tick has to wait.
    if (!complete && lease.request_.gone && lease.request_.gone()) break;
    const std::chrono::nanoseconds timeout(spec_.participant_timeout_ns);
    const bool late = !complete && timeout.count() > 0 && Clock::now() - lease.arrived_at_ >= timeout;
    if (complete || late) {
      if (late && !goesOnWithout()) return false;
      makeRound();
      return true;
    }
    const auto left = timeout - (Clock::now() - lease.arrived_at_);
    met_.wait_for(
        drive, timeout.count() > 0 ? std::min<std::chrono::nanoseconds>(kLook, left) : std::chrono::nanoseconds(kLook));
  }
  arrived_ &= ~lease.request_.groups;
  return false;
}

}  // namespace tactus::server
