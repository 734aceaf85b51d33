#include "server/record/recorder.h"

#include "rt/error.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tactus::server {

namespace {

using Clock = std::chrono::steady_clock;

// Between two looks while ticks come: the collector then waits for none of them, so that no tick has to wake it. A loop
// that fills a quarter of its ring in that time is looked at more often.
constexpr std::chrono::microseconds kRest{2000}, kShortRest{200};
// After so many looks at a loop that does not tick, the collector sleeps until it does.
constexpr int kPatience = 10;
// While none comes, to see whether it is to stop.
constexpr std::chrono::milliseconds kLook{20};
// Between two waits for the disk to have everything.
constexpr std::chrono::milliseconds kSync{100};

}  // namespace

Recorder::Recorder(RecorderSource source, RecorderOptions options, v1::RecordingSetup setup, std::uint64_t script_hash,
                   std::unique_ptr<FileSink> file, std::string name)
    : source_(std::move(source)),
      options_(std::move(options)),
      name_(std::move(name)),
      file_(std::move(file)),
      encoder_(source_.directory, options_.signals, std::move(setup), script_hash),
      queue_(options_.queue_bytes),
      writer_(*file_, name_, encoder_.schemas(), encoder_.channels(), encoder_.metadata()) {
  // The setup and the first state are in the file before anybody is told that it records.
  encoder_.addSetup();
  seen_ = source_.ring.newest(snapshot_);
  take(snapshot_);
  writer_.write(encoder_.take().messages);
  status_.bytes = writer_.bytes();
  status_.last_tick = tick_;
  status_.ticks = 1;
  writing_ = std::thread([this] { writeBlocks(); });
  collecting_ = std::thread([this] { collect(); });
}

void Recorder::stop() {
  std::lock_guard lock(stop_);
  if (!collecting_.joinable()) return;
  stop_at_ = source_.ring.newestIndex();
  stopping_ = true;
  collecting_.join();
  writing_.join();
}

RecorderStatus Recorder::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

// ---- the collector ----

void Recorder::collect() {
  for (int looks = 0;;) {
    const bool last = stopping_;
    const std::uint64_t before = seen_;
    drain();
    flush();
    if (failed_ || (last && seen_ >= stop_at_)) break;
    looks = seen_ > before ? 0 : looks + 1;
    if (looks < kPatience) {
      std::this_thread::sleep_for(4 * (seen_ - before) < source_.ring.capacity() ? kRest : kShortRest);
    } else if (source_.wait(seen_, kLook) == rt::WaitResult::kClosed) {
      drain();
      break;
    }
  }
  // The last words, however long the disk takes to have room for them.
  if (lost_ > 0) addGap(false);
  encoder_.addTiming(source_.timing());
  const std::size_t bytes = encoder_.block().messages.bytes();
  TickEncoder::Block block = encoder_.take();
  while (!queue_.push(block, bytes) && !failed_) std::this_thread::sleep_for(kLook);
  queue_.close();
  std::lock_guard lock(mutex_);
  status_.running = false;
}

void Recorder::drain() {
  const std::uint64_t end = stopping_ ? stop_at_.load() : source_.ring.newestIndex();
  while (seen_ < end && !failed_) {
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
  std::lock_guard lock(mutex_);
  status_.lost_ticks += publications;
}

void Recorder::take(const rt::Snapshot& snapshot) {
  const std::size_t waiting = queue_.bytes();
  if (blocked_ && 2 * waiting > queue_.capacity()) {
    lose(1);
    return;
  }
  blocked_ = false;

  // What is missing is said before what follows it.
  if (lost_ > 0) addGap(!dropped_ && encoder_.last() && inputsHeldBetween(*encoder_.last(), snapshot, lost_));
  if (encoder_.block().messages.empty()) block_begun_ = Clock::now();
  const bool with_signals = 2 * waiting <= queue_.capacity();
  encoder_.addTick(snapshot, with_signals);
  tick_ = snapshot.header.tick;
  if (snapshot.header.sim_time_ns >= next_report_) {
    if (next_report_ > 0) encoder_.addTiming(source_.timing());
    next_report_ = snapshot.header.sim_time_ns + options_.report_interval.count();
  }
  std::lock_guard lock(mutex_);
  ++status_.ticks;
  if (!with_signals && !options_.signals.indices.empty()) ++status_.lost_signals;
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
  if (queue_.push(taken, bytes)) return;

  // No room: these ticks are not recorded, and where recording goes on it begins anew.
  blocked_ = dropped_ = true;
  if (lost_ == 0) lost_from_ = taken.first_tick;
  lost_ += taken.ticks;
  std::lock_guard lock(mutex_);
  status_.ticks -= taken.ticks;
  status_.lost_ticks += taken.ticks;
  if (!status_.incomplete_from) status_.incomplete_from = taken.first_tick;
}

// ---- the writer ----

void Recorder::writeBlocks() {
  std::int64_t written_to = status().last_tick;
  auto synced = Clock::now();
  try {
    while (const auto block = queue_.pop()) {
      writer_.write(block->messages);
      if (block->ticks > 0) written_to = block->last_tick;
      if (const auto now = Clock::now(); now - synced >= kSync) {
        if (const int error = file_->sync()) throw Error(name_ + ": " + std::strerror(error));
        synced = Clock::now();
      }
      queue_.done();
      {
        std::lock_guard lock(mutex_);
        status_.bytes = writer_.bytes();
        status_.last_tick = written_to;
      }
      if (writer_.bytes() > options_.largest_file) {
        writer_.finish();
        throw Error(name_ + ": has reached the largest size of a recording, " +
                    std::to_string(options_.largest_file >> 20) + " MiB");
      }
    }
    writer_.finish();
    if (const int error = file_->sync()) throw Error(name_ + ": " + std::strerror(error));
    std::lock_guard lock(mutex_);
    status_.bytes = writer_.bytes();
  } catch (const std::exception& error) { fail(error.what(), written_to + 1); }
}

void Recorder::fail(const std::string& error, std::int64_t next_tick) {
  failed_ = true;
  queue_.close();
  std::lock_guard lock(mutex_);
  status_.error = error;
  status_.running = false;
  status_.bytes = writer_.bytes();
  if (!status_.incomplete_from || *status_.incomplete_from > next_tick) status_.incomplete_from = next_tick;
}

}  // namespace tactus::server
