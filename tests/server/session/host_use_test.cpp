#include "server/session/host_use.h"

#include "server/wire/request_error.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;

namespace {

SessionSpec specOf(int priority, std::vector<int> cpus = {}, std::int64_t period_ns = 1'000'000) {
  SessionSpec spec;
  spec.model = tests::makePuck();
  spec.period_ns = period_ns;
  spec.realtime.priority = priority;
  spec.realtime.cpus = std::move(cpus);
  return spec;
}

/// The field that is refused; empty if none is.
std::string refused(SessionSpec spec, const HostLimits& limits) {
  try {
    limitHostUse(spec, limits, true);
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLimitExceeded);
    CHECK_FALSE(error.hint().empty());
    return error.field();
  }
  return {};
}

}  // namespace

TEST_CASE("a client gets no higher priority than the server allows", "[server][session]") {
  HostLimits limits;
  limits.priority = 79;
  CHECK(refused(specOf(79), limits).empty());
  CHECK(refused(specOf(80), limits) == "priority");
  SessionSpec unnamed = specOf(80);
  limitHostUse(unnamed, limits, false);
  CHECK(unnamed.realtime.priority == 79);
}

TEST_CASE("a client gets only the cores that the server allows, and all of them if it names none",
          "[server][session]") {
  HostLimits limits;
  limits.cpus = {0, 2};
  CHECK(refused(specOf(0, {2}), limits).empty());
  CHECK(refused(specOf(0, {2, 1}), limits) == "cpus[1]");
  SessionSpec unnamed = specOf(0);
  limitHostUse(unnamed, limits, true);
  CHECK(unnamed.realtime.cpus == std::vector<int>{0, 2});
  CHECK(refused(specOf(0, {7}), {}).empty());
}

TEST_CASE("a client gets no shorter period of real time than the server allows", "[server][session]") {
  HostLimits limits;
  limits.period_ns = 100'000;
  CHECK(refused(specOf(0, {}, 100'000), limits).empty());
  CHECK(refused(specOf(0, {}, 99'999), limits) == "period_ns");
  // At nine times real time, the period of 1 ms of the puck is one of 111 us by the clock on the wall.
  SessionSpec fast = specOf(0, {}, 0);
  fast.clock = {ClockChoice::Mode::kScaled, 9};
  CHECK(refused(fast, limits).empty());
  fast.clock.scale = 1000;
  CHECK(refused(fast, limits) == "period_ns");
  // Clocks that do not sleep have no period of real time.
  SessionSpec lockstep = specOf(0, {}, 1000);
  lockstep.clock = {ClockChoice::Mode::kLockstep};
  CHECK(refused(lockstep, limits).empty());
}
