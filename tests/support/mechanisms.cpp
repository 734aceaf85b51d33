#include "tests/support/mechanisms.h"

#include "tests/support/random_source.h"

#include <cmath>

namespace tactus::tests {

using rt::Vector3d;
using rt::Vector4d;

namespace {

constexpr double kPi = 3.14159265358979323846;
const std::string kGround = rt::kGroundName;

rt::ModelSpec emptyModel(const std::string& name) {
  rt::ModelSpec spec;
  spec.name = name;
  spec.gravity = Vector3d(0, -kGravity, 0);
  return spec;
}

/// Euler parameters of a turn about z.
Vector4d turnedAboutZ(double angle) {
  return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}

/// A unit link in the xy plane from `from`, at `angle` from x.
rt::BodySpec planarLink(const std::string& name, const Vector3d& from, double angle) {
  const Vector3d along(std::cos(angle), std::sin(angle), 0);
  rt::BodySpec body = makeBody(name, from + 0.5 * along);
  body.orientation = turnedAboutZ(angle);
  return body;
}

rt::RevoluteSpec hingeZ(const Vector3d& point_1, const Vector3d& point_2) {
  return {point_1, point_2, Vector3d::UnitZ(), Vector3d::UnitZ(), 0};
}

/// A permutation of 0 ... n - 1.
std::vector<std::size_t> shuffledIndices(std::size_t n, RandomSource& random) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.index(static_cast<int>(i)))]);
  }
  return order;
}

}  // namespace

std::string numbered(const char* stem, std::size_t number) {
  std::string name = stem;
  return name += std::to_string(number);
}

rt::BodySpec makeBody(const std::string& name, const Vector3d& position) {
  rt::BodySpec body;
  body.name = name;
  body.mass = 1;
  body.inertia = rt::Matrix3d::Identity();
  body.position = position;
  return body;
}

rt::JointSpec makeJoint(const std::string& name, const std::string& body_1, const std::string& body_2,
                        decltype(rt::JointSpec::kind) kind) {
  rt::JointSpec joint;
  joint.name = name;
  joint.body_1 = body_1;
  joint.body_2 = body_2;
  joint.kind = std::move(kind);
  return joint;
}

rt::ModelSpec doublePendulum() {
  rt::ModelSpec spec = emptyModel("double_pendulum");
  spec.bodies = {makeBody("A", {0.5, 0, 0}), makeBody("B", {1, 0, 0.5})};
  spec.joints = {makeJoint("joint_1", kGround, "A", rt::SphericalSpec{{0, 0, 0}, {-0.5, 0, 0}}),
                 makeJoint("joint_2", "A", "B", rt::SphericalSpec{{0.5, 0, 0}, {0, 0, -0.5}})};
  return spec;
}

rt::ModelSpec fourBar(FourBarReading reading) {
  rt::ModelSpec spec = emptyModel(reading == FourBarReading::kUp ? "four_bar_up" : "four_bar");
  const double side = reading == FourBarReading::kUp ? 1 : -1;
  const Vector3d pivot_4(0, side, 0), left(-0.5, 0, 0), right(0.5, 0, 0);
  const double phi = side * kPi / 4;
  const Vector3d joint_2(std::cos(phi), std::sin(phi), 0);
  // A from pivot 1 to joint 2, B from joint 2 to joint 3, C from pivot 4 to joint 3.
  spec.bodies = {planarLink("A", Vector3d::Zero(), phi), planarLink("B", joint_2, side * kPi / 2),
                 planarLink("C", pivot_4, phi)};
  spec.joints = {makeJoint("joint_1", kGround, "A", hingeZ(Vector3d::Zero(), left)),
                 makeJoint("joint_2", "A", "B", hingeZ(right, left)),
                 makeJoint("joint_3", "C", "B", hingeZ(right, right)),
                 makeJoint("joint_4", kGround, "C", hingeZ(pivot_4, left))};
  return spec;
}

rt::ModelSpec chain(int n) {
  rt::ModelSpec spec = emptyModel(numbered("chain_", n));
  for (int i = 1; i <= n; ++i) {
    spec.bodies.push_back(makeBody(numbered("link_", i), {i - 0.5, 0, 0}));
    const std::string before = i == 1 ? kGround : numbered("link_", i - 1);
    const Vector3d right = i == 1 ? Vector3d(0, 0, 0) : Vector3d(0.5, 0, 0);
    spec.joints.push_back(
        makeJoint(numbered("joint_", i), before, numbered("link_", i), rt::SphericalSpec{right, {-0.5, 0, 0}}));
  }
  return spec;
}

rt::ModelSpec ladder(int k) {
  rt::ModelSpec spec = emptyModel(numbered("ladder_", k));
  const double angle = kPi / 3, rate = 1;
  const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0);
  const Vector3d rod(std::cos(angle), std::sin(angle), 0), tip_velocity = rate * Vector3d::UnitZ().cross(rod);
  for (int i = 0; i <= k; ++i) {
    const std::string rod_name = numbered("rod_", i);
    const Vector3d foot(i, 0, 0);
    rt::BodySpec body = planarLink(rod_name, foot, angle);
    body.velocity = 0.5 * tip_velocity;
    body.angular_velocity = rate * Vector3d::UnitZ();
    spec.bodies.push_back(body);
    spec.joints.push_back(makeJoint(numbered("foot_", i), kGround, rod_name, hingeZ(foot, left)));
    if (i == 0) continue;

    // A coupler moves without turning, from the head of the rod before to the head of this one.
    const std::string coupler_name = numbered("coupler_", i);
    rt::BodySpec coupler = planarLink(coupler_name, Vector3d(i - 1, 0, 0) + rod, 0);
    coupler.velocity = tip_velocity;
    spec.bodies.push_back(coupler);
    spec.joints.push_back(makeJoint(numbered("near_", i), numbered("rod_", i - 1), coupler_name, hingeZ(right, left)));
    spec.joints.push_back(makeJoint(numbered("far_", i), rod_name, coupler_name, hingeZ(right, right)));
  }
  return spec;
}

rt::ModelSpec ring(int n) {
  rt::ModelSpec spec = emptyModel(numbered("ring_", n));
  const double radius = 0.5 / std::sin(kPi / n);  // links of one metre
  const auto pointAt = [&](int k) -> Vector3d {
    const double angle = kPi / 2 + 2 * kPi * k / n;
    return radius * Vector3d(std::cos(angle), std::sin(angle), 0);
  };
  std::vector<Vector3d> centers;
  for (int k = 0; k < n; ++k) {
    centers.push_back(0.5 * (pointAt(k) + pointAt(k + 1)));
    spec.bodies.push_back(makeBody(numbered("link_", k + 1), centers.back()));
  }
  spec.joints.push_back(makeJoint("hook", kGround, "link_1", rt::SphericalSpec{centers[0], Vector3d::Zero()}));
  for (int k = 1; k <= n; ++k) {
    const auto left = static_cast<std::size_t>(k - 1), right = static_cast<std::size_t>(k % n);
    spec.joints.push_back(makeJoint(numbered("joint_", k), numbered("link_", left + 1), numbered("link_", right + 1),
                                    rt::SphericalSpec{pointAt(k) - centers[left], pointAt(k) - centers[right]}));
  }
  return spec;
}

rt::ModelSpec freeBody(double spin) {
  rt::ModelSpec spec = emptyModel("free_body");
  rt::BodySpec body = makeBody("brick", {0, 0, 0});
  body.mass = 2;
  body.inertia = Vector3d(1, 2, 2.5).asDiagonal();
  body.velocity = Vector3d(1, 2, -0.5);
  body.angular_velocity = spin * Vector3d(0.02, 1, 0.01);
  spec.bodies = {body};
  return spec;
}

rt::ModelSpec rollingRig() {
  constexpr double kRadius = 0.32, kLoad = 3000, kStiffness = 2e5, kSpeed = 10, kArm = 0.4;
  const double height = kRadius - kLoad / kStiffness;
  rt::ModelSpec spec;
  spec.name = "rolling_rig";
  spec.gravity = rt::Vector3d(0, 0, -kGravity);
  rt::BodySpec carriage = makeBody("carriage", {0, 0, 0.6}), arm = makeBody("arm", {-0.5 * kArm, 0, height}),
               wheel = makeBody("wheel", {-kArm, 0, height});
  carriage.mass = 300;
  arm.mass = wheel.mass = 15;
  for (rt::BodySpec* body : {&carriage, &arm, &wheel}) body->velocity = {kSpeed, 0, 0};
  wheel.angular_velocity = {0, kSpeed / kRadius, 0};
  spec.bodies = {carriage, arm, wheel};

  rt::PrismaticSpec rail;
  rail.point_1 = {0, 0, 0.6};
  rail.axis_1 = rail.axis_2 = {1, 0, 0};
  rt::RevoluteSpec pivot, hub;
  pivot.point_1 = {0, 0, height - 0.6};
  pivot.point_2 = {0.5 * kArm, 0, 0};
  hub.point_1 = {-0.5 * kArm, 0, 0};
  pivot.axis_1 = pivot.axis_2 = hub.axis_1 = hub.axis_2 = {0, 1, 0};
  spec.joints = {makeJoint("rail", "ground", "carriage", rail), makeJoint("pivot", "carriage", "arm", pivot),
                 makeJoint("hub", "arm", "wheel", hub)};

  rt::RotationalSpringSpec suspension;
  suspension.joint = "pivot";
  suspension.stiffness = 4000;
  suspension.damping = 300;
  suspension.preload = kArm * (kLoad - 15 * kGravity) - 0.5 * kArm * 15 * kGravity;
  rt::SlipTyreSpec tyre;
  tyre.road = "road";
  tyre.body = "wheel";
  tyre.axis = {0, 1, 0};
  tyre.radius = kRadius;
  tyre.stiffness = kStiffness;
  tyre.damping = 200;
  tyre.nominal_load = kLoad;
  tyre.longitudinal_relaxation = tyre.lateral_relaxation = 0.2;
  tyre.rolling_resistance = 0.01;
  tyre.grip = rt::BrushTyreSpec{7e4, 5e4, 0.9, 1, 0.05};
  rt::PowertrainSpec engine;
  engine.carrier = "carriage";
  engine.joints = {"hub"};
  engine.speeds = {0, 300, 600};
  engine.full_torque = {100, 150, 0};
  engine.zero_torque = {0, -20, -40};
  engine.final_ratio = 4;
  spec.forces = {{"suspension", "", suspension},
                 {"tyre", "", tyre},
                 {"disc", "", rt::BrakeSpec{"hub", 900, 0.01}},
                 {"dry", "", rt::JointFrictionSpec{"pivot", 5, 0.001}},
                 {"engine", "", engine}};
  rt::SurfaceGridSpec heights{2, -1, 0.5, 5, {}};
  for (int row = 0; row < 40; ++row)
    for (int column = 0; column < 5; ++column) heights.values.push_back(row == 0 ? 0 : 0.01 * ((row * 7 + column) % 3));
  spec.roads = {{"road", "", rt::Vector3d::Zero(), {0, 0, 1}, {1, 0, 0}, {}, 1, heights, {}, {}}};

  const auto control = [](const char* name, const char* element, rt::ControlQuantity quantity, double initial) {
    rt::ActuatorSpec a;
    a.name = name;
    a.minimum = 0;
    a.maximum = 10;
    a.initial = initial;
    a.kind = rt::ControlSpec{{element}, quantity};
    return a;
  };
  spec.actuators = {control("gas", "engine", rt::ControlQuantity::kThrottle, 0.3),
                    control("pedal", "disc", rt::ControlQuantity::kBrake, 0),
                    control("ratio", "engine", rt::ControlQuantity::kRatio, 1.5)};
  return spec;
}

rt::ModelSpec together(const std::vector<rt::ModelSpec>& parts) {
  rt::ModelSpec spec = emptyModel("together");
  spec.gravity = parts.front().gravity;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string prefix = numbered("m", k) + '_';
    const auto renamed = [&prefix](const std::string& name) { return name == kGround ? name : prefix + name; };
    for (rt::BodySpec body : parts[k].bodies) {
      body.name = renamed(body.name);
      spec.bodies.push_back(body);
    }
    for (rt::JointSpec joint : parts[k].joints) {
      joint.name = renamed(joint.name);
      joint.body_1 = renamed(joint.body_1);
      joint.body_2 = renamed(joint.body_2);
      spec.joints.push_back(joint);
    }
  }
  return spec;
}

rt::ModelSpec reordered(const rt::ModelSpec& spec, std::uint64_t seed) {
  RandomSource random(seed);
  rt::ModelSpec other = spec;
  const std::vector<std::size_t> bodies = shuffledIndices(spec.bodies.size(), random);
  const std::vector<std::size_t> joints = shuffledIndices(spec.joints.size(), random);
  for (std::size_t i = 0; i < bodies.size(); ++i) other.bodies[i] = spec.bodies[bodies[i]];
  for (std::size_t i = 0; i < joints.size(); ++i) other.joints[i] = spec.joints[joints[i]];
  return other;
}

}  // namespace tactus::tests
