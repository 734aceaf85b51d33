#include "rt/loop/input_writers.h"

#include "rt/model/model.h"

#include <cstddef>

namespace tactus::rt {

InputWriters::InputWriters(const Model& model, const TimeSource& time) : values_(model.actuators.size()), time_(time) {
  Offer prototype;
  prototype.input = ActuatorInput(model);
  for (int i = 0; i < 2 * model.groupCount(); ++i) writers_.emplace_back(prototype);
  allow(0, kAllGroups);
}

bool InputWriters::offer(const ActuatorInput& input, int writer, GroupMask groups) noexcept {
  if (input.values.size() != values_ || (!input.driven.empty() && input.driven.size() != values_)) return false;
  Writer& own = stageInput(input, writer, groups);
  own.newest.offer(own.staged);
  return true;
}

ScheduleResult InputWriters::offerAt(std::int64_t tick, const ActuatorInput& input, int writer,
                                     GroupMask groups) noexcept {
  Writer& own = stageInput(input, writer, groups);
  return own.scheduled.offer(tick, own.staged);
}

InputWriters::Writer& InputWriters::stageInput(const ActuatorInput& input, int writer, GroupMask groups) noexcept {
  Writer& own = at(writer);
  own.staged.input = input;
  own.staged.groups = groups;
  own.staged.arrival_ns = time_.now();
  own.staged.lease_epoch = own.lease_epoch.load(std::memory_order_acquire);
  return own;
}

void InputWriters::allow(int writer, GroupMask groups) noexcept {
  for (Writer& other : writers_)
    if (&other != &at(writer)) other.groups.fetch_and(~groups, std::memory_order_acq_rel);
  discard(writer);
  at(writer).groups.store(groups, std::memory_order_release);
}

void InputWriters::discard(int writer) noexcept {
  at(writer).lease_epoch.fetch_add(1, std::memory_order_acq_rel);
  at(writer).scheduled.clear();
}

InputWriters::Taken InputWriters::take(int writer, std::int64_t tick) noexcept {
  Writer& own = at(writer);
  const auto [pending, replaced] = own.newest.take();

  // An input that was discarded, or whose groups others drive by now, is void.
  const std::uint32_t epoch = own.lease_epoch.load(std::memory_order_acquire);
  const GroupMask groups = own.groups.load(std::memory_order_acquire);
  const auto counts = [epoch, groups](const Offer& offer) {
    return offer.lease_epoch == epoch && (offer.groups & groups) != 0;
  };
  const Offer* const newest = pending && counts(*pending) ? pending : nullptr;

  // A scheduled input takes precedence over the newest one.
  const auto due = own.scheduled.take(tick, counts);
  Taken taken;
  taken.superseded = (newest ? replaced : 0) + due.superseded + (due.value && newest ? 1 : 0);
  taken.late = due.late;
  const Offer* const offer = due.value ? due.value : newest;
  if (!offer) return taken;
  taken.input = &offer->input;
  taken.groups = offer->groups & groups;
  taken.arrival_ns = offer->arrival_ns;
  return taken;
}

void InputWriters::countFate(int writer, bool is_used) noexcept {
  std::atomic<std::uint64_t>& counter = is_used ? at(writer).used : at(writer).left_aside;
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

InputFate InputWriters::fate(int writer) const noexcept {
  const Writer& own = writers_[static_cast<std::size_t>(writer)];
  return {own.used.load(std::memory_order_relaxed), own.left_aside.load(std::memory_order_relaxed)};
}

void InputWriters::clear() noexcept {
  for (Writer& writer : writers_) {
    writer.newest.take();
    writer.scheduled.clear();
  }
}

}  // namespace tactus::rt
