// Notices: events that the server reports in a stream beside the frames.
#pragma once

#include "clients/cpp/error.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

namespace tactus::client {

/// Called with each notice of a stream, in the receiving thread.
using NoticeHandler = std::function<void(const v1::TickNotice&)>;

/// The error that a notice reports: a refused input, or a session that does not tick.
ClientError errorOf(const v1::TickNotice& notice);

/// Whether the server ends the stream after this notice.
bool endsStream(const v1::TickNotice& notice);

/// Prints one line "tactus: warning: ..." to stderr.
void warn(const std::string& text);

/// Passes a notice to the handler. Without a handler a refused input, inputs that another controller took over, a
/// fault, and a stop by the overrun policy are errors, and an entry of the safe state and a growth of energy are
/// printed; the stream stays open.
/// @throws ClientError
void tell(const NoticeHandler& handler, const v1::TickNotice& notice);

/// Detects the last frame of a finished session: the notice of the end may overtake frames that wait for credit. Call
/// see() with every response of a stream, in order.
class FinishWatch {
 public:
  /// @param[in] next_due  tick of the first frame; the smallest number if any tick may be the first
  /// @param[in] divisor   a frame every n ticks
  void begin(std::int64_t next_due, std::uint32_t divisor) {
    next_due_ = next_due;
    divisor_ = std::max(divisor, 1u);
  }

  /// `Response` has a frame and a notice: TickResponse, ObserveResponse.
  template <class Response>
  void see(const Response& response) {
    if (response.has_frame()) {
      next_due_ = response.frame().tick() + divisor_;
    } else if (response.has_notice() && response.notice().reason() == "SESSION_FINISHED") {
      last_ = response.notice().tick();
    } else if (response.has_notice() && response.notice().reason() == "SESSION_RESET") {
      next_due_ = 0;
      last_.reset();
    }
  }

  /// True once, after the last frame.
  bool over() {
    if (!last_ || next_due_ <= *last_) return false;
    last_.reset();
    return true;
  }

 private:
  std::int64_t next_due_ = 0;
  std::int64_t divisor_ = 1;
  std::optional<std::int64_t> last_;
};

}  // namespace tactus::client
