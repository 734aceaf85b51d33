// The answer to an Analyse request without a server: what is refused, what is bounded, and that the work can be ended.
#include "server/wire/state_analysis.h"

#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/linear_system.h"
#include "rt/state/actuator_input.h"
#include "server/models/built_in_models.h"
#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;

namespace {

constexpr AnalysisBounds kServer{256, 4u << 20};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Analysed {
  explicit Analysed(const std::string& reference)
      : model(rt::buildModel(openBuiltInModel(reference).spec)), tick(model) {
    tick.state = rt::initialState(model).state.values();
    tick.inputs = rt::ActuatorInput(model).values;
  }

  v1::AnalyseResponse answer(const v1::AnalyseRequest& request, const AnalysisBounds& bounds = kServer) const {
    v1::AnalyseResponse response;
    requireAnalysable(tick, model, request, bounds);
    analyseState(
        tick, model, 0, request, bounds, [] {}, response);
    return response;
  }

  /// The refusal of a request; none if it is granted.
  std::optional<RequestError> refusal(const v1::AnalyseRequest& request, const AnalysisBounds& bounds = kServer) const {
    try {
      answer(request, bounds);
    } catch (const RequestError& error) { return error; }
    return std::nullopt;
  }

  rt::Model model;
  rt::Snapshot tick;
};

v1::AnalyseRequest with(const std::function<void(v1::AnalyseRequest&)>& change) {
  v1::AnalyseRequest request;
  change(request);
  return request;
}

}  // namespace

TEST_CASE("inputs and outputs of an analysis are those that names and globs choose, in their order", "[server][wire]") {
  const Analysed car("sedan");
  const v1::AnalyseResponse all = car.answer({});
  REQUIRE(all.inputs_size() == car.model.actuatorCount());
  REQUIRE(all.outputs_size() == static_cast<int>(car.model.sensor_names.size()));
  const v1::AnalyseResponse some =
      car.answer(with([](auto& r) { r.add_inputs("steer*"), r.add_inputs("throttle"), r.add_outputs("speed"); }));
  REQUIRE(some.inputs_size() == 2);
  REQUIRE(some.outputs_size() == 1);
  const int states = all.states_size(), inputs = all.inputs_size();
  REQUIRE(some.a_size() == states * states);
  REQUIRE(some.c_size() == states);
  REQUIRE(some.d_size() == 2);
  // Columns of B are those of the same actuators among all of them.
  for (int chosen = 0; chosen < 2; ++chosen) {
    int k = 0;
    while (all.inputs(k).name() != some.inputs(chosen).name()) ++k;
    if (chosen == 1) CHECK(some.inputs(0).name() != some.inputs(1).name());
    for (int row = 0; row < states; ++row) CHECK(some.b(2 * row + chosen) == all.b(inputs * row + k));
  }
  CHECK(some.outputs(0).unit() == "m/s");
  CHECK(car.answer(with([](auto& r) { r.add_inputs("*"); })).SerializeAsString() == all.SerializeAsString());
}

TEST_CASE("an analysis of a state with values that are not finite is refused", "[server][wire]") {
  Analysed bar("motor_four_bar");
  REQUIRE_FALSE(bar.refusal({}));
  bar.tick.state[3] = kNan;
  const auto refused = bar.refusal({});
  REQUIRE(refused);
  CHECK(refused->reason() == Reason::kAnalysisFailed);
  CHECK(refused->field() == "session");
  CHECK_THAT(refused->hint(), Catch::Contains("ResetSession"));

  // Finite values so large that the matrices overflow.
  Analysed far("motor_four_bar");
  for (int k = 0; k < 3; ++k) far.tick.state[static_cast<std::size_t>(rt::kOffsetOmega + k)] = 1e200;
  REQUIRE(far.refusal({}));
  CHECK(far.refusal({})->reason() == Reason::kAnalysisFailed);
}

TEST_CASE("an analysis is bounded by bodies, by the size of its answer and by the work of its response",
          "[server][wire]") {
  const Analysed chain("chain:n=64");
  const auto limited = [&](const v1::AnalyseRequest& request, const AnalysisBounds& bounds, const std::string& field) {
    const auto refused = chain.refusal(request, bounds);
    REQUIRE(refused);
    CHECK(refused->reason() == Reason::kLimitExceeded);
    CHECK(refused->field() == field);
    CHECK_FALSE(refused->hint().empty());
  };
  limited({}, {63, 4u << 20}, "session");
  // 384 states: A has 1.2 MB.
  limited({}, {64, 1u << 20}, "session");
  // The links have some thousands of signals.
  limited(with([](auto& r) { r.add_outputs("*"); }), kServer, "outputs");
  // 384 real modes of 64 bodies and 384 states have 4.7 MB of shapes.
  const auto shapes = with([](auto& r) { r.set_modes(true), r.set_shapes(true); });
  limited(shapes, kServer, "shapes");
  CHECK(chain.answer(with([](auto& r) { r.set_modes(true); })).modes_size() >= 192);
  const v1::AnalyseResponse fits = Analysed("chain:n=32").answer(shapes);
  CHECK(fits.ByteSizeLong() <= kServer.bytes);
  CHECK(fits.ByteSizeLong() > 1u << 20);
  CHECK(fits.bodies_size() == 32);

  const Analysed car("sedan");
  const auto response = [](int count) {
    return with([=](auto& r) {
      for (int k = 0; k < count; ++k) r.add_frequencies(1 + k);
    });
  };
  CHECK(car.refusal(response(kMaxFrequencies + 1))->field() == "frequencies");
  const v1::AnalyseResponse few = car.answer(response(3));
  REQUIRE(few.responses_size() == 3);
  CHECK(few.responses(2).frequency() == 3);
  CHECK(few.responses(2).real_size() == few.outputs_size() * few.inputs_size());
  // The answer has the size that was foreseen: 10 000 tables of the car are beyond a message.
  CHECK(car.refusal(response(kMaxFrequencies))->reason() == Reason::kLimitExceeded);
}

TEST_CASE("what has no effect on a search or without one is refused, with what to do", "[server][wire]") {
  const Analysed bar("motor_four_bar");
  const auto refused = [&](const std::string& field, const std::function<void(v1::AnalyseRequest&)>& change) {
    const auto error = bar.refusal(with(change));
    REQUIRE(error);
    CHECK(error->reason() == Reason::kRequestInvalid);
    CHECK(error->field() == field);
    CHECK_FALSE(error->hint().empty());
  };
  refused("input_values", [](auto& r) { r.add_input_values()->set_name("motor"); });
  refused("inputs", [](auto& r) { r.mutable_equilibrium(), r.add_inputs("motor"); });
  refused("modes", [](auto& r) { r.mutable_trim(), r.set_modes(true); });
  refused("frequencies", [](auto& r) { r.mutable_equilibrium(), r.add_frequencies(1); });
  refused("turning", [](auto& r) {
    r.mutable_equilibrium();
    for (int k = 0; k < 3; ++k) r.add_turning(0);
  });
  CHECK_FALSE(bar.refusal(with([](auto& r) { r.set_linearize(true); })));
  // A search alone has no matrices, and with linearize it has those of the state that the caller hands in.
  CHECK(bar.answer(with([](auto& r) { r.mutable_equilibrium(); })).states().empty());
  CHECK(bar.answer(with([](auto& r) { r.mutable_equilibrium(), r.set_linearize(true); })).a_size() == 4);
}

TEST_CASE("about a trim the axes of the states turn with the mechanism, unless the request has others",
          "[server][wire]") {
  const Analysed car("sedan");
  const auto matrix = [&](const std::function<void(v1::AnalyseRequest&)>& change, double found) {
    const v1::AnalyseRequest request = with([&](auto& r) { r.mutable_trim(), r.set_linearize(true), change(r); });
    v1::AnalyseResponse response;
    for (const double component : {0.0, 0.0, found}) response.mutable_found()->mutable_trim()->add_turning(component);
    analyseState(
        car.tick, car.model, 0, request, kServer, [] {}, response);
    return std::vector<double>(response.a().begin(), response.a().end());
  };
  const auto axes = [](double z) {
    return [z](v1::AnalyseRequest& r) { r.add_turning(0), r.add_turning(0), r.add_turning(z); };
  };
  const std::vector<double> turning = matrix([](auto&) {}, 0.5);
  CHECK(turning == matrix(axes(0.5), 0));
  CHECK(turning != matrix(axes(0), 0.5));
}

TEST_CASE("the caller of an analysis can end it before each column and each frequency", "[server][wire]") {
  const Analysed bar("motor_four_bar");
  const auto request = with([](auto& r) {
    for (int k = 1; k <= 5; ++k) r.add_frequencies(k);
  });
  int calls = 0;
  v1::AnalyseResponse response;
  analyseState(
      bar.tick, bar.model, 0, request, kServer, [&] { ++calls; }, response);
  const int all = calls;
  CHECK(all >= response.states_size() + response.inputs_size() + 5);
  for (int last = 1; last <= all; ++last) {
    calls = 0;
    v1::AnalyseResponse unused;
    const auto end = [&] {
      if (++calls == last) throw RequestError(Reason::kCancelled, "", "the call was cancelled");
    };
    try {
      analyseState(bar.tick, bar.model, 0, request, kServer, end, unused);
      FAIL("it went on");
    } catch (const RequestError& error) { CHECK(error.reason() == Reason::kCancelled); }
    CHECK(calls == last);
  }
}
