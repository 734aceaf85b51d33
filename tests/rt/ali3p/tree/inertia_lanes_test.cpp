// Forces of inertia four bodies at a time against bodies one by one.
// Covers: rt/ali3p/tree/four_bodies.h
#include "rt/ali3p/tree/inertia_lanes.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/mechanics/mass_matrix.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

TEST_CASE("forces of inertia four bodies at a time have the bits of bodies one by one", "[rt][ali3p]") {
  // Full groups of four, and groups that are not full.
  for (int count = 1; count <= 9; ++count) {
    CAPTURE(count);
    rt::Model model = rt::buildModel(randomTree(count, JointMix::kMixed, 3));
    model.gravity = Vector3d(0.3, -9.81, 2);
    rt::TreeWorkspace ws(model, rt::compilePlan(model));
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    const auto draw = [&]() -> Vector3d { return Vector3d(normal(random), normal(random), normal(random)); };
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      // A full tensor: its products have three terms.
      for (int k = 0; k < 3; ++k) model.bodies[i].inertia(k, (k + 1) % 3) = 0.1 * normal(random);
      rt::BodyMotion& motion = ws.iterate.motions[i];
      motion.R = rt::rotationMatrix(rt::Vector4d(normal(random), normal(random), normal(random), 1).normalized());
      motion.a = draw();
      ws.iterate.rotations[i].omega = draw();
      ws.iterate.rotations[i].alpha = draw();
      ws.loads.bodies[i] = {draw(), draw()};
    }
    std::vector<double> found(6 * model.bodies.size());
    rt::loadsLessInertia(model, ws.iterate, ws.loads, found.data());
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      const rt::RotationIterate& q = ws.iterate.rotations[i];
      const rt::BodyMotion& motion = ws.iterate.motions[i];
      const Vector3d force = ws.loads.bodies[i].force - model.bodies[i].mass * (motion.a - model.gravity);
      const Vector3d torque =
          ws.loads.bodies[i].torque - rt::inertiaTorque(model.bodies[i], motion.R, q.omega, q.alpha);
      CHECK(Vector3d(found.data() + 6 * i) == force);
      CHECK(Vector3d(found.data() + 6 * i + 3) == torque);
    }
  }
}
