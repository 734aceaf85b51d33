// The search of an Analyse request without a server: it has the bits of the library, and what is refused says why.
// Covers: server/wire/state_search.cpp, server/wire/found_state.cpp
#include "server/wire/state_search.h"

#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/equilibrium.h"
#include "rt/offline/analysis/trim.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/signals/state_outputs.h"
#include "rt/state/actuator_input.h"
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;

namespace {

struct Searched {
  explicit Searched(const std::string& reference) : Searched(openBuiltInModel(reference)) {}
  explicit Searched(const ModelDocument& document) : model(rt::buildModel(document.spec)), tick(model) {
    start = rt::initialState(model).state;
    tick.state = start.values();
    tick.inputs = rt::ActuatorInput(model).values;
  }

  rt::Snapshot search(const v1::AnalyseRequest& request, v1::FoundState& found) const {
    return searchState(tick, model, 0, request, interrupt, found);
  }

  std::optional<RequestError> refusal(const std::function<void(v1::AnalyseRequest&)>& change) const {
    v1::AnalyseRequest request;
    change(request);
    v1::FoundState found;
    try {
      search(request, found);
    } catch (const RequestError& error) { return error; }
    return std::nullopt;
  }

  rt::Model model;
  rt::Snapshot tick;
  rt::State start;
  std::atomic<bool> interrupt = false;
};

void require(v1::AnalyseRequest& request, const std::string& name, double value) {
  v1::NamedValue& required = *request.mutable_trim()->add_require();
  required.set_name(name);
  required.set_value(value);
}

void giveInput(v1::AnalyseRequest& request, const std::string& name, double value) {
  v1::NamedValue& input = *request.add_input_values();
  input.set_name(name);
  input.set_value(value);
}

/// Whether a list has the values of a vector; one that is not a number has no equal.
template <class Vector>
bool equal(const google::protobuf::RepeatedField<double>& list, const Vector& vector) {
  return std::equal(list.begin(), list.end(), vector.begin(), vector.end());
}

/// Bodies, reactions and inputs of a message are those of a state.
void checkState(const v1::FoundState& found, const rt::Model& model, const rt::State& state) {
  REQUIRE(found.bodies_size() == model.bodyCount());
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) {
    CHECK(found.bodies(i).body() == model.body_names[static_cast<std::size_t>(i)]);
    CHECK(equal(found.bodies(i).position(), state.view().r(i)));
    CHECK(equal(found.bodies(i).orientation(), state.view().p(i)));
    CHECK(equal(found.bodies(i).velocity(), state.view().v(i)));
    CHECK(equal(found.bodies(i).angular_velocity(), state.view().omega(i)));
    motions.push_back(rt::bodyMotion(state.view(), i));
  }
  REQUIRE(found.reactions_size() == model.jointCount());
  double largest = 0;
  for (int j = 0; j < model.jointCount(); ++j) {
    const rt::Load load = rt::reactionOnBody2(model, j, motions.data(), state.view().lambda());
    CHECK(found.reactions(j).joint() == model.joint_names[static_cast<std::size_t>(j)]);
    CHECK(equal(found.reactions(j).force(), load.force));
    CHECK(equal(found.reactions(j).torque(), load.torque));
    largest = rt::worst(largest, load.force.norm());
  }
  CHECK(largest > 0);
}

}  // namespace

TEST_CASE("an equilibrium of a session's tick has the bits of the library, and its tick is moved there",
          "[server][wire]") {
  const Searched bar("motor_four_bar");
  const rt::offline::Equilibrium expected = rt::offline::findEquilibrium(bar.model, bar.start, bar.tick.inputs);
  v1::AnalyseRequest request;
  request.mutable_equilibrium();
  request.add_outputs("crank_angle");
  v1::FoundState found;
  const rt::Snapshot moved = bar.search(request, found);
  CHECK(moved.state == expected.state.values());
  CHECK(moved.state != bar.tick.state);
  CHECK(moved.inputs == bar.tick.inputs);
  CHECK(moved.header.tick == bar.tick.header.tick);
  checkState(found, bar.model, expected.state);
  CHECK(found.residual() == expected.residual);
  CHECK(found.equilibrium().freedoms() == 1);
  CHECK(found.equilibrium().redundant_rows() == static_cast<std::uint32_t>(expected.redundant_rows));
  CHECK(found.equilibrium().unstable() == 0);
  CHECK_FALSE(found.equilibrium().singular());
  CHECK(found.equilibrium().rank() == found.equilibrium().rank_at_start());
  CHECK(found.equilibrium().violation() == expected.violation);
  REQUIRE(found.equilibrium().steps_size() == 1);
  CHECK(found.equilibrium().steps(0).share() == 1);
  CHECK(found.equilibrium().steps(0).residual() == expected.steps[0].residual);
  CHECK(found.iterations() == static_cast<std::uint32_t>(expected.steps[0].iterations));
  REQUIRE(found.signals_size() == 1);
  CHECK(found.signals(0).name() == "crank_angle");
  CHECK(found.signals(0).unit() == "rad");
  rt::StateOutputs outputs(bar.model, {"crank_angle"});
  CHECK(found.signals(0).value() == outputs.read(expected.state)[0]);
  REQUIRE(found.inputs_size() == 1);
  CHECK(found.inputs(0).name() == "motor");
  CHECK(found.inputs(0).unit() == "N m");
  CHECK_FALSE(found.inputs(0).free());
}

TEST_CASE("a search has the inputs of the request in place of those of the tick", "[server][wire]") {
  const Searched bar("motor_four_bar");
  const std::vector<double> held = {0.05};
  const rt::offline::Equilibrium expected = rt::offline::findEquilibrium(bar.model, bar.start, held);
  v1::AnalyseRequest request;
  request.mutable_equilibrium()->set_load_steps(3);
  giveInput(request, "motor", held[0]);
  v1::FoundState found;
  const rt::Snapshot moved = bar.search(request, found);
  CHECK(moved.inputs == held);
  CHECK(found.inputs(0).value() == held[0]);
  CHECK(found.equilibrium().steps_size() == 3);
  // Three load steps end at the pose of one within the tolerance of the search, 1e-10 of a move.
  rt::State state(bar.model);
  state.values() = moved.state;
  CHECK((state.view().r(0) - expected.state.view().r(0)).norm() < 1e-8);
  // The torque turns the crank by 0.054 rad, and its mass center is 0.02 m from the axis: another pose than without it.
  CHECK((state.view().r(0) - rt::offline::findEquilibrium(bar.model, bar.start, {0.0}).state.view().r(0)).norm() >
        5e-4);
}

TEST_CASE("a trim of a session's tick has the bits of the library and says what was free", "[server][wire]") {
  const Searched car("sedan");
  v1::AnalyseRequest request;
  request.mutable_equilibrium();
  giveInput(request, "gear_ratio", 1.4);
  require(request, "speed", 10);
  require(request, "yaw_rate", 0.2);
  request.mutable_trim()->add_free("throttle");
  request.mutable_trim()->add_free("steering");
  request.mutable_trim()->set_moving(true);
  request.add_outputs("speed");
  request.add_outputs("energy.kinetic");
  v1::FoundState found;
  const rt::Snapshot moved = car.search(request, found);

  std::vector<double> input = car.tick.inputs;
  const auto indexOf = [&](const std::string& name) {
    const auto& names = car.model.actuator_names;
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  input[static_cast<std::size_t>(indexOf("gear_ratio"))] = 1.4;
  rt::State start = car.start;
  std::copy(input.begin(), input.end(), start.input());
  const rt::State rest = rt::offline::findEquilibrium(car.model, start, input).state;
  rt::offline::TrimOptions options;
  options.free_inputs = {indexOf("throttle"), indexOf("steering")};
  options.wanted = Eigen::Vector2d(10, 0.2);
  options.at_rest = false;
  rt::StateOutputs required(car.model, {"speed", "yaw_rate"});
  const rt::offline::Trim expected = rt::offline::findTrim(car.model, rest, input, required.function(), options);
  CHECK(moved.state == expected.state.values());
  CHECK(moved.inputs == expected.input);
  checkState(found, car.model, expected.state);
  CHECK(found.residual() == expected.residual);
  CHECK(found.iterations() == static_cast<std::uint32_t>(expected.iterations));
  CHECK(equal(found.trim().turning(), expected.turning));
  // The yaw rate is that of the body, whose axis leans in the turn by less than 3 degrees.
  CHECK(found.trim().turning(2) == Approx(0.2).epsilon(2e-3));
  CHECK(found.trim().steady_motions() == static_cast<std::uint32_t>(expected.steady_motions));
  CHECK(found.trim().steps() == static_cast<std::uint32_t>(expected.steps));
  CHECK(found.equilibrium().freedoms() > 0);
  std::vector<std::string> free, names;
  for (const v1::FoundInput& one : found.inputs()) {
    if (one.free()) free.push_back(one.name());
    CHECK_FALSE(one.out_of_range());
  }
  std::sort(free.begin(), free.end());
  CHECK(free == std::vector<std::string>{"steering", "throttle"});
  for (const v1::LinearVariable& signal : found.signals()) names.push_back(signal.name());
  CHECK(names == std::vector<std::string>{"speed", "yaw_rate", "energy.kinetic"});
  CHECK(found.signals(0).value() == Approx(10).epsilon(1e-8));  // the trim leaves 1e-8 of the value
}

TEST_CASE("an input that a trim drives beyond its range is marked", "[server][wire]") {
  const Searched bar("motor_four_bar");
  v1::AnalyseRequest request;
  require(request, "crank_angle", 0);
  request.mutable_trim()->add_free("motor");
  v1::FoundState found;
  const rt::Snapshot moved = bar.search(request, found);
  REQUIRE(found.inputs_size() == 1);
  CHECK(found.inputs(0).free());
  CHECK(found.inputs(0).value() == moved.inputs[0]);
  const rt::Actuator& motor = bar.model.actuators[0];
  CHECK(found.inputs(0).out_of_range() == (moved.inputs[0] < motor.minimum || moved.inputs[0] > motor.maximum));
  // The same with a motor that is too weak for it.
  Searched weak("motor_four_bar");
  weak.model.actuators[0].minimum = -std::abs(moved.inputs[0]) / 2;
  weak.model.actuators[0].maximum = std::abs(moved.inputs[0]) / 2;
  v1::FoundState beyond;
  weak.search(request, beyond);
  CHECK(beyond.inputs(0).out_of_range());
}

TEST_CASE("a search that is refused names the field and what to do", "[server][wire]") {
  const Searched bar("motor_four_bar");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](Reason reason, const std::string& field, const std::string& words,
                           const std::function<void(v1::AnalyseRequest&)>& change) {
    const auto error = bar.refusal(change);
    INFO(field);
    REQUIRE(error);
    CHECK(error->reason() == reason);
    CHECK(error->field() == field);
    CHECK_THAT(std::string(error->what()) + error->hint(), Catch::Contains(words));
  };
  refused(Reason::kLimitExceeded, "equilibrium.load_steps", "10000",
          [](auto& r) { r.mutable_equilibrium()->set_load_steps(kMaxLoadSteps + 1); });
  refused(Reason::kRequestInvalid, "trim.require", "at least one", [](auto& r) { r.mutable_trim(); });
  refused(Reason::kRequestInvalid, "trim.require[0].name", "name one signal",
          [](auto& r) { require(r, "crank_*", 0); });
  refused(Reason::kSignalUnknown, "trim.require[1].name", "crank_rate", [](auto& r) {
    require(r, "crank_angle", 0);
    require(r, "crank_rat", 0);
  });
  refused(Reason::kRequestInvalid, "trim.require[1].name", "twice", [](auto& r) {
    require(r, "crank_angle", 0);
    require(r, "crank_angle", 0);
  });
  refused(Reason::kNotFinite, "trim.require[0].value", "finite", [&](auto& r) { require(r, "crank_angle", nan); });
  refused(Reason::kSignalUnknown, "trim.free[0]", "did you mean \"motor\"", [](auto& r) {
    require(r, "crank_angle", 0);
    r.mutable_trim()->add_free("moter");
  });
  refused(Reason::kRequestInvalid, "trim.free[1]", "twice", [](auto& r) {
    require(r, "crank_angle", 0);
    r.mutable_trim()->add_free("motor");
    r.mutable_trim()->add_free("motor");
  });
  refused(Reason::kSignalUnknown, "input_values[0].name", "did you mean \"motor\"",
          [](auto& r) { r.mutable_equilibrium(), giveInput(r, "moter", 0); });
  refused(Reason::kRequestInvalid, "input_values[1].name", "twice",
          [](auto& r) { r.mutable_equilibrium(), giveInput(r, "motor", 0), giveInput(r, "motor", 0); });
  refused(Reason::kNotFinite, "input_values[0].value", "finite",
          [&](auto& r) { r.mutable_equilibrium(), giveInput(r, "motor", nan); });
  refused(Reason::kValueOutOfRange, "input_values[0].value", "must be from",
          [](auto& r) { r.mutable_equilibrium(), giveInput(r, "motor", 1e9); });
  refused(Reason::kSignalUnknown, "outputs", "crank_angle",
          [](auto& r) { r.mutable_equilibrium(), r.add_outputs("crank_angel"); });
  // Nothing is free, and the crank hangs elsewhere.
  refused(Reason::kAnalysisFailed, "trim", "no trim was found", [](auto& r) { require(r, "crank_angle", 0.5); });

  // A body that nothing holds falls for ever.
  const Searched stone(readModelText(R"({"name": "stone", "gravity": [0, 0, -9.81], "bodies": [
    {"name": "stone", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}]})",
                                     ModelSyntax::kJson, std::nullopt));
  const auto falls = stone.refusal([](auto& r) { r.mutable_equilibrium(); });
  REQUIRE(falls);
  CHECK(falls->reason() == Reason::kAnalysisFailed);
  CHECK(falls->field() == "equilibrium");
}

TEST_CASE("a search ends when its caller interrupts it", "[server][wire]") {
  Searched bar("motor_four_bar");
  bar.interrupt = true;
  v1::FoundState found;
  v1::AnalyseRequest request;
  request.mutable_equilibrium();
  CHECK_THROWS_AS(bar.search(request, found), rt::offline::Interrupted);
  request.clear_equilibrium();
  require(request, "crank_angle", 0);
  request.mutable_trim()->add_free("motor");
  CHECK_THROWS_AS(bar.search(request, found), rt::offline::Interrupted);
}
