#include "server/door/frame_budget.h"

#include <algorithm>

namespace tactus::server {

namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

constexpr std::size_t kAlways = 16;  // streams that may be open at a time, whatever others do

// Types of frames.
constexpr unsigned char kData = 0, kHeaders = 1, kReset = 3, kSettings = 4, kPing = 6, kWindowUpdate = 8,
                        kContinuation = 9;
constexpr unsigned char kEndStream = 1, kPadded = 8;  // flags

// The price of a frame that carries no request.
double idlePrice(unsigned char type, std::size_t size) noexcept {
  switch (type) {
    case kPing:
    case kSettings: return 10;
    case kContinuation: return 1 + static_cast<double>(size) / 256;
    case kWindowUpdate: return 0.02;
    default: return 1;
  }
}

constexpr char kTooManyResets[] = "it resets streams, or makes the server reset them, faster than a client that works";
constexpr char kTooManyStreams[] = "it has more calls open than the server allows";
constexpr char kTooManyFrames[] = "it sends frames without requests faster than a client that works";

}  // namespace

template <class Frame>
void FrameBudget::read(Reader& reader, std::string_view bytes, Frame&& frame) noexcept {
  while (!bytes.empty()) {
    if (reader.payload > 0) {
      const std::size_t count = std::min(reader.payload, bytes.size());
      reader.payload -= count;
      bytes.remove_prefix(count);
      continue;
    }
    const std::size_t count = std::min(reader.header.size() - reader.in_header, bytes.size());
    std::copy_n(bytes.begin(), count, reader.header.begin() + static_cast<std::ptrdiff_t>(reader.in_header));
    bytes.remove_prefix(count);
    if ((reader.in_header += count) < reader.header.size()) return;
    // Length (24 bits), type, flags, stream (31 bits).
    const auto& header = reader.header;
    const auto at = [&](std::size_t i, unsigned shift) { return std::uint32_t{header[i]} << shift; };
    reader.payload = at(0, 16) | at(1, 8) | at(2, 0);
    reader.in_header = 0;
    frame(header[3], header[4], (at(5, 24) | at(6, 16) | at(7, 8) | at(8, 0)) & 0x7fff'ffff, reader.payload);
  }
}

void FrameBudget::receive(std::string_view bytes) noexcept {
  if (other_) return;
  while (preface_ < kPreface.size() && !bytes.empty()) {
    if (bytes.front() != kPreface[preface_]) {
      other_ = true;
      return;
    }
    ++preface_;
    bytes.remove_prefix(1);
  }
  read(in_, bytes, [this](unsigned char type, unsigned char flags, std::uint32_t stream, std::size_t size) {
    if (type == kReset) return payReset(stream);
    if (type == kHeaders) return open(stream);
    // The end of a request is often an empty frame; padding is no content.
    const bool carries = type == kData && (size > 0 || (flags & kEndStream) != 0) && (flags & kPadded) == 0;
    if (!carries) payIdle(idlePrice(type, size));
  });
}

void FrameBudget::send(std::string_view bytes) noexcept {
  if (other_) return;
  read(out_, bytes, [this](unsigned char type, unsigned char flags, std::uint32_t stream, std::size_t) {
    if (type == kReset) return payReset(stream);
    if ((type == kHeaders || type == kData) && (flags & kEndStream) != 0) close(stream);
  });
}

void FrameBudget::open(std::uint32_t stream) noexcept {
  if (stream <= newest_) return;  // trailers
  newest_ = stream;
  if (open_count_ < kAlways || (open_count_ < open_.size() && reserve_->take(0)))
    open_[open_count_++] = stream;
  else
    excess_ = kTooManyStreams;
}

void FrameBudget::close(std::uint32_t stream) noexcept {
  const auto end = open_.begin() + static_cast<std::ptrdiff_t>(open_count_);
  const auto found = std::lower_bound(open_.begin(), end, stream);
  if (found == end || *found != stream) return;
  std::copy(found + 1, end, found);
  --open_count_;
}

void FrameBudget::payReset(std::uint32_t stream) noexcept {
  close(stream);
  if (free_.take(1) || (resets_.take(1) && reserve_->take(1))) return;
  excess_ = kTooManyResets;
}

void FrameBudget::payIdle(double price) noexcept {
  if (!idle_.take(price)) excess_ = kTooManyFrames;
}

void FrameBudget::restart(Bucket::Clock::time_point now) noexcept {
  end();
  free_ = Bucket(kFree, kFreeRate, now);
  resets_ = Bucket(kResets, kResetRate, now);
  idle_ = Bucket(kIdle, kIdleRate, now);
  in_ = out_ = {};
  newest_ = 0;
  preface_ = 0;
  other_ = false;
  excess_ = nullptr;
}

void FrameBudget::end() noexcept {
  if (open_count_ > kAlways) reserve_->charge(static_cast<double>(open_count_));
  open_count_ = 0;
}

bool Bucket::take(double price) noexcept {
  if (left_ < price || left_ <= 0) fill();
  if (left_ < price || left_ <= 0) return false;
  left_ -= price;
  return true;
}

void Bucket::charge(double price) noexcept {
  fill();
  left_ = std::max(-burst_, left_ - price);
}

void Bucket::fill() noexcept {
  const Clock::time_point now = Clock::now();
  left_ = std::min(burst_, left_ + std::chrono::duration<double>(now - filled_).count() * per_second_);
  filled_ = now;
}

}  // namespace tactus::server
