// TickThread: the thread in which the ticks of a session run, what the system granted it, and how late the host wakes
// it.
#pragma once

#include "rt/loop/realtime_thread.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_loop.h"
#include "rt/loop/wake_probe.h"
#include "server/session/lifecycle.h"
#include "server/session/session_setup.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tactus::server {

/// A session with the clock lockstep or external has no clock here and never starts this thread: its ticks run in the
/// threads that bring the inputs, which may call enter().
///
/// start(), stop() and started() are called by one thread at a time; all other members by any thread.
class TickThread {
 public:
  TickThread(const SessionSpec& spec, rt::TickLoop& loop, Lifecycle& lifecycle, std::optional<rt::TickClock> clock)
      : spec_(spec), loop_(loop), lifecycle_(lifecycle), clock_(std::move(clock)) {}
  ~TickThread() { stop(); }

  TickThread(const TickThread&) = delete;
  TickThread& operator=(const TickThread&) = delete;

  /// Returns when the thread has asked for its real-time class and cores and is about to tick. The lifecycle learns how
  /// the run ends.
  /// @throws what enter() throws; the session is paused then
  void start();

  /// Ends the run after the tick under way, and returns at once; stop() must follow. Any thread.
  void requestStop() noexcept {
    stop_ = true;
    loop_.wakeAlerted();
  }

  /// Ends the run after the tick under way and joins the thread. Does nothing if there is none.
  void stop();

  /// Whether the thread was started and not stopped since; its run may have ended.
  bool started() const noexcept { return thread_.joinable(); }

  /// Asks for the class and the cores of the session for the calling thread, which is to tick, and for the threads that
  /// share its steps, which it starts. @throws Error
  void enter();

  /// What enter() last asked for, and what the system granted.
  std::vector<rt::Grant> grants() const;

  /// How long the thread spins before each deadline; 0 before the first start.
  std::int64_t spinMarginNs() const noexcept { return margin_ns_.load(std::memory_order_relaxed); }

  /// Wall-clock time between two ticks; 0 without a clock.
  std::int64_t wallPeriodNs() const noexcept { return clock_ ? clock_->wallPeriodNs() : 0; }

  /// How late the host wakes a thread of the same class; none before the first start, and where the clock has no grid.
  std::optional<rt::LatencySummary> hostWake() const;
  void resetHostWake();

 private:
  void run(const std::function<void(std::exception_ptr)>& ready);
  void watch();
  void startProbe();
  void stopProbe();

  const SessionSpec& spec_;
  rt::TickLoop& loop_;
  Lifecycle& lifecycle_;
  std::optional<rt::TickClock> clock_;
  std::thread thread_, watch_;  ///< the tick thread, and one of the normal class that looks at the session
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> margin_ns_{0};

  mutable std::mutex mutex_;
  std::vector<rt::Grant> grants_;
  std::unique_ptr<rt::WakeProbe> probe_;              ///< while a paced run lasts
  std::optional<rt::LatencySummary> last_host_wake_;  ///< of the run before
};

}  // namespace tactus::server
