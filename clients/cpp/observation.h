// A stream of states for readers without inputs.
#pragma once

#include "clients/cpp/connection.h"
#include "clients/cpp/frame.h"
#include "clients/cpp/notice.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {

struct ObserveOptions {
  std::vector<std::string> signals{"*"};        ///< names or globs
  std::uint32_t every = 1;                      ///< a frame every n ticks
  v1::Delivery delivery = v1::DELIVERY_LATEST;  ///< the newest frame, or a queue of frames in order
  std::uint32_t queue_depth = 64;               ///< length of that queue, at most 4096 frames
  std::uint32_t credit_window = 8;              ///< maximum number of unacknowledged frames; 0: no limit
  std::uint64_t expected_layout_hash = 0;       ///< 0: any layout
  NoticeHandler on_notice = {};                 ///< called for pauses and faults; without it, see receive()
};

/// Opened by Session::observe. Frame::missed() counts the frames that could not be sent in time.
///
///     for (const Frame& frame : session.observe({.signals = {"*.r.*"}, .every = 10})) ...
class Observation {
 public:
  /// @throws ClientError  SESSION_UNKNOWN, SIGNAL_UNKNOWN, LAYOUT_MISMATCH, ...
  Observation(const Connection& connection, const std::string& session, const ObserveOptions& options);
  ~Observation();
  Observation(Observation&&) noexcept;
  Observation& operator=(Observation&&) noexcept;

  const Layout& layout() const noexcept;
  /// Stream id, period and credit window that the server chose.
  const v1::ObserveOpened& opened() const noexcept;

  /// Waits for the next frame.
  /// @returns false when the stream has ended (after cancel(), or because the server shuts down), and when the
  ///          session has finished
  /// @throws ClientError if the stream ended otherwise; without a handler for notices also for a session at fault,
  ///         after which the stream is still open
  bool receive(Frame& frame);

  /// Ends the stream immediately and wakes a waiting receive(). May be called from any thread.
  void cancel() noexcept;

  /// Single pass over the frames. A frame is valid until the next increment.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Frame;
    using difference_type = std::ptrdiff_t;
    using pointer = const Frame*;
    using reference = const Frame&;

    explicit Iterator(Observation* observation) : observation_(observation) { ++*this; }
    const Frame& operator*() const;
    Iterator& operator++();
    bool operator==(std::default_sentinel_t) const noexcept { return observation_ == nullptr; }

   private:
    Observation* observation_;
  };
  Iterator begin() { return Iterator(this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  struct Call;
  std::unique_ptr<Call> call_;
};

}  // namespace tactus::client
