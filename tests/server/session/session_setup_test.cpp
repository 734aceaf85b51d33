#include "server/session/session_setup.h"

#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("a session that cannot be made is refused with the field of the request", "[server][session]") {
  SessionSpec spec = specOf(Mode::kRealTime);
  std::string field;
  SECTION("period") {
    spec.period_ns = -1, field = "period_ns";
  }
  SECTION("short period") {
    spec.period_ns = 1, field = "period_ns";
  }
  SECTION("iterations") {
    spec.iterations = 999, field = "iterations";
  }
  SECTION("initial condition") {
    spec.initial_condition = "nowhere", field = "initial_condition";
  }
  SECTION("stop tick") {
    spec.stop_tick = -5, field = "stop_tick";
  }
  SECTION("priority") {
    spec.realtime.priority = 100, field = "priority";
  }
  SECTION("a class for a clock that never sleeps") {
    spec.clock.mode = Mode::kFreeRun;
    spec.realtime.priority = 1;
    field = "priority";
  }
  SECTION("an overrun rule for a clock without a grid") {
    spec.clock.mode = GENERATE(Mode::kFreeRun, Mode::kLockstep);
    spec.overrun.policy = rt::OverrunPolicy::kSlip;
    field = "overrun";
  }
  SECTION("an overrun rule that makes no sense") {
    spec.overrun.policy = rt::OverrunPolicy::kStop;
    spec.overrun.max_total = 3;
    field = "overrun";
  }
  SECTION("scale") {
    spec.clock = {Mode::kScaled, 1e12};
    field = "scale";
  }
  try {
    Session session(spec);
    FAIL("accepted");
  } catch (const RequestError& error) {
    CHECK(error.field() == field);
    CHECK(error.reason() == Reason::kRequestInvalid);
  }
}
