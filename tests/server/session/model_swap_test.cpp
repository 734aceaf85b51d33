#include "server/session/model_swap.h"
#include "rt/model/model.h"

// Parameters of a session: used between two ticks, all or none, with every clock, and with the same bits again.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/signals/signal_reader.h"
#include "rt/state/state.h"
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "server/record/recording_message.h"
#include "server/record/snapshot_message.h"
#include "server/session/session.h"
#include "server/wire/request_error.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

using namespace tactus;
using namespace tactus::server;
using Mode = ClockChoice::Mode;
using tests::awaitTick;
using tests::kNever;

namespace {

SessionSpec documentSpec(Mode clock, const ModelDocument& document) {
  SessionSpec spec;
  spec.name = "test";
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(document.spec));
  spec.model_message = std::make_shared<const v1::Model>(document.message);
  spec.clock.mode = clock;
  return spec;
}

SessionSpec motorSpec(Mode clock, const std::string& name = "motor_four_bar") {
  return documentSpec(clock, openBuiltInModel(name));
}

std::uint64_t hashOf(Session& session) {
  return *session.status().state_hash;
}

double valueOf(const Session& session, const std::string& name) {
  for (const rt::Parameter& parameter : session.tuning().model->parameters)
    if (parameter.name == name) return parameter.value;
  return std::nan("");
}

/// The hash after some ticks with a parameter that changes on the way.
std::uint64_t hashWith(double mass, std::int64_t first, std::int64_t ticks) {
  Session session(motorSpec(Mode::kLockstep));
  session.step(first - 1, kNever);
  CHECK(session.setParameters({{"rocker_mass", mass}}) == first);
  session.step(ticks - first + 1, kNever);
  return hashOf(session);
}

}  // namespace

TEST_CASE("a parameter takes effect in the reported tick, and not before", "[server][session]") {
  Session plain(motorSpec(Mode::kLockstep)), tuned(motorSpec(Mode::kLockstep));
  plain.step(20, kNever);
  tuned.step(20, kNever);
  const std::uint64_t before = hashOf(tuned);
  CHECK(tuned.setParameters({{"rocker_mass", 3.0}}) == 21);
  CHECK(hashOf(tuned) == before);  // a set moves no bit of the state
  CHECK(valueOf(tuned, "rocker_mass") == 3);
  CHECK(valueOf(plain, "rocker_mass") == 0.6);
  plain.step(1, kNever);
  tuned.step(1, kNever);
  CHECK(hashOf(tuned) != hashOf(plain));
  CHECK(tuned.feed().newest().header.model_version == 1);

  // The same again gives the same bits; another tick gives others.
  CHECK(hashWith(3, 21, 100) == hashWith(3, 21, 100));
  CHECK(hashWith(3, 21, 100) != hashWith(3, 22, 100));
}

TEST_CASE("setting the current value changes no bit", "[server][session]") {
  Session plain(motorSpec(Mode::kLockstep));
  plain.step(100, kNever);
  CHECK(hashWith(0.6, 50, 100) == hashOf(plain));
}

TEST_CASE("running threads take parameters in the reported tick", "[server][session]") {
  const Mode mode = GENERATE(Mode::kRealTime, Mode::kFreeRun);
  Session session(motorSpec(mode));
  session.start();
  awaitTick(session, 3);
  std::int64_t last = 0;
  for (int k = 1; k <= 40; ++k) {
    const std::int64_t tick = session.setParameters({{"rocker_mass", 0.6 + 0.01 * k}, {"gravity_y", -9.81 + 0.1 * k}});
    CHECK(tick > last);
    last = tick;

    // Each publication names the model that made it.
    awaitTick(session, tick);
    rt::Snapshot snapshot = session.feed().newest();
    CHECK(snapshot.header.model_version == static_cast<std::uint64_t>(k));
    CHECK(session.feed().signals().modelOf(snapshot.header.model_version)->parameters[0].value == 0.6 + 0.01 * k);
  }
  session.pause();
  CHECK(session.tuning().first_tick == last);
}

TEST_CASE("parameters are set in the safe state and in a paused session, too", "[server][session]") {
  Session session(motorSpec(Mode::kRealTime));
  CHECK(session.setParameters({{"rocker_mass", 1.0}}) == 1);  // ready
  session.start();
  awaitTick(session, 5);
  session.enterSafeState();
  CHECK(session.setParameters({{"rocker_mass", 2.0}}) > 5);
  session.pause();
  const std::int64_t tick = session.status().tick;
  CHECK(session.setParameters({{"rocker_mass", 4.0}}) == tick + 1);
  CHECK(valueOf(session, "rocker_mass") == 4);
}

TEST_CASE("an invalid value changes nothing", "[server][session]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Session session(motorSpec(Mode::kLockstep)), twin(motorSpec(Mode::kLockstep));
  session.step(10, kNever);
  twin.step(10, kNever);
  const std::vector<std::tuple<ParameterValues, Reason, std::string, std::string>> bad = {
      {{}, Reason::kRequestInvalid, "values", "GetParameters"},
      {{{"rocker_mas", 1}}, Reason::kParameterUnknown, "values[0].name", "rocker_mass"},
      {{{"rocker_mass", 1}, {"mass", 1}}, Reason::kParameterUnknown, "values[1].name", ""},
      {{{"rocker_mass", 1}, {"rocker_mass", 1}}, Reason::kRequestInvalid, "values[1].name", ""},
      {{{"gravity_y", 1}, {"rocker_mass", nan}}, Reason::kNotFinite, "values[1].value", ""},
      {{{"rocker_mass", inf}}, Reason::kNotFinite, "values[0].value", ""},
      {{{"gravity_y", 1}, {"rocker_mass", 0.0}}, Reason::kValueOutOfRange, "values[1].value", ""},
      {{{"gravity_y", -20.5}}, Reason::kValueOutOfRange, "values[0].value", ""},
      {{{"gravity_y", 1e308}}, Reason::kValueOutOfRange, "values[0].value", ""},
  };
  for (const auto& [values, reason, field, hint] : bad) {
    INFO(toString(values));
    try {
      session.setParameters(values);
      FAIL("was not refused");
    } catch (const RequestError& error) {
      CHECK(error.reason() == reason);
      CHECK(error.field() == field);
      CHECK_THAT(error.hint(), Catch::Contains(hint));
    }
    CHECK(hashOf(session) == hashOf(twin));
    CHECK(session.tuning().first_tick == 0);
    CHECK(valueOf(session, "gravity_y") == -9.81);
  }
  session.step(50, kNever);
  twin.step(50, kNever);
  CHECK(hashOf(session) == hashOf(twin));
}

TEST_CASE("a session without further ticks, or whose model has no parameters, refuses values", "[server][session]") {
  SessionSpec spec = motorSpec(Mode::kLockstep);
  spec.stop_tick = 3;
  Session finished(spec);
  finished.step(3, kNever);
  CHECK_THROWS_AS(finished.setParameters({{"rocker_mass", 1.0}}), RequestError);
  Session bare(motorSpec(Mode::kLockstep, "four_bar"));
  CHECK_THROWS_AS(bare.setParameters({{"rocker_mass", 1.0}}), RequestError);
}

TEST_CASE("a reset restores the parameters", "[server][session]") {
  Session session(motorSpec(Mode::kLockstep)), plain(motorSpec(Mode::kLockstep));
  session.setParameters({{"rocker_mass", 5.0}});
  session.step(10, kNever);
  session.reset();
  CHECK(valueOf(session, "rocker_mass") == 0.6);
  CHECK(session.tuning().message.bodies(2).mass() == 0.6);
  session.step(30, kNever);
  plain.step(30, kNever);
  CHECK(hashOf(session) == hashOf(plain));
}

TEST_CASE("a snapshot holds the values of the next tick", "[server][session]") {
  Session session(motorSpec(Mode::kLockstep)), other(motorSpec(Mode::kLockstep));
  session.step(10, kNever);
  session.setParameters({{"rocker_mass", 2.5}});
  const v1::SessionSnapshot pending = snapshotOf(session);  // set, and not yet used
  session.step(10, kNever);
  const v1::SessionSnapshot used = snapshotOf(session);
  session.step(20, kNever);

  for (const v1::SessionSnapshot* saved : {&pending, &used}) {
    other.setParameters({{"rocker_mass", 4.5}, {"gravity_y", 3}});
    other.step(7, kNever);
    other.restore(readSnapshot(*saved, other.model(), other.settings().period_ns), readParameters(saved->parameters()));
    CHECK(valueOf(other, "rocker_mass") == 2.5);
    CHECK(valueOf(other, "gravity_y") == -9.81);
    other.step(40 - saved->tick(), kNever);
    CHECK(hashOf(other) == hashOf(session));
  }

  // Damaged values are found.
  v1::SessionSnapshot edited = used;
  edited.mutable_parameters(0)->set_value(2.6);
  CHECK_THROWS_AS(readSnapshot(edited, other.model(), other.settings().period_ns), RequestError);
}

TEST_CASE("signals use the model that made their tick", "[server][session]") {
  Session session(motorSpec(Mode::kLockstep));
  rt::SignalReader reader(session.feed().signals(), session.feed().signals().resolve({"energy.potential"}));
  double before = 0, after = 0;
  session.step(1, kNever);
  reader.read(session.feed().newest(), {&before, 1});
  session.setParameters({{"gravity_y", 0.0}});
  reader.read(session.feed().newest(), {&after, 1});
  CHECK(after == before);
  session.step(1, kNever);
  reader.read(session.feed().newest(), {&after, 1});
  CHECK(before != 0);
  CHECK(after == 0);
}

TEST_CASE("a beam goes on with another modulus, set between two ticks, with the bits of a model declared with it",
          "[server][session][beam]") {
  v1::Model message = openBuiltInModel("flexible_arm").message;
  message.mutable_actuators(0)->set_initial(20);  // N m: the boom bends by its payload
  Session session(documentSpec(Mode::kLockstep, readModelMessage(message)));
  const rt::Settings settings = rt::chooseSettings(session.model());
  session.step(200, kNever);
  rt::Snapshot bent = session.feed().newest();
  CHECK(session.setParameters({{"young", 3.5e10}}) == 201);

  // Declared with the modulus and compiled anew; from the state of tick 200 on. As it was declared before: for the
  // difference.
  const rt::Model stiff = rt::buildModel(readModelMessage(message).spec);
  message.mutable_composites(0)->mutable_beam()->mutable_material()->set_young(3.5e10);
  const rt::Model soft = rt::buildModel(readModelMessage(message).spec);
  CHECK(soft.hash != stiff.hash);
  const rt::Plan soft_plan = rt::compilePlan(soft), stiff_plan = rt::compilePlan(stiff);
  rt::Workspace soft_workspace(soft, soft_plan, 1), stiff_workspace(stiff, stiff_plan, 1);
  rt::State soft_state(soft), stiff_state(stiff);
  for (rt::State* state : {&soft_state, &stiff_state}) {
    state->tick = 200;
    state->values() = bent.state;
  }
  double violation = 0;
  for (int tick = 201; tick <= 500; ++tick) {
    CAPTURE(tick);
    session.step(1, kNever);
    REQUIRE(rt::step(soft, soft_plan, settings, bent.inputs, soft_state, soft_workspace).status == rt::TickStatus::kOk);
    REQUIRE(rt::step(stiff, stiff_plan, settings, bent.inputs, stiff_state, stiff_workspace).status ==
            rt::TickStatus::kOk);
    REQUIRE(hashOf(session) == rt::hashState(soft_state));
    const rt::StepReport report = session.feed().newest().header.report;
    violation = std::max({violation, report.constraint_position, report.constraint_velocity});
  }
  CHECK(violation <
        1e-10);  // the hinge of the shoulder and the mount of the payload stay rigid, from the first tick on
  const int payload =
      static_cast<int>(std::find(soft.body_names.begin(), soft.body_names.end(), "payload") - soft.body_names.begin());
  CHECK((soft_state.r(payload) - stiff_state.r(payload)).norm() > 1e-4);  // m; 0.6 mm is seen
}

TEST_CASE("events report which values were set and their first tick", "[server][session]") {
  Session session(motorSpec(Mode::kLockstep));
  session.step(4, kNever);
  session.setParameters({{"rocker_mass", 1.5}});
  std::uint64_t seen = 0;
  const std::vector<SessionEvent> events = session.feed().events().after(seen);
  REQUIRE_FALSE(events.empty());
  CHECK(events.back().kind == SessionEvent::Kind::kParameters);
  CHECK(events.back().tick == 5);
  CHECK(events.back().message == "rocker_mass = 1.5");
}
