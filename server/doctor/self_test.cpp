#include "server/doctor/self_test.h"

#include "rt/error.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/wake_probe.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

namespace tactus::server {

namespace {

// As in the loop of a session, a tick is late beyond a tenth of the period.
constexpr std::int64_t kLateShare = 10;  // per cent

void pace(const SelfTestRequest& request, rt::LatencyHistogram& wake, SelfTestResult& result) {
  result.grants = rt::prepareProcess({});
  const std::vector<rt::Grant> own = rt::enterRealtime(request.thread);
  result.grants.insert(result.grants.end(), own.begin(), own.end());

  rt::TickClock clock(request.period_ns, {});
  const std::atomic<bool> stop{false};
  clock.start();
  result.spin_margin_ns = clock.marginNs();
  rt::LateTickAnalyzer analyzer(0);
  const std::int64_t once_a_second = std::max<std::int64_t>(1'000'000'000 / request.period_ns, 1);
  while (result.ticks + result.missed < request.duration_ns / request.period_ns) {
    const rt::GridPoint point = clock.waitNext(stop);
    ++result.ticks;
    result.missed += point.missed;
    wake.record(point.lateness_ns, result.ticks);
    if (point.overslept_ns * 100 > request.period_ns * kLateShare) {
      const rt::LateCause cause = analyzer.classify(result.ticks, point.overslept_ns, {}).cause;
      ++result.late[static_cast<std::size_t>(cause)];
      continue;
    }
    analyzer.recordOnTime({});
    if (result.ticks % once_a_second == 0) analyzer.sampleBaseline(result.ticks);
  }
}

}  // namespace

SelfTestResult testHost(const SelfTestRequest& request) {
  rt::TickClock(request.period_ns, {});  // throws for a bad period before any thread starts
  if (request.duration_ns < request.period_ns)
    throw Error(
        "the duration of the test must not be shorter than a period: there would be no tick; give a longer one");
  SelfTestResult result;
  const auto wake = std::make_unique<rt::LatencyHistogram>();
  {
    rt::ThreadRequest beside = request.thread;
    beside.stack_bytes = 0;
    const rt::WakeProbe probe(beside);
    std::thread thread([&] { pace(request, *wake, result); });
    thread.join();
    result.sleep = probe.summary();
  }
  result.wake = wake->summary();
  grade(result);
  return result;
}

void grade(SelfTestResult& result) {
  const std::int64_t points = result.ticks + result.missed;
  const bool granted = rt::allGranted(result.grants);
  if (result.missed * 1000 > points) {
    result.grade = Grade::kPoor;
  } else if (result.missed > 0 || !granted) {
    result.grade = Grade::kFair;
  } else {
    result.grade = Grade::kGood;
  }
  result.verdict = std::to_string(result.missed) + " of " + std::to_string(points) + " deadlines missed";
  if (!granted) result.verdict += ", and some requests were not granted";
  switch (result.grade) {
    case Grade::kGood: result.verdict += ": fit for this period"; break;
    case Grade::kFair: result.verdict += ": fit for work that tolerates a missed tick"; break;
    case Grade::kPoor: result.verdict += ": not fit for this period"; break;
  }
}

}  // namespace tactus::server
