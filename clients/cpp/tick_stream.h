// The control stream: inputs in, states out, at every tick.
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
  std::vector<std::string> inputs{"*"};           ///< actuators, names or globs; in real time none for only listening
  std::vector<std::string> outputs{"*"};          ///< signals, names or globs
  std::uint32_t credit_window = 8;                ///< frames that the server may send ahead of what was received
  std::uint32_t output_divisor = 1;               ///< a frame every n ticks
  std::uint64_t expected_input_layout_hash = 0;   ///< 0: whatever results
  std::uint64_t expected_output_layout_hash = 0;  ///< 0: whatever results
  std::string controller = {};                    ///< who this is, for those who watch
  std::string takeover_reason = {};               ///< takes the inputs from who has them; empty: only if they are free
  NoticeHandler on_notice = {};                   ///< refused inputs, pauses, faults; without one, see receive()
};

/// Made by Session::tick. One thread may send while another receives; cancel() may come from any.
///
/// Credit is given back by itself: each input carries the newest frame received, and a reader that does not send
/// acknowledges in between.
class TickStream {
 public:
  /// @param[in] actuators  of the session, to resolve globs among the inputs
  /// @throws ClientError  SESSION_UNKNOWN, SIGNAL_UNKNOWN, LAYOUT_MISMATCH, LEASE_HELD, ...
  TickStream(const Connection& connection, const std::string& session, const std::vector<std::string>& actuators,
             const TickOptions& options);
  ~TickStream();
  TickStream(TickStream&&) noexcept;
  TickStream& operator=(TickStream&&) noexcept;

  /// Order of the values of send() and step().
  const Layout& inputs() const noexcept;
  /// Order of the values of a frame.
  const Layout& outputs() const noexcept;
  /// Period, clock, tick and credit window as the server opened the stream.
  const v1::TickOpened& opened() const noexcept;

  /// Sends a complete set of values, in the order of inputs().
  /// @returns the sequence number that comes back in the frames that used it; 0 if the stream has ended, and then
  ///          receive() says why
  /// @param[in] for_tick  the tick that is to use it first, 0 for the next one; a tick that is over refuses it
  ///                      (TICK_IN_PAST), a later one has it wait
  /// @throws std::invalid_argument if the count is wrong
  std::uint64_t send(std::span<const double> values, std::int64_t for_tick = 0);
  std::uint64_t send(std::initializer_list<double> values) { return send(std::span(values.begin(), values.size())); }

  /// Sends values by name; the others stay as they were.
  /// @throws std::out_of_range for a name that is not among inputs()
  std::uint64_t send(const std::map<std::string, double>& values);

  /// Waits for the next frame.
  /// @returns false when the stream has ended (after close() or cancel(), or because the server shuts down), and
  ///          when the session has finished
  /// @throws ClientError if the stream ended otherwise; without a handler for notices also for a refused input and
  ///         for a session at fault, after which the stream is still open
  bool receive(Frame& frame);

  /// Lockstep: sends one input and waits for the tick that used it, or that left it aside because of the safe state
  /// (Frame::inputMode). The frame is good until the next call.
  /// @throws ClientError if the input was refused, the step failed (SESSION_FAULTED), the session does not tick
  ///         (SESSION_STATE) or the stream has ended
  const Frame& step(std::span<const double> values);
  const Frame& step(const std::map<std::string, double>& values);

  /// Ends the stream in order: what was sent is still used, frames on their way are discarded.
  /// @throws ClientError if it ended in an error
  void close();

  /// Ends the stream at once and wakes a waiting receive().
  void cancel() noexcept;

 private:
  const Frame& awaitStep(std::uint64_t sequence);

  struct Call;
  std::unique_ptr<Call> call_;
};

}  // namespace tactus::client
