#include "server/door/frame_budget.h"

#include <algorithm>

namespace tactus::server {

namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// Types of frames that a request needs, and the end of a stream.
constexpr unsigned char kData = 0, kHeaders = 1, kReset = 3, kWindowUpdate = 8;
constexpr unsigned char kEndStream = 1, kPadded = 8;  // flags
constexpr double kSmall = 0.02;                       // price of what honest clients send often

constexpr char kTooManyResets[] = "it resets streams, or makes the server reset them, faster than a client that works";
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
    // Length (24 bits), type, flags, stream.
    const auto& header = reader.header;
    reader.payload = std::size_t{header[0]} << 16 | std::size_t{header[1]} << 8 | header[2];
    reader.in_header = 0;
    frame(header[3], header[4], reader.payload);
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
  read(in_, bytes, [this](unsigned char type, unsigned char flags, std::size_t size) {
    if (type == kReset) return payReset();
    if (type == kHeaders) return;
    if (type == kWindowUpdate) return payIdle(kSmall);
    if (type != kData) return payIdle(1);
    // An end of a request is often an empty frame; padding is no content.
    if ((size == 0 && (flags & kEndStream) == 0) || (flags & kPadded) != 0) payIdle(kSmall);
  });
}

void FrameBudget::send(std::string_view bytes) noexcept {
  if (other_) return;
  read(out_, bytes, [this](unsigned char type, unsigned char, std::size_t) {
    if (type == kReset) payReset();
  });
}

void FrameBudget::payReset() noexcept {
  if (free_.take(1) || (resets_.take(1) && reserve_->take())) return;
  excess_ = kTooManyResets;
}

void FrameBudget::payIdle(double price) noexcept {
  if (!idle_.take(price)) excess_ = kTooManyFrames;
}

bool Bucket::take(double price) noexcept {
  if (left_ < price) {
    const Clock::time_point now = Clock::now();
    left_ = std::min(burst_, left_ + std::chrono::duration<double>(now - filled_).count() * per_second_);
    filled_ = now;
  }
  if (left_ < price) return false;
  left_ -= price;
  return true;
}

}  // namespace tactus::server
