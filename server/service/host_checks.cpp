#include "server/service/host_checks.h"

#include "rt/loop/time_source.h"
#include "server/wire/request_error.h"
#include "server/wire/timing_report.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::server {

namespace {

constexpr std::array kVerdicts = {"good", "fair", "warning", "not sufficient"};
constexpr std::array kTransports = {"grpc", "udp"};

template <class Words>
void requireOneOf(const Words& words, const std::string& found, const char* field) {
  if (std::find(words.begin(), words.end(), found) != words.end()) return;
  std::string known;
  for (const char* word : words) known += (known.empty() ? "" : ", ") + std::string(word);
  throw RequestError(Reason::kRequestInvalid, field, '"' + found.substr(0, 64) + "\" is not a valid word", known);
}

v1::HostReport lookAtHost() {
  v1::HostReport report;
  const std::vector<HostFinding> findings = checkHost("", readRights());
  for (const HostFinding& finding : findings) {
    v1::HostFinding& message = *report.add_findings();
    message.set_what(finding.what);
    message.set_grade(toString(finding.grade));
    message.set_found(finding.found);
    message.set_wanted(finding.wanted);
    message.set_effect(finding.effect);
    message.set_fix(finding.fix);
  }
  report.set_grade(toString(worstGrade(findings)));
  report.set_time_ns(rt::wallClockNs());
  return report;
}

}  // namespace

v1::HostReport HostChecks::host() {
  std::lock_guard lock(mutex_);
  if (!host_) host_ = lookAtHost();
  return *host_;
}

void HostChecks::addSelfTest(const SelfTestResult& result, std::int64_t period_ns) {
  v1::HostReport report = host();
  v1::HostSelfTest& test = *report.mutable_self_test();
  test.set_grade(toString(result.grade));
  test.set_verdict(result.verdict);
  test.set_period_ns(period_ns);
  test.set_ticks(result.ticks);
  test.set_missed(result.missed);
  writePhase("wake", result.wake, *test.mutable_wake());
  writePhase("sleep", result.sleep, *test.mutable_sleep());
  writeLateTicks(result.late, *test.mutable_late_ticks());
  Grade grade = result.grade;
  for (const Grade other : {Grade::kFair, Grade::kPoor})
    if (report.grade() == toString(other)) grade = std::max(grade, other);
  report.set_grade(toString(grade));
  std::lock_guard lock(mutex_);
  host_ = std::move(report);
}

void HostChecks::addCommTest(const v1::CommTestResult& result) {
  requireOneOf(kTransports, result.transport(), "transport");
  requireOneOf(kVerdicts, result.verdict(), "verdict");
  if (!std::isfinite(result.success_rate()) || result.success_rate() < 0 || result.success_rate() > 1)
    throw RequestError(Reason::kRequestInvalid, "success_rate", "must be from 0 to 1");
  if (result.period_ns() <= 0) throw RequestError(Reason::kRequestInvalid, "period_ns", "must be above 0");
  if (result.ticks() < 0) throw RequestError(Reason::kRequestInvalid, "ticks", "must not be below 0");
  if (result.round_trip().octaves_size() > 64 || result.round_trip().phase().size() > 64)
    throw RequestError(Reason::kRequestInvalid, "round_trip", "is longer than any histogram");
  std::lock_guard lock(mutex_);
  comm_test_ = result;
  comm_test_->DiscardUnknownFields();  // only what is known has bounds
  comm_test_->set_time_ns(rt::wallClockNs());
}

std::optional<v1::CommTestResult> HostChecks::commTest() const {
  std::lock_guard lock(mutex_);
  return comm_test_;
}

void HostChecks::write(v1::RecordingSetup& setup) {
  *setup.mutable_host() = host();
  if (const auto comm_test = commTest()) *setup.mutable_comm_test() = *comm_test;
}

}  // namespace tactus::server
