// Fitness: how fit this host and the way to it were found, for who asks and for each recording that begins.
#pragma once

#include "server/doctor/self_test.h"

#include "tactus/v1/recording.pb.h"
#include "tactus/v1/simulation.pb.h"

#include <mutex>
#include <optional>

namespace tactus::server {

/// Thread-safe.
class Fitness {
 public:
  /// What the host offers is looked at once, when it is first asked for.
  v1::HostReport host();

  /// Goes into the report from now on.
  void addSelfTest(const SelfTestResult& result, std::int64_t period_ns);

  /// The newest one counts; it gets the time of now.
  /// @throws RequestError kRequestInvalid naming the field that cannot be
  void addCommTest(const v1::CommTestResult& result);

  std::optional<v1::CommTestResult> commTest() const;

  /// Both, into the beginning of a recording.
  void write(v1::RecordingSetup& setup);

 private:
  mutable std::mutex mutex_;
  std::optional<v1::HostReport> host_;
  std::optional<v1::CommTestResult> comm_test_;
};

}  // namespace tactus::server
