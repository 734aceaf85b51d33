#include "tests/support/mode_springs.h"

#include "tests/support/mechanisms.h"

#include <random>

namespace tactus::tests {

using rt::Vector3d;

rt::ModelSpec modeSprings() {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto draw = [&]() -> Vector3d { return Vector3d(normal(random), normal(random), normal(random)); };
  rt::ModelSpec spec;
  spec.name = "mode_springs";
  spec.gravity = Vector3d::Zero();
  for (const char* name : {"a", "b", "c", "d"}) spec.bodies.push_back(makeBody(name, draw()));
  const auto hinge = [&](const char* name, std::size_t body_1, std::size_t body_2, const Vector3d& axis) {
    const rt::BodySpec &a = spec.bodies[body_1], &b = spec.bodies[body_2];
    spec.joints.push_back(
        makeJoint(name, a.name, b.name, rt::RevoluteSpec{b.position - a.position, Vector3d::Zero(), axis, axis, 0}));
  };
  hinge("hinge_1", 0, 1, Vector3d::UnitX());
  hinge("hinge_2", 2, 3, Vector3d::UnitZ());
  rt::JointSpec coupler;
  coupler.name = "coupler";
  coupler.kind = rt::CouplerSpec{{{"hinge_1", 0.7, false}, {"hinge_2", -1.2, false}}};
  spec.joints.push_back(coupler);
  // One point of each part for all springs but the last one.
  const Vector3d points[] = {draw(), draw(), draw()}, reference_points[] = {draw(), draw(), draw()};
  for (int k = 0; k < 10; ++k) {
    rt::ModeSpringSpec spring;
    spring.body = k < 7 ? "a" : "d";
    for (std::size_t i = 0; i < (k < 7 ? 3 : 1); ++i) {
      const Vector3d apart = k == 9 ? draw() : Vector3d::Zero();
      spring.parts.push_back({spec.bodies[1 + i].name, reference_points[i], points[i] + apart, draw(), draw()});
    }
    spring.stiffness = 100 * (k + 1);
    spec.forces.push_back({"spring_" + std::to_string(k), "", spring});
  }
  return spec;
}

}  // namespace tactus::tests
