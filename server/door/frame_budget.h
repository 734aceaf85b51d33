// FrameBudget: how much of what costs a server more than its sender one HTTP/2 connection may bring about.
//
// A stream that is reset no longer counts against the limit of open streams, and yet its call has been made and has to
// be ended. A client that sends such calls, or frames that carry nothing, keeps a thread of gRPC reading for as long as
// it sends, and what the thread makes of them waits in memory. The budget is what ends that.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace tactus::server {

/// Full at the beginning, filled by and by. Not thread-safe.
class Bucket {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param burst       what a full one holds
  /// @param per_second  what comes in
  Bucket(double burst, double per_second, Clock::time_point now) noexcept
      : burst_(burst), per_second_(per_second), left_(burst), filled_(now) {}

  /// Takes that much out of it, if it holds so much.
  bool take(double price) noexcept;

  /// Takes it, whatever the bucket holds; it goes down to minus its size.
  void charge(double price) noexcept;

 private:
  void fill() noexcept;

  double burst_, per_second_, left_;
  Clock::time_point filled_;
};

/// What all connections of a process share, so that many of them at a time do no more than a few. Thread-safe.
class Reserve {
 public:
  bool take(double price) noexcept {
    const std::lock_guard lock(mutex_);
    return bucket_.take(price);
  }
  void charge(double price) noexcept {
    const std::lock_guard lock(mutex_);
    bucket_.charge(price);
  }

 private:
  std::mutex mutex_;
  Bucket bucket_{2000, 500, Bucket::Clock::now()};
};

/// Reads the headers of the frames of one connection, in both directions. Not thread-safe. Allocates nothing.
/// @source RFC 9113, sections 3.4, 4.1 and 6
///
/// Streams that either side resets cost 1: a call that is cancelled or that the server ends early is one. The first 20,
/// and 5 a second, are free; of more, a connection has 1000 and 200 a second, and the reserve must have as many.
/// Frames that carry no request have a budget of their own, of 2000 and 1000 a second: PING and SETTINGS cost 10,
/// CONTINUATION 1 for each 256 bytes, WINDOW_UPDATE, of which a client that reads much sends thousands a second, 1/50,
/// others and an empty DATA frame 1. At most 320 streams are open at a time (gRPC counts them only from the moment at
/// which the client has acknowledged its limit), and 16 while the reserve is empty: streams that are open when their
/// connection ends count as reset.
class FrameBudget {
 public:
  /// @param reserve  outlives the budget
  FrameBudget(Reserve& reserve, Bucket::Clock::time_point now) noexcept
      : reserve_(&reserve),
        free_(kFree, kFreeRate, now),
        resets_(kResets, kResetRate, now),
        idle_(kIdle, kIdleRate, now) {}

  FrameBudget(const FrameBudget&) = delete;
  FrameBudget& operator=(const FrameBudget&) = delete;
  ~FrameBudget() { end(); }

  /// Of a new connection.
  void restart(Bucket::Clock::time_point now) noexcept;

  /// The connection ends: its open streams end with it.
  void end() noexcept;

  /// Bytes from the client, as they come. Bytes that do not begin as HTTP/2 does (those of TLS) are not counted.
  void receive(std::string_view bytes) noexcept;

  /// Bytes to the client, as they go.
  void send(std::string_view bytes) noexcept;

  /// Why the connection has to be closed; null while it may stay.
  const char* excess() const noexcept { return excess_; }

 private:
  struct Reader {
    std::array<unsigned char, 9> header{};
    std::size_t in_header = 0;
    std::size_t payload = 0;  ///< bytes of it that are still to come
  };

  template <class Frame>
  void read(Reader& reader, std::string_view bytes, Frame&& frame) noexcept;
  void open(std::uint32_t stream) noexcept;
  void close(std::uint32_t stream) noexcept;
  void payReset(std::uint32_t stream) noexcept;
  void payIdle(double price) noexcept;

  // Of the buckets: what they hold, and what comes in each second.
  static constexpr double kFree = 20, kFreeRate = 5, kResets = 1000, kResetRate = 200, kIdle = 2000, kIdleRate = 1000;

  Reserve* reserve_;
  Bucket free_, resets_, idle_;
  Reader in_, out_;
  std::array<std::uint32_t, 320> open_{};  ///< streams, in the order in which they began
  std::size_t open_count_ = 0;
  std::uint32_t newest_ = 0;
  std::size_t preface_ = 0;  ///< bytes of it that have come
  bool other_ = false;       ///< no HTTP/2 in plaintext
  const char* excess_ = nullptr;
};

}  // namespace tactus::server
