// HostChecks: the results of the checks of this host and of its network, for reports and for the head of each
// recording.
#pragma once

#include "server/doctor/self_test.h"

#include "tactus/v1/recording.pb.h"
#include "tactus/v1/simulation.pb.h"

#include <mutex>
#include <optional>

namespace tactus::server {

/// Thread-safe.
class HostChecks {
 public:
  /// The host is checked once, at the first call.
  v1::HostReport host();

  /// Adds the result to the report.
  void addSelfTest(const SelfTestResult& result, std::int64_t period_ns);

  /// Replaces the result before; it gets the current time.
  /// @throws RequestError kRequestInvalid naming the invalid field
  void addCommTest(const v1::CommTestResult& result);

  std::optional<v1::CommTestResult> commTest() const;

  /// Writes both results into the head of a recording.
  void write(v1::RecordingSetup& setup);

 private:
  mutable std::mutex mutex_;
  std::optional<v1::HostReport> host_;
  std::optional<v1::CommTestResult> comm_test_;
};

}  // namespace tactus::server
