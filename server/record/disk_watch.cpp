#include "server/record/disk_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace tactus::server {

namespace {

constexpr std::chrono::seconds kFirst{1}, kWindow{10};  // after which the rates are measured first, and then again
constexpr double kMiB = 1 << 20;

double secondsBetween(DiskWatch::Time from, DiskWatch::Time to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::string DiskWatch::look(Time now, const DiskSight& sight) {
  measure(now, sight);
  const std::string text = stuck(now, sight);
  return text.empty() ? full(sight) : text;
}

void DiskWatch::measure(Time now, const DiskSight& sight) {
  const std::uint64_t made = sight.written + sight.waiting;
  if (!made_) {
    window_ = now;
    made_ = made;
    room_ = sight.room;
    return;
  }
  if (now - window_ < (measured_ ? kWindow : kFirst)) return;
  const double seconds = secondsBetween(window_, now);
  rate_ = static_cast<double>(made - std::min(made, *made_)) / seconds;
  // Others may write to the same disk.
  shrinking_ = room_ && sight.room ? static_cast<double>(*room_ - std::min(*room_, *sight.room)) / seconds : 0;
  measured_ = true;
  window_ = now;
  made_ = made;
  room_ = sight.room;
}

std::string DiskWatch::stuck(Time now, const DiskSight& sight) {
  if (sight.written != written_ || sight.waiting == 0) {
    written_ = sight.written;
    moved_ = now;
    told_stuck_.reset();
    return {};
  }
  if (now - moved_ < kStuck || (told_stuck_ && now - *told_stuck_ < kAgain)) return {};
  told_stuck_ = now;
  std::string text = fmt::format("the disk has taken nothing for {:.0f} s", secondsBetween(moved_, now));
  const double left = static_cast<double>(sight.most_waiting - std::min(sight.most_waiting, sight.waiting));
  if (rate_ > 0) text += fmt::format("; memory holds about {:.0f} s more, then ticks are lost", left / rate_);
  return text;
}

std::string DiskWatch::full(const DiskSight& sight) {
  const double rate = std::max(rate_, shrinking_);
  if (!sight.room || rate <= 0) return {};
  const double left = static_cast<double>(*sight.room) / rate;
  if (left > 2. * static_cast<double>(kEarly.count())) told_full_ = std::chrono::seconds::max();
  const std::chrono::seconds level = left <= static_cast<double>(kLate.count())    ? kLate
                                     : left <= static_cast<double>(kEarly.count()) ? kEarly
                                                                                   : std::chrono::seconds::max();
  if (level >= told_full_) return {};
  told_full_ = level;
  return fmt::format(
      "the file or its disk is full in about {:.0f} s: {:.1f} MiB are left, {:.2f} MiB are written a second; free "
      "space "
      "on the disk, record fewer signals, or end the recording in time",
      left, static_cast<double>(*sight.room) / kMiB, rate / kMiB);
}

}  // namespace tactus::server
