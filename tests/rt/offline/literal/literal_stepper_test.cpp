// Covers: rt/offline/literal/literal_chain.cpp, rt/offline/literal/literal_chain_model.cpp
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"
#include "tests/rt/offline/bricard.h"
#include "tests/rt/offline/method_run.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

TEST_CASE("the literal form of ALi3p refuses all but chains of spherical joints", "[rt][offline][mechanism]") {
  for (const rt::ModelSpec& spec : {fourBar(FourBarReading::kDown), bricard(), ladder(2), freeBody(1)}) {
    INFO(spec.name);
    const rt::Model model = rt::buildModel(spec);
    CHECK_THROWS_WITH(
        integrate({model, rt::initialState(model).state, {}, 0.01, 0.1, {}, nullptr, {}}, "ali3p-literal"),
        Catch::Contains("ali3p-literal takes chains of spherical joints on ground: "));
  }
  // A loop is closed by a last joint that leads to ground.
  rt::ModelSpec turned = chain(2), inner = chain(2);
  turned.joints.push_back(makeJoint("end", "ground", "link_2", rt::SphericalSpec{{2, 0, 0}, {0.5, 0, 0}}));
  inner.joints.push_back(makeJoint("end", "link_1", "ground", rt::SphericalSpec{{0.5, 0, 0}, {1, 0, 0}}));
  for (const rt::ModelSpec& spec : {turned, inner}) {
    const rt::Model model = rt::buildModel(spec);
    CHECK_THROWS_WITH(LiteralChain(model, rt::initialState(model).state, {}),
                      Catch::Contains("comes last and leads from the last body to ground"));
  }
  // Loads that it does not know are refused, not left out.
  rt::ModelSpec windy = chain(2), slowed = windy;
  rt::AirLoadSpec air;
  air.body = "link_1";
  air.area = air.drag = 1;
  windy.forces = {{"air", "", air}};
  slowed.forces = {{"drag", "", rt::BodyDragSpec{"link_1", 1, 1}}};
  for (const rt::ModelSpec& spec : {windy, slowed}) {
    const rt::Model model = rt::buildModel(spec);
    CHECK_THROWS_WITH(
        integrate({model, rt::initialState(model).state, {}, 0.01, 0.1, {}, nullptr, {}}, "ali3p-literal"),
        Catch::Contains("no drags, air loads, tyres, friction or powertrains"));
  }
  // The step of the server solves the same equations: the two differ far below the error of the rule, 1e-4 m.
  const rt::Model model = rt::buildModel(chain(8));
  const Trajectory literal = runOn(model, {}, "ali3p-literal", 0.01, 0.5, {"alpha=1e10"}),
                   own = runOn(model, {}, "ali3p", 0.01, 0.5);
  const auto tipOf = [&model](const Trajectory& run) {
    return rt::Vector3d(rt::StateView(rt::StateLayout(model), run.samples.back().state.data()).r(7));
  };
  CHECK((tipOf(literal) - tipOf(own)).norm() < 1e-5);  // m; the error of the rule is 1e-4
  CHECK(literal.statistics.newton_iterations == 150);
}

TEST_CASE("the literal form of ALi3p takes actuators that stay idle, and names one that does not",
          "[rt][offline][mechanism]") {
  rt::ModelSpec spec = chain(4);
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind = rt::BodyForceSpec{"link_4", rt::Vector3d(0.5, 0, 0), rt::Vector3d::UnitZ(), rt::Frame::kWorld};
  spec.actuators = {push};
  const rt::Model model = rt::buildModel(spec);
  const auto endOf = [](const rt::Model& m, const Trajectory& run) {
    return rt::Vector3d(rt::StateView(rt::StateLayout(m), run.samples.back().state.data()).r(3));
  };
  const Trajectory idle = runOn(model, {}, "ali3p-literal", 0.01, 0.5, {"alpha=1e10"});
  const rt::Model plain = rt::buildModel(chain(4));
  CHECK(endOf(model, idle) == endOf(plain, runOn(plain, {}, "ali3p-literal", 0.01, 0.5, {"alpha=1e10"})));

  const auto late = [](double t, std::span<double> values) { values[0] = t > 0.2 ? 3 : 0; };
  const Trajectory pushed =
      integrate({model, rt::initialState(model).state, late, 0.01, 0.5, {}, nullptr, {}}, "ali3p-literal");
  CHECK(pushed.ending == Ending::kFailed);
  CHECK_THAT(pushed.failure, Catch::Contains("the input of push is 3 at t = 0.21 s"));
  const auto always = [](double, std::span<double> values) { values[0] = -1; };
  CHECK_THROWS_WITH(
      integrate({model, rt::initialState(model).state, always, 0.01, 0.5, {}, nullptr, {}}, "ali3p-literal"),
      Catch::Contains("keep it at zero or use another method"));
}
