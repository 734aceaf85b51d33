#include "server/cli/run_until.h"

#include <asio.hpp>

#include <chrono>
#include <csignal>

namespace tactus::server {

namespace {

/// Calls `report` at whole multiples of the interval, so that the reports do not drift.
class Repeater {
 public:
  Repeater(asio::io_context& io, std::chrono::nanoseconds interval, const std::function<void()>& report)
      : timer_(io), interval_(interval), report_(report), next_(std::chrono::steady_clock::now()) {
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

/// Calls `reload` at each SIGHUP.
class Reloader {
 public:
  Reloader(asio::io_context& io, const std::function<void()>& reload) : signals_(io), reload_(reload) {
    if (!reload_) return;
    signals_.add(SIGHUP);
    wait();
  }

 private:
  void wait() {
    signals_.async_wait([this](const asio::error_code& error, int) {
      if (error) return;
      reload_();
      wait();
    });
  }

  asio::signal_set signals_;
  const std::function<void()>& reload_;
};

}  // namespace

std::string runUntil(std::int64_t duration_ns, std::int64_t interval_ns, const std::function<void()>& report,
                     const std::function<void()>& reload) {
  asio::io_context io;
  std::string why;

  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const asio::error_code& error, int signal) {
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
  const Reloader reloader(io, reload);
  io.run();
  return why;
}

}  // namespace tactus::server
