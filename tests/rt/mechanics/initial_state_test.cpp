// Covers: rt/mechanics/kinematics.h
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"

#include "rt/mechanics/joint_constraints.h"

#include "rt/error.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("a consistent state is kept to the bit", "[rt][mechanics]") {
  const Model model = buildModel(doublePendulum());
  const AssemblyResult result = initialState(model);
  CHECK(result.position_correction == 0);
  CHECK(result.velocity_correction == 0);
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    CHECK(Vector3d(result.state.view().r(i)) == model.initial_conditions[0].position[k]);
    CHECK(Vector3d(result.state.view().v(i)) == model.initial_conditions[0].velocity[k]);
  }
}

TEST_CASE("the first reaction of a long chain carries one link", "[rt][mechanics]") {
  // m = J = L = 1: the ground reaction of a horizontal chain at rest tends to m g, vertical.
  const Model model = buildModel(chain(128));
  const AssemblyResult result = initialState(model);
  const double* lambda = result.state.view().lambda();
  // Each link adds a share that falls geometrically: what 128 links leave is below round-off of the solve.
  CHECK(std::abs(lambda[0]) < 1e-9);
  CHECK(lambda[1] == Approx(9.81).epsilon(1e-9));
}

TEST_CASE("initial accelerations satisfy the constraints and the equations of motion", "[rt][mechanics]") {
  for (const ModelSpec& spec : {randomTree(10, JointMix::kMixed, 21), randomLoop(6, 2, 22), planarLoop(5, 23),
                                hubWithLoops(3, 24), fourBar(FourBarReading::kUp)}) {
    INFO(spec.name);
    const Model model = buildModel(spec);
    const AssemblyResult result = initialState(model);
    const StateView s = result.state.view();
    std::vector<BodyMotion> motions;
    for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(bodyMotion(s, i));
    std::vector<Eigen::Matrix<double, 6, 1>> balance(model.bodies.size());
    for (int i = 0; i < model.bodyCount(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Body& body = model.bodies[k];
      const Vector3d omega = s.omega(i), alpha = s.alpha(i);
      balance[k].head<3>() = body.mass * (Vector3d(s.a(i)) - model.gravity);
      balance[k].tail<3>() = motions[k].R * (body.inertia * alpha + omega.cross(body.inertia * omega));
    }
    for (const Primitive& p : model.primitives) {
      double phi[kMaxPrimitiveRows], gamma[kMaxPrimitiveRows];
      RowJacobian rows[kMaxPrimitiveRows];
      evaluateRows(p, motions.data(), phi, rows);
      evaluateGamma(p, motions.data(), gamma);
      const BodyMotion& b1 = motionOf(motions.data(), p.body_1);
      const BodyMotion& b2 = motionOf(motions.data(), p.body_2);
      for (int k = 0; k < rowsOf(p.kind); ++k) {
        // Round-off of the assembly; gamma multiplies it by squares of angular velocities.
        CHECK(rowTimes(rows[k], b1.rates(), b2.rates()) == Approx(0).margin(1e-10));
        CHECK(rowTimes(rows[k], b1.accelerations(), b2.accelerations()) == Approx(gamma[k]).epsilon(0).margin(1e-8));
        for (int side = 0; side < 2; ++side) {
          const int body = side == 0 ? p.body_1 : p.body_2;
          for (int c = 0; c < 6 && body != kGround; ++c)
            balance[static_cast<std::size_t>(body)][c] += rows[k].h[side][c] * s.lambda()[p.row + k];
        }
      }
    }
    for (const auto& b : balance) CHECK(b.norm() < 1e-7);  // round-off of the solve times the largest row
  }
}

TEST_CASE("a state slightly off is assembled to the nearest one and reported", "[rt][mechanics]") {
  ModelSpec spec = doublePendulum();
  spec.bodies[1].position += Vector3d(2e-3, -1e-3, 0);
  spec.bodies[1].velocity = Vector3d(1e-2, 0, 0);
  const Model model = buildModel(spec);
  const AssemblyResult result = initialState(model);
  CHECK(result.position_violation == Approx(std::sqrt(5.0) * 1e-3));
  // The correction has the size of the offset, 2.2 mm; the velocity changes by as much of 1 cm/s as the joint turns.
  CHECK(result.position_correction > 1e-4);
  CHECK(result.position_correction < 3e-3);
  CHECK(result.velocity_violation == Approx(1e-2).epsilon(0.05));
  CHECK(result.velocity_correction > 0);
  std::vector<BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(bodyMotion(result.state.view(), i));
  for (const Primitive& p : model.primitives) {
    double phi[kMaxPrimitiveRows];
    RowJacobian rows[kMaxPrimitiveRows];
    evaluateRows(p, motions.data(), phi, rows);
    for (int k = 0; k < rowsOf(p.kind); ++k) CHECK(std::abs(phi[k]) < 1e-12);  // round-off
  }
}

TEST_CASE("a state beyond the limits is refused, with the numbers", "[rt][mechanics]") {
  ModelSpec spec = doublePendulum();
  spec.bodies[1].position += Vector3d(0.2, 0, 0);
  CHECK_THROWS_WITH(initialState(buildModel(spec)), Catch::Contains("assembly.position"));
  spec.assembly.position = 1;
  CHECK_NOTHROW(initialState(buildModel(spec)));
  spec = doublePendulum();
  spec.bodies[0].velocity = Vector3d(0, 0, 3);
  CHECK_THROWS_WITH(initialState(buildModel(spec)), Catch::Contains("assembly.velocity"));
  // Two points held at distances that no configuration satisfies.
  spec = doublePendulum();
  spec.assembly.position = 10;
  spec.joints.push_back(
      makeJoint("rope", "ground", spec.bodies[0].name, DistanceSpec{Vector3d::Zero(), Vector3d(-0.5, 0, 0), 3.0}));
  CHECK_THROWS_AS(initialState(buildModel(spec)), tactus::Error);
}

TEST_CASE("drives that contradict each other have no initial state", "[rt][mechanics]") {
  // Two hinges about one axis hold the same angle at two rates; the rule on two drives of one joint does not see it.
  ModelSpec spec;
  spec.name = "contradiction";
  spec.gravity = Vector3d::Zero();
  spec.bodies = {makeBody("wheel", {0, 0, 0})};
  RevoluteSpec hinge;
  hinge.axis_1 = hinge.axis_2 = {0, 0, 1};
  spec.joints = {makeJoint("left", "ground", "wheel", hinge), makeJoint("right", "ground", "wheel", hinge)};
  spec.drives = {{"a", "", DrivenAngleSpec{"left"}, PolynomialSpec{{0, 0.05}}},
                 {"b", "", DrivenAngleSpec{"right"}, PolynomialSpec{{0, 0.05}}}};
  CHECK_NOTHROW(initialState(buildModel(spec)));
  spec.drives[1].function = PolynomialSpec{{0, -0.03}};
  CHECK_THROWS_WITH(initialState(buildModel(spec)), Catch::Matchers::Contains("no velocities satisfy"));
}
