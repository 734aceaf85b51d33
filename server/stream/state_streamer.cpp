#include "server/stream/state_streamer.h"

#include <utility>

namespace tactus::server {

StateStreamer::StateStreamer(const rt::SnapshotRing& ring, const rt::SignalDirectory& directory, StreamOptions options)
    : ring_(ring), options_(std::move(options)), writer_(directory, options_.signals, options_.packed) {
  const std::uint64_t newest = ring_.newestIndex();
  due_ = options_.from_current && newest > 0 ? newest : newest + 1;
  seen_ = due_ - 1;
  if (ring_.newest(snapshot_) > 0) model_version_ = snapshot_.header.model_version;
  if (options_.delivery == StreamOptions::Delivery::kQueue) queue_.resize(options_.queue_depth);
}

void StateStreamer::acknowledge(std::uint64_t sequence) noexcept {
  if (sequence > sent_.load(std::memory_order_acquire)) return;
  std::uint64_t known = acknowledged_.load(std::memory_order_relaxed);
  while (known < sequence && !acknowledged_.compare_exchange_weak(known, sequence, std::memory_order_acq_rel)) {}
}

bool StateStreamer::hasCredit() const noexcept {
  if (options_.credit_window == 0) return true;
  const std::uint64_t unacknowledged =
      sent_.load(std::memory_order_relaxed) - acknowledged_.load(std::memory_order_acquire);
  return unacknowledged < options_.credit_window;
}

bool StateStreamer::next(v1::StateFrame& frame) {
  return options_.delivery == StreamOptions::Delivery::kQueue ? nextQueued(frame) : nextLatest(frame);
}

void StateStreamer::answer(std::uint64_t index, const rt::Snapshot& snapshot, v1::StateFrame& frame) {
  loseUntil(index);
  due_ = index + options_.divisor;
  writer_.write(snapshot, frame, holder_.load(std::memory_order_relaxed));
  stamp(frame, lost_, snapshot.header.model_version);
}

bool StateStreamer::nextLatest(v1::StateFrame& frame) {
  if (!hasCredit()) return false;

  // The newest publication that is due. If the ring has overwritten it, there is a newer one to try.
  while (true) {
    const std::uint64_t newest = seen_ = ring_.newestIndex();
    if (newest < due_) return false;
    const std::uint64_t index = newest - (newest - due_) % options_.divisor;
    const rt::SnapshotRing::Read read = ring_.read(index, snapshot_);
    loseUntil(index);
    if (read.result == rt::ReadResult::kOk) break;
    loseUntil(index + 1);
  }
  index_ = due_;
  due_ += options_.divisor;
  writer_.write(snapshot_, frame, holder_.load(std::memory_order_relaxed));
  stamp(frame, lost_, snapshot_.header.model_version);
  return true;
}

bool StateStreamer::nextQueued(v1::StateFrame& frame) {
  fillQueue();
  if (waiting_ == 0 || !hasCredit()) return false;
  Waiting& oldest = queue_[head_];
  head_ = (head_ + 1) % queue_.size();
  --waiting_;
  frame.Swap(&oldest.frame);
  index_ = oldest.index;
  stamp(frame, oldest.lost_before + dropped_, oldest.model_version);
  return true;
}

void StateStreamer::fillQueue() {
  while (true) {
    seen_ = ring_.newestIndex();
    if (seen_ < due_) return;
    const rt::SnapshotRing::Read read = ring_.read(due_, snapshot_);
    if (read.result == rt::ReadResult::kOverwritten) {
      loseUntil(due_ + read.lost);
      continue;
    }
    const std::uint64_t index = due_;
    due_ += options_.divisor;

    // A full queue drops its oldest frame.
    if (waiting_ == queue_.size()) {
      head_ = (head_ + 1) % queue_.size();
      --waiting_;
      ++dropped_;
    }
    Waiting& entry = queue_[(head_ + waiting_) % queue_.size()];
    ++waiting_;
    writer_.write(snapshot_, entry.frame, holder_.load(std::memory_order_relaxed));
    entry.index = index;
    entry.lost_before = lost_;
    entry.model_version = snapshot_.header.model_version;
  }
}

// Counts the due publications before `index` as lost and makes the next one due.
void StateStreamer::loseUntil(std::uint64_t index) noexcept {
  if (index <= due_) return;
  const std::uint64_t count = (index - due_ + options_.divisor - 1) / options_.divisor;
  lost_ += count;
  due_ += count * options_.divisor;
}

void StateStreamer::stamp(v1::StateFrame& frame, std::uint64_t missed, std::uint64_t model_version) noexcept {
  if (missed > this->missed()) frame.set_flags(frame.flags() | v1::FRAME_FLAG_FRAMES_MISSED);
  if (model_version != model_version_) frame.set_flags(frame.flags() | v1::FRAME_FLAG_PARAMETERS_CHANGED);
  model_version_ = model_version;
  reported_.store(missed, std::memory_order_relaxed);
  frame.set_frames_missed(missed);
  frame.set_sequence(sent_.load(std::memory_order_relaxed) + 1);
  sent_.fetch_add(1, std::memory_order_release);
}

}  // namespace tactus::server
