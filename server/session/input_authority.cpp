#include "server/session/input_authority.h"

#include "rt/model/model.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace tactus::server {

InputAuthority::InputAuthority(const SessionSpec& spec, rt::TickLoop& loop, SessionFeed& feed,
                               std::function<void()> changed)
    : spec_(spec),
      loop_(loop),
      feed_(feed),
      changed_(std::move(changed)),
      writers_in_use_(static_cast<std::size_t>(loop.inputs().count())),
      held_input_(*spec.model) {}

std::unique_ptr<InputLease> InputAuthority::lease(LeaseRequest request) {
  if (spec_.clock.external()) request.groups = rt::kAllGroups;
  std::string taken;
  std::vector<std::uint64_t> lost;
  std::unique_ptr<InputLease> lease;
  awaitLeavers(request);
  {
    std::lock_guard lock(mutex_);
    std::vector<InputLease*> former;
    for (InputLease* holder : holders_)
      if (holder->groups() & request.groups) former.push_back(holder);
    if (!former.empty() && !request.takeover_reason)
      throw RequestError(
          Reason::kLeaseHeld, "inputs",
          "\"" + former.front()->request_.controller + "\" already drives " +
              groupNames(former.front()->groups() & request.groups) + " of session \"" + spec_.name + "\"",
          spec_.clock.lockstep() ? "close that stream, or take over with a reason; Observe reads a session in lockstep "
                                   "without driving it"
                                 : "close that stream or link, open this one without these inputs, or take over with a "
                                   "reason");
    for (const InputLease* holder : former)
      if (!request.claimant.takes_from_anybody && holder->request_.claimant.identity != request.claimant.identity)
        throw RequestError(Reason::kNotOwner, "takeover",
                           "\"" + holder->request_.controller + "\" belongs to another identity than this stream",
                           "only the owner of the session, the same identity or the role admin may take inputs over");
    const auto free = std::find(writers_in_use_.begin(), writers_in_use_.end(), false);
    if (free == writers_in_use_.end())
      throw RequestError(Reason::kLimitExceeded, "inputs", "too many streams that lost their lease are still open",
                         "close them and retry");

    for (const InputLease* holder : former) lost.push_back(holder->id());
    const std::uint64_t publication = feed_.ring().newestIndex();
    taken = takeFrom(former, request);
    adoptValues(request.groups);
    *free = true;
    const int writer = static_cast<int>(free - writers_in_use_.begin());
    loop_.inputs().allow(writer, request.groups);
    // Before the first input of the new holder: what the silence of the former one led to ends with the next tick.
    const rt::GroupMask resumed = request.leave_safe_state ? request.groups : request.groups & left_in_order_;
    left_in_order_ &= ~request.groups;
    if (resumed != 0) loop_.requestResume(resumed);
    lease.reset(new InputLease(*this, std::move(request), writer, held_input_, resets_));
    lease->input_.holder = lease->id_ = ++leases_;
    if (const auto& actuators = lease->request_.actuators) {
      std::fill(lease->input_.driven.begin(), lease->input_.driven.end(), std::uint8_t{0});
      for (const int i : *actuators) lease->input_.driven[static_cast<std::size_t>(i)] = 1;
      inheritUnused(*lease);
    }
    lease->resumed_ = resumed;
    if (resumed != 0) lease->resumes_after_ = publication;
    holders_.push_back(lease.get());
  }
  if (!taken.empty())
    feed_.events().post(
        {SessionEvent::Kind::kTakeover, feed_.newest().header.tick,
         "\"" + lease->request_.controller + "\" took over " + taken + ": " + *lease->request_.takeover_reason,
         feed_.ring().newestIndex(), std::move(lost)});
  changed_();
  return lease;
}

// Whether a client that has left still holds one of the groups.
bool InputAuthority::isHeldByLeaver(rt::GroupMask groups) const {
  std::lock_guard lock(mutex_);
  return std::any_of(holders_.begin(), holders_.end(), [&](const InputLease* holder) {
    return (holder->groups() & groups) && holder->request_.gone && holder->request_.gone();
  });
}

// Waits until such clients have released their groups, or until the patience of the request ends.
void InputAuthority::awaitLeavers(const LeaseRequest& request) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kInterval{1};
  const Clock::time_point end = Clock::now() + request.patience;
  while (Clock::now() < end && isHeldByLeaver(request.groups) && !(request.gone && request.gone()))
    std::this_thread::sleep_for(kInterval);
}

// Ends the leases of former holders: their pending inputs have no effect. Returns what was taken from whom.
std::string InputAuthority::takeFrom(const std::vector<InputLease*>& former, const LeaseRequest& request) {
  std::string taken;
  for (InputLease* holder : former) {
    loop_.inputs().allow(holder->writer_, 0);
    holder->taken_by_ = "\"" + request.controller + "\": " + *request.takeover_reason;
    holder->lost_.store(true, std::memory_order_release);
    taken +=
        (taken.empty() ? "" : ", ") + groupNames(holder->groups()) + " from \"" + holder->request_.controller + '"';
    std::erase(holders_, holder);
  }
  if (!former.empty()) held_input_.values = feed_.newest().inputs;
  return taken;
}

// What a former holder left for actuators that the new one does not drive, and no tick has used, comes with the first
// input of the new holder. In lockstep such an input is void.
void InputAuthority::inheritUnused(InputLease& lease) const {
  if (spec_.clock.lockstep()) return;
  const rt::Snapshot newest = feed_.newest();
  const auto& actuators = spec_.model->actuators;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const auto group = static_cast<std::size_t>(actuators[i].group);
    const rt::TakenInput& taken = newest.header.taken_inputs[group];
    const Left& left = left_[group];
    if (!(lease.groups() >> group & 1) || lease.input_.drives(i) || left.holder == 0 || !left.driven[i]) continue;
    if (taken.holder == left.holder && taken.sequence == left.sequence) continue;
    lease.input_.driven[i] = 1;
    lease.once_.push_back(static_cast<int>(i));
  }
}

// A loss action or the safe state has changed what former holders left. In lockstep an input that no tick has used is
// void.
void InputAuthority::adoptValues(rt::GroupMask groups) {
  const rt::Snapshot newest = feed_.newest();
  const auto& actuators = spec_.model->actuators;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const int group = actuators[i].group;
    const rt::InputLoss& loss = newest.header.input_loss[static_cast<std::size_t>(group)];
    if (groups >> group & 1 && (spec_.clock.lockstep() || loss.lost || loss.commanded || loss.latched))
      held_input_.values[i] = newest.inputs[i];
  }
}

rt::GroupMask InputAuthority::groupsOf(const std::vector<int>& actuators) const noexcept {
  rt::GroupMask groups = actuators.empty() ? 1 : 0;
  for (const int i : actuators) groups |= rt::GroupMask{1} << spec_.model->actuators[static_cast<std::size_t>(i)].group;
  return spec_.clock.external() ? rt::kAllGroups : groups;
}

std::string InputAuthority::groupNames(rt::GroupMask groups) const {
  std::string names;
  for (int g = 0; g < spec_.model->groupCount(); ++g)
    if (groups >> g & 1) names += (names.empty() ? "" : " and ") + spec_.model->groups[static_cast<std::size_t>(g)];
  return names;
}

std::vector<std::string> InputAuthority::controllers() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names(spec_.model->groups.size());
  for (const InputLease* holder : holders_)
    for (std::size_t g = 0; g < names.size(); ++g)
      if (holder->groups() >> g & 1) names[g] = holder->request_.controller;
  return names;
}

rt::GroupMask InputAuthority::heldGroups() const {
  std::lock_guard lock(mutex_);
  rt::GroupMask groups = 0;
  for (const InputLease* holder : holders_) groups |= holder->groups();
  return groups;
}

void InputAuthority::rebase(std::span<const double> values) {
  std::lock_guard lock(mutex_);
  left_.fill({});
  held_input_.values.assign(values.begin(), values.end());
  resets_.fetch_add(1);
}

void InputAuthority::restore(std::span<const double> values) {
  rebase(values);
  std::lock_guard lock(mutex_);
  left_in_order_ = 0;
}

void InputAuthority::reset() {
  std::lock_guard lock(mutex_);
  held_input_ = rt::ActuatorInput(*spec_.model);
  left_in_order_ = 0;
  left_.fill({});
  resets_.fetch_add(1);
}

InputLease::InputLease(InputAuthority& authority, LeaseRequest request, int writer, rt::ActuatorInput input,
                       std::uint64_t resets)
    : authority_(authority),
      request_(std::move(request)),
      writer_(writer),
      before_(authority.loop_.inputs().fate(writer)),
      input_(std::move(input)),
      resets_(resets) {}

InputLease::~InputLease() {
  {
    std::lock_guard lock(authority_.mutex_);
    authority_.writers_in_use_[static_cast<std::size_t>(writer_)] = false;
    std::erase(authority_.holders_, this);
    const auto& actuators = authority_.spec_.model->actuators;
    for (std::size_t i = 0; !lost() && resets_ == authority_.resets_ && i < actuators.size(); ++i)
      if (groups() >> actuators[i].group & 1 && input_.drives(i)) authority_.held_input_.values[i] = input_.values[i];
    authority_.held_input_.sequence = input_.sequence;
    for (std::size_t g = 0; has_offered_ && !lost() && resets_ == authority_.resets_ && g < authority_.left_.size();
         ++g)
      if (groups() >> g & 1) authority_.left_[g] = {id_, input_.sequence, input_.driven};
    // A safe state that came before the end stays what it is.
    if (leaves_in_order_ && !lost()) authority_.left_in_order_ |= groups() & ~authority_.loop_.latchedGroups();
  }
  authority_.changed_();
}

rt::ActuatorInput& InputLease::input() {
  // After a reset, a restore or a safe state the actuators that this holder does not drive have other values.
  if (authority_.resets_ != resets_) {
    std::lock_guard lock(authority_.mutex_);
    resets_ = authority_.resets_;
    input_.values = authority_.held_input_.values;
  }
  if (resumes_after_ != 0) followLossAction();
  return input_;
}

// The loss action that this holder ends changes values until the tick that resumes. A tick that was under way at the
// lease may not have seen the request; the one after it has.
void InputLease::followLossAction() {
  const std::uint64_t publication = authority_.feed_.ring().newestIndex();
  if (publication == resumes_after_) return;
  const rt::Snapshot newest = authority_.feed_.newest();
  const auto& actuators = authority_.spec_.model->actuators;
  for (std::size_t i = 0; i < actuators.size(); ++i)
    if (resumed_ >> actuators[i].group & 1) input_.values[i] = newest.inputs[i];
  if (publication >= resumes_after_ + 2) resumes_after_ = 0;
}

rt::InputFate InputLease::fate() const noexcept {
  const rt::InputFate all = authority_.loop_.inputs().fate(writer_);
  return {all.used - before_.used, all.left_aside - before_.left_aside};
}

std::string InputLease::takenBy() const {
  std::lock_guard lock(authority_.mutex_);
  return taken_by_;
}

void InputLease::offer() {
  authority_.loop_.inputs().offer(input_, writer_, groups());
  offered();
}

void InputLease::offered() {
  has_offered_ = true;
  for (const int i : once_) input_.driven[static_cast<std::size_t>(i)] = 0;
  once_.clear();
}

rt::ScheduleResult InputLease::offerAt(std::int64_t tick) {
  const rt::ScheduleResult result = authority_.loop_.inputs().offerAt(tick, input_, writer_, groups());
  if (result == rt::ScheduleResult::kKept) offered();
  return result;
}

}  // namespace tactus::server
