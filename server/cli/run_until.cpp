#include "server/cli/run_until.h"

#include <asio.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

namespace tactus::server {

namespace {

/// A longer interval has no report; on the clock it would pass the largest time.
constexpr std::chrono::nanoseconds kLongestInterval = std::chrono::hours(24 * 365 * 100);

/// Calls `report` at whole multiples of the interval, so that the reports do not drift.
class Repeater {
 public:
  Repeater(asio::io_context& io, std::chrono::nanoseconds interval, const std::function<void()>& report)
      : timer_(io),
        interval_(std::min(interval, kLongestInterval)),
        report_(report),
        next_(std::chrono::steady_clock::now()) {
    schedule();
  }

 private:
  void schedule() {
    next_ += interval_;
    timer_.expires_at(next_);
    timer_.async_wait([this](const asio::error_code& error) {
      if (error) return;
      report_();
      schedule();
    });
  }

  asio::steady_timer timer_;
  std::chrono::nanoseconds interval_;
  const std::function<void()>& report_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace

struct RunUntil::Signals {
  explicit Signals(std::function<void()> at_hangup) : reload(std::move(at_hangup)) {
    if (!reload) return;
    hangup.add(SIGHUP);
    waitForHangup();
  }

  void waitForHangup() {
    hangup.async_wait([this](const asio::error_code& error, int) {
      if (error) return;
      reload();
      waitForHangup();
    });
  }

  asio::io_context io;
  asio::signal_set end{io, SIGINT, SIGTERM};
  asio::signal_set hangup{io};
  std::function<void()> reload;
};

RunUntil::RunUntil(std::function<void()> reload) : signals_(std::make_unique<Signals>(std::move(reload))) {}

RunUntil::~RunUntil() = default;

std::string RunUntil::wait(std::int64_t duration_ns, std::int64_t interval_ns, const std::function<void()>& report) {
  asio::io_context& io = signals_->io;
  std::string why;

  signals_->end.async_wait([&](const asio::error_code& error, int signal) {
    if (error) return;
    why = signal == SIGINT ? "interrupted (SIGINT)" : "terminated (SIGTERM)";
    io.stop();
  });

  asio::steady_timer end(io);
  if (duration_ns > 0) {
    end.expires_after(std::chrono::nanoseconds(duration_ns));
    end.async_wait([&](const asio::error_code& error) {
      if (error) return;
      why = "the duration is over";
      io.stop();
    });
  }

  Repeater repeater(io, std::chrono::nanoseconds(interval_ns), report);
  io.run();
  signals_->end.cancel();
  return why;
}

}  // namespace tactus::server
