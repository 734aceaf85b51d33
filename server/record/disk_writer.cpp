#include "server/record/disk_writer.h"

#include "rt/error.h"
#include "server/record/recorder_thread.h"

#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace tactus::server {

namespace {

// Time between two syncs of the file.
constexpr std::chrono::milliseconds kSync{100};

}  // namespace

DiskWriter::DiskWriter(std::unique_ptr<FileSink> file, std::string name, const TickEncoder& encoder,
                       const Limits& limits)
    : name_(std::move(name)),
      file_(std::move(file), limits.reserve, limits.claims),
      largest_file_(limits.largest_file),
      reserve_(limits.reserve),
      writer_(begin(encoder)),
      queue_(limits.queue) {
  progress_.room = file_.room();
}

McapWriter DiskWriter::begin(const TickEncoder& encoder) {
  try {
    return {file_, name_, encoder.schemas(), encoder.channels(), encoder.metadata()};
  } catch (const Error& error) { throw Error(name_ + ": " + reasonOf(error)); }
}

void DiskWriter::writeFirst(const TickEncoder::Block& block) {
  try {
    writeBlock(block);
  } catch (const Error& error) { throw Error(name_ + ": " + reasonOf(error)); }
}

void DiskWriter::start(const std::shared_ptr<DiskWriter>& writer) {
  std::thread([writer] { writer->writeBlocks(); }).detach();
  std::thread([writer] { writer->syncBlocks(); }).detach();
}

bool DiskWriter::finish(std::chrono::nanoseconds patience) {
  queue_.close();
  std::unique_lock lock(mutex_);
  while (true) {
    const std::uint64_t bytes = progress_.bytes;
    if (changed_.wait_for(lock, patience, [&] { return ended_ || progress_.bytes != bytes; })) {
      if (ended_) return true;
    } else {
      return false;
    }
  }
}

DiskProgress DiskWriter::progress() const {
  std::lock_guard lock(mutex_);
  return progress_;
}

// ---- the thread that writes; it never waits for a sync, which is the slow operation of a disk ----

void DiskWriter::writeBlocks() {
  raisePriority();
  try {
    while (const auto block = failed_ ? std::nullopt : queue_.pop()) {
      writeBlock(*block);
      queue_.done();
      if (writer_.bytes() > largest_file_)
        throw Error("the file has reached the maximum size of a recording, " + std::to_string(largest_file_ >> 20) +
                    " MiB");
    }
    if (failed_) throw Error(progress().error);  // a sync
    file_.beginEnd();
    writer_.finish();
  } catch (const std::exception& error) {
    fail(reasonOf(error));
    file_.beginEnd();
    writer_.endEarly(progress().error);
    queue_.discard();
  }
  {
    std::lock_guard lock(mutex_);
    progress_.bytes = writer_.bytes();
    written_ = true;
  }
  changed_.notify_all();
}

void DiskWriter::writeBlock(const TickEncoder::Block& block) {
  file_.keepForEnd(writer_.endBytes());
  writer_.write(block.messages);
  {
    std::lock_guard lock(mutex_);
    progress_.bytes = writer_.bytes();
    progress_.content += block;
    if (block.ticks > 0) progress_.last_tick = block.last_tick;
  }
  changed_.notify_all();
}

std::string DiskWriter::reasonOf(const std::exception& error) {
  if (file_.reached()) {
    const std::uint64_t left = file_.room().value_or(0);
    return "the reserve of " + std::to_string(reserve_) + " bytes is reached: the disk has " + std::to_string(left) +
           " bytes left; free space on the disk";
  }
  const std::string text = error.what(), prefix = name_ + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

void DiskWriter::fail(const std::string& error) {
  {
    std::lock_guard lock(mutex_);
    if (progress_.error.empty()) progress_.error = error;
  }
  failed_ = true;  // whoever sees it finds the reason
  queue_.close();
}

// ---- the thread that syncs the file ----

void DiskWriter::syncBlocks() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return written_ || progress_.bytes > synced_; });
    const bool last = written_;
    const std::uint64_t bytes = progress_.bytes;
    lock.unlock();
    if (const int error = file_.sync()) fail(std::strerror(error));
    const std::optional<std::uint64_t> room = file_.room();
    lock.lock();
    progress_.room = room;
    synced_ = bytes;
    if (last) {
      file_.close();
      break;
    }
    changed_.wait_for(lock, kSync, [this] { return written_; });
  }
  ended_ = true;
  changed_.notify_all();
}

}  // namespace tactus::server
