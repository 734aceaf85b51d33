// The control stream: inputs to the server and states back, at every tick.
#pragma once

#include "clients/cpp/connection.h"
#include "clients/cpp/frame.h"
#include "clients/cpp/notice.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tactus::client {

struct TickOptions {
  std::vector<std::string> inputs{"*"};   ///< actuators, names or globs; may be empty in real time, to only listen
  std::vector<std::string> outputs{"*"};  ///< signals, names or globs
  std::uint32_t credit_window = 8;        ///< maximum number of unacknowledged frames
  std::uint32_t output_divisor = 1;       ///< a frame every n ticks
  std::uint64_t expected_input_layout_hash = 0;   ///< 0: any layout
  std::uint64_t expected_output_layout_hash = 0;  ///< 0: any layout
  std::string controller = {};                    ///< name of this controller in notices
  std::string takeover_reason = {};               ///< takes the inputs from their controller; empty: only free inputs
  /// Leave the safe state that the loss of the controller before led to. Without it such a group stays in the safe
  /// state, unless its last controller closed its stream in order.
  bool leave_safe_state = false;
  NoticeHandler on_notice = {};  ///< called for refused inputs, pauses, faults; without it, see receive()
};

/// Opened by Session::tick. One thread may send while another receives; cancel() may be called from any thread.
///
/// The stream acknowledges frames by itself: with each input, and separately for a reader that does not send.
/// It prints a warning to stderr if its inputs are ignored in the safe state from the start; later entries come as
/// notice SAFE_STATE_ENTERED, which is printed where no handler is given.
class TickStream {
 public:
  /// @param[in] actuators  actuators of the session, to resolve globs among the inputs
  /// @throws ClientError  SESSION_UNKNOWN, SIGNAL_UNKNOWN, LAYOUT_MISMATCH, LEASE_HELD, ...
  TickStream(const Connection& connection, const std::string& session, const std::vector<std::string>& actuators,
             const TickOptions& options);
  ~TickStream();
  TickStream(TickStream&&) noexcept;
  TickStream& operator=(TickStream&&) noexcept;

  /// Layout of the values of send() and step().
  const Layout& inputs() const noexcept;
  /// Layout of the values of a frame.
  const Layout& outputs() const noexcept;
  /// Period, clock, tick, credit window and safe state of the stream, from the server.
  const v1::TickOpened& opened() const noexcept;

  /// Sends a complete set of values, in the order of inputs().
  /// @returns the sequence number that returns in the frames that used the input; 0 if the stream has ended, and then
  ///          receive() reports the reason
  /// @param[in] for_tick  the first tick that uses the input; 0 for the next tick. A past tick is refused
  ///                      (TICK_IN_PAST); for a later tick the input waits
  /// @throws std::invalid_argument if the count is wrong
  std::uint64_t send(std::span<const double> values, std::int64_t for_tick = 0);
  std::uint64_t send(std::initializer_list<double> values) { return send(std::span(values.begin(), values.size())); }

  /// Sends values by name; the other values stay unchanged. The values of a refused input are forgotten when receive()
  /// or step() reads its notice.
  /// @throws std::out_of_range for a name outside inputs()
  std::uint64_t send(const std::map<std::string, double>& values);

  /// Waits for the next frame.
  /// @returns false when the stream has ended (after close() or cancel(), or because the server shuts down), and
  ///          when the session has finished
  /// @throws ClientError if the stream ended otherwise; without a handler for notices also for a refused input and
  ///         for a session at fault, after which the stream is still open
  bool receive(Frame& frame);

  /// Lockstep: sends one input and waits for the tick that used it, or that ignored it because of the safe state
  /// (Frame::inputMode). The frame is valid until the next call.
  /// @throws ClientError if the input was refused, the step failed (SESSION_FAULTED), the session does not tick
  ///         (SESSION_STATE) or the stream has ended
  const Frame& step(std::span<const double> values);
  const Frame& step(const std::map<std::string, double>& values);

  /// Ends the stream in order: inputs that were sent are still used, frames in transit are discarded.
  /// @throws ClientError if the stream ended with an error
  void close();

  /// Ends the stream immediately and wakes a waiting receive().
  void cancel() noexcept;

 private:
  const Frame& awaitStep(std::uint64_t sequence);

  struct Call;
  std::unique_ptr<Call> call_;
};

}  // namespace tactus::client
