#include "server/record/recorder.h"

#include "server/record/recorder_thread.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tactus::server {

namespace {

using Clock = std::chrono::steady_clock;

// Polling interval while the loop ticks; polling spares the tick the system call that would wake the collector. The
// short interval applies to a loop that fills a quarter of its ring within the long one.
constexpr std::chrono::microseconds kRest{2000}, kShortRest{200};
// Number of polls without a tick after which the collector sleeps until the next tick.
constexpr int kPatience = 10;
// Timeout of that sleep, to notice that the recording is to stop.
constexpr std::chrono::milliseconds kLook{20};
// A recording with gaps sends no more than one notice, and writes no more than one line to the log, in these times.
constexpr std::chrono::seconds kBetweenNotices{1}, kBetweenLines{10};
// Time between two looks at the disk.
constexpr std::chrono::milliseconds kBetweenLooks{500};

}  // namespace

Recorder::Recorder(RecorderSource source, RecorderOptions options, v1::RecordingSetup setup, std::uint64_t script_hash,
                   std::unique_ptr<FileSink> file, std::string name)
    : source_(std::move(source)),
      options_(std::move(options)),
      name_(std::move(name)),
      encoder_(source_.directory, options_.signals, std::move(setup), script_hash),
      disk_(std::make_shared<DiskWriter>(
          std::move(file), name_, encoder_,
          DiskWriter::Limits{options_.queue, options_.largest_file, options_.disk_reserve, options_.claims})) {
  // The setup and the first state are in the file before the recording is reported as running.
  encoder_.addSetup();
  first_ = seen_ = source_.ring.newest(snapshot_);
  take(snapshot_);
  disk_->writeFirst(encoder_.take());
  DiskWriter::start(disk_);
  collecting_ = std::thread([this] { collect(); });
}

void Recorder::stop() {
  std::lock_guard lock(stop_);
  if (!collecting_.joinable()) return;
  stop_at_ = source_.ring.newestIndex();
  stopping_ = true;
  collecting_.join();
  if (disk_->finish(gave_up_ ? std::chrono::nanoseconds(0) : options_.patience)) {
    if (disk_->failed()) tellEnd(disk_->progress().error);
    return;
  }
  const std::string reason = "the disk does not answer; what it had not taken by then may be missing";
  {
    std::lock_guard status_lock(mutex_);
    status_.error = name_ + ": " + reason;
  }
  tellEnd(reason);
}

RecorderStatus Recorder::status() const {
  const DiskProgress disk = disk_->progress();
  std::lock_guard lock(mutex_);
  RecorderStatus status = status_;
  status.bytes = disk.bytes;
  status.last_tick = disk.last_tick;
  if (status.error.empty() && !disk.error.empty()) status.error = name_ + ": " + disk.error;
  if (status.error.empty()) return status;

  // The disk has not taken the rest of the recording: what is not in the file is lost, until the recording is stopped.
  const std::uint64_t end = stopping_ ? stop_at_.load() : source_.ring.newestIndex();
  const TickEncoder::Content& held = disk.content;
  status.running = false;
  status.ticks = held.ticks;
  status.lost_ticks = end - first_ + 1 - held.ticks;
  status.lost_signals = held.bare;
  const bool ends_early = status.lost_ticks > held.missing;
  status.gaps = held.gaps + ends_early;
  if (ends_early)
    status.incomplete_from = std::min(status.incomplete_from.value_or(disk.last_tick + 1), disk.last_tick + 1);
  return status;
}

// ---- the collector ----

void Recorder::collect() {
  raisePriority(options_.realtime);
  for (int looks = 0;;) {
    const bool last = stopping_;
    const std::uint64_t before = seen_;
    drain();
    flush();
    if (disk_->failed()) break;
    tellLoss();
    watchDisk();
    if (last && seen_ >= stop_at_) break;
    looks = seen_ > before ? 0 : looks + 1;
    if (looks < kPatience) {
      std::this_thread::sleep_for(4 * (seen_ - before) < source_.ring.capacity() ? kRest : kShortRest);
    } else if (source_.wait(seen_, kLook) == rt::WaitResult::kClosed) {
      drain();
      break;
    }
  }
  if (!disk_->failed()) writeTrailer();
  if (disk_->failed()) {
    tellEnd(disk_->progress().error);
  } else {
    next_notice_ = {};
    tellLoss();
  }
  std::lock_guard lock(mutex_);
  status_.running = false;
}

// Waits until the queue has room for them.
void Recorder::writeTrailer() {
  if (lost_ > 0) addGap(false);
  encoder_.addTiming(timing());
  const std::size_t bytes = encoder_.block().messages.bytes();
  TickEncoder::Block block = encoder_.take();
  const auto end = Clock::now() + options_.patience;
  while (!disk_->push(block, bytes)) {
    if (disk_->failed()) return;  // it says why, and ends by itself
    if (Clock::now() > end) {
      gave_up_ = true;
      return drop(block);
    }
    std::this_thread::sleep_for(kLook);
  }
}

v1::TimingReport Recorder::timing() const {
  v1::TimingReport report = source_.timing();
  std::lock_guard lock(mutex_);
  report.set_recorder_lost_ticks(status_.lost_ticks);
  report.set_recorder_lost_signals(status_.lost_signals);
  return report;
}

void Recorder::drain() {
  const std::uint64_t end = stopping_ ? stop_at_.load() : source_.ring.newestIndex();
  while (seen_ < end && !disk_->failed()) {
    const auto [result, lost] = source_.ring.read(seen_ + 1, snapshot_);
    if (result == rt::ReadResult::kNotYet) return;
    if (result == rt::ReadResult::kOverwritten) {
      lose(lost);
      seen_ += lost;
      continue;
    }
    ++seen_;
    take(snapshot_);
    flush();
  }
}

void Recorder::lose(std::uint64_t publications) {
  const bool begins = lost_ == 0;
  if (begins) lost_from_ = tick_ + 1;
  lost_ += publications;
  {
    std::lock_guard lock(mutex_);
    status_.lost_ticks += publications;
    status_.gaps += begins;
  }
  noteLoss(lost_from_);
}

void Recorder::noteLoss(std::int64_t tick) {
  untold_ = true;
  untold_from_ = tick;
}

namespace {

/// What a recording leaves out when its disk falls behind.
std::string leftOut(const RecordedSignals& recorded) {
  if (!recorded.scene) return "signals";
  return recorded.indices.empty() ? "scene frames" : "signals or scene frames";
}

std::string adviceFor(const RecordedSignals& recorded) {
  if (!recorded.scene) return "fewer signals, or every N-th tick";
  return recorded.indices.empty() ? "no scene" : "fewer signals, every N-th tick, or no scene";
}

/// "3 ticks in 1 gap and the signals of 91 ticks are": what is zero is not named.
std::string whatIsMissing(const RecorderStatus& status, const RecordedSignals& recorded) {
  const auto counted = [](std::uint64_t count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  const std::string ticks = counted(status.lost_ticks, "tick") + " in " + counted(status.gaps, "gap");
  const std::string signals = "the " + leftOut(recorded) + " of " + counted(status.lost_signals, "tick");
  if (status.lost_signals == 0) return ticks + (status.lost_ticks == 1 ? " is" : " are");
  return (status.lost_ticks == 0 ? signals : ticks + " and " + signals) + " are";
}

}  // namespace

void Recorder::tellLoss() {
  const auto now = Clock::now();
  if (!untold_ || now < next_notice_) return;
  untold_ = false;
  next_notice_ = now + kBetweenNotices;
  const RecorderStatus status = this->status();
  say(RecorderNotice::Kind::kIncomplete, untold_from_,
      fmt::format("it does not keep up: {} missing so far, the newest from tick {} on; record {}",
                  whatIsMissing(status, options_.signals), untold_from_, adviceFor(options_.signals)));
}

void Recorder::tellEnd(const std::string& reason) {
  if (std::exchange(told_end_, true)) return;
  const std::int64_t from = disk_->progress().last_tick + 1;
  say(RecorderNotice::Kind::kEnded, from,
      fmt::format("it has ended early: {}; the file holds what was before tick {}", reason, from));
}

void Recorder::watchDisk() {
  const auto now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + kBetweenLooks;
  const DiskProgress disk = disk_->progress();
  DiskSight sight{disk.bytes, disk_->waiting(), disk_->limits().most, {}};
  sight.room = options_.largest_file - std::min(options_.largest_file, disk.bytes);
  if (disk.room) sight.room = std::min(*sight.room, *disk.room - std::min(*disk.room, options_.disk_reserve));
  if (const std::string text = watch_.look(now, sight); !text.empty()) say(RecorderNotice::Kind::kDisk, tick_, text);
}

void Recorder::say(RecorderNotice::Kind kind, std::int64_t tick, const std::string& text) {
  const auto now = Clock::now();
  if (kind != RecorderNotice::Kind::kIncomplete || now >= next_line_) {
    spdlog::log(kind == RecorderNotice::Kind::kEnded ? spdlog::level::err : spdlog::level::warn, "recording {}: {}",
                name_, text);
    if (kind == RecorderNotice::Kind::kIncomplete) next_line_ = now + kBetweenLines;
  }
  {
    std::lock_guard lock(mutex_);
    status_.warning = text;
    status_.warning_tick = tick;
  }
  if (source_.tell) source_.tell({kind, tick, "recording " + name_ + ": " + text});
}

void Recorder::take(const rt::Snapshot& snapshot) {
  const std::size_t waiting = disk_->waiting();
  if (blocked_ && waiting > resume_below_) {
    lose(1);
    return;
  }
  blocked_ = false;

  // A gap is recorded before the tick that follows it.
  if (lost_ > 0) addGap(!dropped_ && encoder_.last() && inputsHeldBetween(*encoder_.last(), snapshot, lost_));
  if (encoder_.block().messages.empty()) block_begun_ = Clock::now();
  // Signals go first: also where this thread gets so little time that the loop may overtake it.
  const bool behind = 2 * (source_.ring.newestIndex() - seen_) > source_.ring.capacity();
  const bool with_signals = 2 * waiting <= disk_->limits().own && !behind;
  const bool leaves_out = encoder_.addTick(snapshot, with_signals);
  tick_ = snapshot.header.tick;
  if (snapshot.header.sim_time_ns >= next_report_) {
    if (next_report_ > 0) encoder_.addTiming(timing());
    next_report_ = snapshot.header.sim_time_ns + options_.report_interval.count();
  } else if (snapshot.header.sim_time_ns < next_report_ - options_.report_interval.count()) {
    next_report_ = snapshot.header.sim_time_ns + options_.report_interval.count();  // a reset, or a restored state
  }
  {
    std::lock_guard lock(mutex_);
    ++status_.ticks;
    if (leaves_out) ++status_.lost_signals;
  }
  if (leaves_out) noteLoss(tick_);
}

void Recorder::addGap(bool inputs_complete) {
  encoder_.addGap(lost_from_, lost_, inputs_complete);
  dropped_ = false;
  lost_ = 0;
  std::lock_guard lock(mutex_);
  if (!inputs_complete && !status_.incomplete_from) status_.incomplete_from = lost_from_;
}

void Recorder::flush() {
  const TickEncoder::Block& block = encoder_.block();
  if (block.messages.empty()) return;
  if (block.messages.bytes() < options_.block_bytes && Clock::now() - block_begun_ < options_.block_time) return;
  const std::size_t bytes = block.messages.bytes();
  TickEncoder::Block taken = encoder_.take();
  taken.messages.trim();
  if (!disk_->push(taken, bytes)) drop(taken);
}

// No room: the ticks of the block are not recorded, and the next recorded tick comes with its state. The gaps of the
// block, and what was lost after it, become one gap with these ticks.
void Recorder::drop(const TickEncoder::Block& block) {
  blocked_ = true;
  if (block.ticks == 0 && block.gaps == 0) return;
  dropped_ = true;
  const std::size_t waiting = disk_->waiting(), freed = disk_->limits().own / 2;
  resume_below_ = waiting - std::min(waiting, freed);
  const bool begins = lost_ == 0;
  lost_from_ = block.first_tick;
  lost_ += block.ticks + block.missing;
  {
    std::lock_guard lock(mutex_);
    status_.ticks -= block.ticks;
    status_.lost_ticks += block.ticks;
    status_.lost_signals -= block.bare;
    status_.gaps += begins;
    status_.gaps -= block.gaps;
    if (!status_.incomplete_from) status_.incomplete_from = block.first_tick;
  }
  noteLoss(block.first_tick);
}

}  // namespace tactus::server
