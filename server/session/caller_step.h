// CallerStep: ticks of a StepSession request, run in the thread of the caller in short batches.
#pragma once

#include "rt/loop/tick_loop.h"
#include "server/session/lifecycle.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace tactus::server {

/// One step at a time. begin() is called by one thread at a time, and not during stop(); all other members by any
/// thread.
class CallerStep {
 public:
  /// @param before_batch  called before the ticks of each batch
  CallerStep(rt::TickLoop& loop, Lifecycle& lifecycle, std::function<void(const Lifecycle::Hold&)> before_batch)
      : loop_(loop), lifecycle_(lifecycle), before_batch_(std::move(before_batch)) {}

  /// Reserves the step. @throws RequestError kSessionState if another one is under way
  void begin();

  /// Runs `ticks` after begin(); fewer if the session faults or finishes.
  /// @param cancelled  asked between two batches
  /// @throws RequestError kCancelled; kSessionState after stop()
  void run(std::int64_t ticks, const std::function<bool()>& cancelled);

  /// Ends the step under way after its batch, and waits for that. The caller must not have the lock of Lifecycle.
  void stop() noexcept;

  /// @throws RequestError kSessionState while a step is under way
  void requireNone() const;

 private:
  bool tickBatch(std::int64_t& remaining);

  rt::TickLoop& loop_;
  Lifecycle& lifecycle_;
  const std::function<void(const Lifecycle::Hold&)> before_batch_;
  std::atomic<bool> active_{false}, interrupted_{false};
};

}  // namespace tactus::server
