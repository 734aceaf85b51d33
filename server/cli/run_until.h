// The wait of the main thread for a signal or the end of a duration, with a periodic report.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tactus::server {

/// From its construction on SIGINT and SIGTERM do not end the process: a signal that comes before wait() ends that wait at
/// once. Construct it before the process says that it is ready.
class RunUntil {
 public:
  /// @param reload  called at each SIGHUP, in wait(); without it that signal ends the process
  explicit RunUntil(std::function<void()> reload = {});
  ~RunUntil();
  RunUntil(const RunUntil&) = delete;
  RunUntil& operator=(const RunUntil&) = delete;

  /// Waits for SIGINT or SIGTERM, or for `duration_ns` (0: forever), and calls `report` every `interval_ns`. Once.
  /// @returns the reason of the end, as text
  std::string wait(std::int64_t duration_ns, std::int64_t interval_ns, const std::function<void()>& report);

 private:
  struct Signals;
  std::unique_ptr<Signals> signals_;
};

}  // namespace tactus::server
