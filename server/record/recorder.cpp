#include "server/record/recorder.h"

#include "server/record/recorder_thread.h"

#include <spdlog/spdlog.h>

#include <algorithm>
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
// A recording with gaps writes no more than one line to the log in this time.
constexpr std::chrono::seconds kBetweenWarnings{10};

}  // namespace

Recorder::Recorder(RecorderSource source, RecorderOptions options, v1::RecordingSetup setup, std::uint64_t script_hash,
                   std::unique_ptr<FileSink> file, std::string name)
    : source_(std::move(source)),
      options_(std::move(options)),
      name_(std::move(name)),
      encoder_(source_.directory, options_.signals, std::move(setup), script_hash),
      disk_(std::make_shared<DiskWriter>(std::move(file), name_, encoder_,
                                         DiskWriter::Limits{options_.queue_bytes, options_.largest_file})) {
  // The setup and the first state are in the file before the recording is reported as running.
  encoder_.addSetup();
  seen_ = source_.ring.newest(snapshot_);
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
  if (disk_->finish(gave_up_ ? std::chrono::nanoseconds(0) : options_.patience)) return;
  std::lock_guard status_lock(mutex_);
  status_.error = name_ + ": the disk does not answer; what it had not taken by then may be missing";
}

RecorderStatus Recorder::status() const {
  const DiskProgress disk = disk_->progress();
  std::lock_guard lock(mutex_);
  RecorderStatus status = status_;
  status.bytes = disk.bytes;
  status.last_tick = disk.last_tick;
  if (status.error.empty()) status.error = disk.error;
  if (status.error.empty()) return status;

  // The disk has not taken the rest of the recording.
  status.running = false;
  status.incomplete_from = std::min(status.incomplete_from.value_or(disk.last_tick + 1), disk.last_tick + 1);
  return status;
}

// ---- the collector ----

void Recorder::collect() {
  raisePriority();
  for (int looks = 0;;) {
    const bool last = stopping_;
    const std::uint64_t before = seen_;
    drain();
    flush();
    if (disk_->failed() || (last && seen_ >= stop_at_)) break;
    looks = seen_ > before ? 0 : looks + 1;
    if (looks < kPatience) {
      std::this_thread::sleep_for(4 * (seen_ - before) < source_.ring.capacity() ? kRest : kShortRest);
    } else if (source_.wait(seen_, kLook) == rt::WaitResult::kClosed) {
      drain();
      break;
    }
  }
  writeTrailer();
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
    if (disk_->failed() || Clock::now() > end) {
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
  if (lost_ == 0) lost_from_ = tick_ + 1;
  lost_ += publications;
  {
    std::lock_guard lock(mutex_);
    status_.lost_ticks += publications;
  }
  warnOfLoss(tick_ + 1);
}

void Recorder::warnOfLoss(std::int64_t tick) {
  const auto now = Clock::now();
  if (now < next_warning_) return;
  next_warning_ = now + kBetweenWarnings;
  std::lock_guard lock(mutex_);
  spdlog::warn(
      "recording {}: at tick {} it does not keep up: {} ticks and the signals of {} ticks are missing so far; record "
      "fewer "
      "signals, or every N-th tick",
      name_, tick, status_.lost_ticks, status_.lost_signals);
}

void Recorder::take(const rt::Snapshot& snapshot) {
  const std::size_t waiting = disk_->waiting();
  if (blocked_ && 2 * waiting > disk_->capacity()) {
    lose(1);
    return;
  }
  blocked_ = false;

  // A gap is recorded before the tick that follows it.
  if (lost_ > 0) addGap(!dropped_ && encoder_.last() && inputsHeldBetween(*encoder_.last(), snapshot, lost_));
  if (encoder_.block().messages.empty()) block_begun_ = Clock::now();
  const bool with_signals = 2 * waiting <= disk_->capacity();
  encoder_.addTick(snapshot, with_signals);
  tick_ = snapshot.header.tick;
  if (snapshot.header.sim_time_ns >= next_report_) {
    if (next_report_ > 0) encoder_.addTiming(timing());
    next_report_ = snapshot.header.sim_time_ns + options_.report_interval.count();
  }
  const bool lacks_signals = !with_signals && !options_.signals.indices.empty();
  {
    std::lock_guard lock(mutex_);
    ++status_.ticks;
    if (lacks_signals) ++status_.lost_signals;
  }
  if (lacks_signals) warnOfLoss(tick_);
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
  if (!disk_->push(taken, bytes)) drop(taken);
}

// No room: the ticks of the block are not recorded, and the next recorded tick comes with its state.
void Recorder::drop(const TickEncoder::Block& block) {
  blocked_ = dropped_ = true;
  if (lost_ == 0) lost_from_ = block.first_tick;
  lost_ += block.ticks;
  {
    std::lock_guard lock(mutex_);
    status_.ticks -= block.ticks;
    status_.lost_ticks += block.ticks;
    if (block.ticks > 0 && !status_.incomplete_from) status_.incomplete_from = block.first_tick;
  }
  if (block.ticks > 0) warnOfLoss(block.first_tick);
}

}  // namespace tactus::server
