#include "clients/fmi/session/missed_steps.h"

#include <algorithm>

namespace tactus::fmi {

void MissedSteps::restart() {
  const std::lock_guard lock(mutex_);
  made_.reset();
  counted_ = -every_;
}

void MissedSteps::begin(std::int64_t at, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  made_ = at;
  epoch_ = epoch;
}

void MissedSteps::end() {
  const std::lock_guard lock(mutex_);
  made_.reset();
}

std::int64_t MissedSteps::count(std::int64_t first, std::int64_t last) {
  const std::lock_guard lock(mutex_);
  return countUpTo(first, last);
}

std::int64_t MissedSteps::look(std::int64_t tick, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (!made_ || epoch != epoch_ || tick < *made_ + delay_) return 0;
  const std::int64_t held_up = (tick - delay_ - *made_) / every_;
  return countUpTo(*made_, *made_ + held_up * every_);
}

std::int64_t MissedSteps::countUpTo(std::int64_t first, std::int64_t last) {
  const std::int64_t before = std::max(first - every_, counted_);
  if (last <= before) return 0;
  counted_ = last;
  return (last - before) / every_;
}

}  // namespace tactus::fmi
