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
    spec.solver = {{"iterations", 999}}, field = "iterations";
  }
  SECTION("a setting out of range") {
    spec.solver = {{"full_newton", 1}, {"velocity_passes", 1.5}}, field = "solver_settings[1]";
  }
  SECTION("an unknown setting") {
    spec.solver = {{"full_neuton", 1}}, field = "solver_settings[0]";
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

TEST_CASE("a session steps with the settings that it was created with", "[server][session]") {
  SessionSpec spec = specOf(Mode::kLockstep);
  spec.solver = {{"full_newton", 1}, {"velocity_passes", 4}, {"relative_compliance", 1e-7}, {"iterations", 7}};
  const rt::Settings settings = sessionSettings(spec);
  CHECK(settings.full_newton);
  CHECK(settings.velocity_passes == 4);
  CHECK(settings.relative_compliance == 1e-7);
  CHECK(settings.iterations == 7);
  CHECK(Session(spec).settings().velocity_passes == 4);
}
