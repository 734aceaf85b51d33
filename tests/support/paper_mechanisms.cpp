#include "tests/support/paper_mechanisms.h"

#include "tests/support/mechanisms.h"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tactus::tests {

using rt::Vector3d;
using rt::Vector4d;

namespace {

constexpr double kPi = std::numbers::pi;
const std::string kGround = rt::kGroundName;

rt::ModelSpec modelIn(const std::string& name, const Vector3d& gravity) {
  rt::ModelSpec spec;
  spec.name = name;
  spec.gravity = gravity;
  return spec;
}

Vector3d e(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

Vector4d turnedAboutZ(double angle) {
  return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}

rt::RevoluteSpec hinge(const Vector3d& point_1, const Vector3d& point_2, double angle = 0) {
  return {point_1, point_2, Vector3d::UnitZ(), Vector3d::UnitZ(), angle};
}

rt::ForceSpec rotationalSpring(const std::string& joint, double stiffness, double damping, double free_angle) {
  rt::ForceSpec force;
  force.name = "spring_" + joint;
  force.kind = rt::RotationalSpringSpec{joint, stiffness, damping, free_angle, 0};
  return force;
}

/// A body of a plane mechanism: where its frame is, and where its center of mass in it. Moments of inertia about the
/// axes in the plane do not matter.
rt::BodySpec planarBody(const std::string& name, const Vector3d& origin, double angle, const Vector3d& center,
                        double mass, double inertia) {
  rt::BodySpec body = makeBody(name, origin + Eigen::AngleAxisd(angle, Vector3d::UnitZ()) * center);
  body.orientation = turnedAboutZ(angle);
  body.mass = mass;
  body.inertia = Vector3d(0.7, 0.7, 1).asDiagonal() * inertia;
  return body;
}

}  // namespace

rt::ModelSpec stiffDoublePendulum() {
  rt::ModelSpec spec = modelIn("stiff_double_pendulum", Vector3d(0, -9.81, 0));
  const double length_2 = 1.5, angle_1 = 2 * kPi, angle_2 = 23 * kPi / 12, rate_2 = 10;
  spec.bodies = {planarBody("body_1", Vector3d::Zero(), angle_1, Vector3d(1, 0, 0), 3, 1.0),
                 planarBody("body_2", Vector3d(2, 0, 0), angle_2, Vector3d(length_2, 0, 0), 0.3, 0.225)};
  spec.bodies[1].angular_velocity = rate_2 * Vector3d::UnitZ();
  spec.bodies[1].velocity = rate_2 * Vector3d::UnitZ().cross(length_2 * e(angle_2));
  spec.joints = {makeJoint("joint_1", kGround, "body_1", hinge({0, 0, 0}, {-1, 0, 0}, angle_1)),
                 makeJoint("joint_2", "body_1", "body_2", hinge({1, 0, 0}, {-length_2, 0, 0}, angle_2 - angle_1))};
  spec.forces = {rotationalSpring("joint_1", 400, 15, 1.5 * kPi), rotationalSpring("joint_2", 3e5, 5e4, 0)};
  return spec;
}

rt::ModelSpec squeezer() {
  rt::ModelSpec spec = modelIn("squeezer", Vector3d::Zero());
  const double beta = -0.0620, theta = 2.145868537996804e-4, gamma = 0.4552798121003702, phi = 0.2226683759030271,
               delta = 0.4873649811406328, omega = -phi, epsilon = 1.2305474391566007;
  const Vector3d A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), C(0.01400, 0.07200, 0);
  const Vector3d F = 0.007 * e(beta), G = A + 0.040 * e(delta), H = A + 0.040 * e(epsilon - kPi / 2);
  const Vector3d along_28(0.028, 0, 0), along_20(0.020, 0, 0), along_40(0.040, 0, 0), at_E(0, -0.035, 0);
  // Centers of mass in the frames of the bodies.
  const Vector3d c_1(0.00092, 0, 0), c_2(0.0115, 0, 0), c_3(0.01043, -0.01874, 0), c_4(0.00579, 0, 0),
      c_5(0.02308, 0.00916, 0), c_7(0.01228, -0.00449, 0);
  spec.bodies = {planarBody("OF", Vector3d::Zero(), beta, c_1, 0.04325, 2.194e-6),
                 planarBody("FE", F, beta + theta + kPi, c_2, 0.00365, 4.410e-7),
                 planarBody("BED", B, gamma, c_3, 0.02373, 5.255e-6),
                 planarBody("GE", G, phi + delta - kPi / 2, c_4, 0.00706, 5.667e-7),
                 planarBody("AG", A, delta, c_5, 0.07050, 1.169e-5),
                 planarBody("HE", H, omega + epsilon, c_4, 0.00706, 5.667e-7),
                 planarBody("AH", A, epsilon - kPi / 2, c_7, 0.05498, 1.912e-5)};
  const Vector3d O = Vector3d::Zero();
  spec.joints = {makeJoint("crank", kGround, "OF", hinge(O, O - c_1, beta)),
                 makeJoint("F", "OF", "FE", hinge(Vector3d(0.007, 0, 0) - c_1, O - c_2)),
                 makeJoint("B", kGround, "BED", hinge(B, O - c_3)),
                 makeJoint("A_AG", kGround, "AG", hinge(A, O - c_5)),
                 makeJoint("A_AH", kGround, "AH", hinge(A, O - c_7)),
                 makeJoint("G", "AG", "GE", hinge(along_40 - c_5, O - c_4)),
                 makeJoint("H", "AH", "HE", hinge(along_40 - c_7, O - c_4)),
                 makeJoint("E_FE", "BED", "FE", hinge(at_E - c_3, along_28 - c_2)),
                 makeJoint("E_GE", "BED", "GE", hinge(at_E - c_3, along_20 - c_4)),
                 makeJoint("E_HE", "BED", "HE", hinge(at_E - c_3, along_20 - c_4))};
  rt::TranslationalSpringSpec spring;
  spring.body_1 = kGround;
  spring.body_2 = "BED";
  spring.point_1 = C;
  spring.point_2 = Vector3d(0.020, -0.018, 0) - c_3;
  spring.stiffness = 4530;
  spring.free_length = 0.07785;
  rt::ForceSpec force;
  force.name = "spring";
  force.kind = spring;
  spec.forces = {force};
  rt::ActuatorSpec motor;
  motor.name = "motor";
  motor.initial = 0.033;
  motor.kind = rt::JointTorqueSpec{"crank"};
  spec.actuators = {motor};
  return spec;
}

rt::ModelSpec doubleFourBar() {
  rt::ModelSpec spec = modelIn("double_four_bar", Vector3d(0, -9.81, 0));
  const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0), velocity(1, 0, 0);
  const double slender = 1.0 / 12;
  for (int i = 0; i < 3; ++i) {
    const std::string rod = numbered("rod_", static_cast<std::size_t>(i));
    const Vector3d foot(i, 0, 0);
    rt::BodySpec body = planarBody(rod, foot, kPi / 2, right, 1, slender);
    body.velocity = 0.5 * velocity;
    body.angular_velocity = -Vector3d::UnitZ();
    spec.bodies.push_back(body);
    spec.joints.push_back(makeJoint("foot_" + std::to_string(i), kGround, rod, hinge(foot, left)));
    if (i == 0) continue;
    const std::string coupler = numbered("coupler_", static_cast<std::size_t>(i));
    rt::BodySpec bar = planarBody(coupler, Vector3d(i - 1, 1, 0), 0, right, 1, slender);
    bar.velocity = velocity;
    spec.bodies.push_back(bar);
    spec.joints.push_back(makeJoint("near_" + std::to_string(i), numbered("rod_", static_cast<std::size_t>(i - 1)),
                                    coupler, hinge(right, left)));
    spec.joints.push_back(makeJoint("far_" + std::to_string(i), rod, coupler, hinge(right, right)));
  }
  return spec;
}

rt::ModelSpec publishedBricard() {
  rt::ModelSpec spec = modelIn("published_bricard", Vector3d(0, -9.81, 0));
  const Vector3d points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const Vector3d axes[] = {y, z, x, y, z, x};
  const double axial = 1.0 / 600, transverse = 1.01 / 12;
  for (std::size_t i = 0; i < 6; ++i) {
    const bool first = i == 0, last = i == 5;
    // Bodies are parallel to the world at the start.
    const Vector3d before = first ? Vector3d::Zero() : Vector3d(0.5 * (points[i - 1] + points[i]));
    if (!last) {
      const Vector3d along = points[i + 1] - points[i];
      rt::BodySpec rod = makeBody(numbered("rod_", i + 1), 0.5 * (points[i] + points[i + 1]));
      rod.inertia = transverse * rt::Matrix3d::Identity() + (axial - transverse) * along * along.transpose();
      spec.bodies.push_back(rod);
    }
    const Vector3d after = last ? Vector3d::Zero() : spec.bodies.back().position;
    spec.joints.push_back(makeJoint(numbered("hinge_", i), first ? kGround : numbered("rod_", i),
                                    last ? kGround : numbered("rod_", i + 1),
                                    rt::RevoluteSpec{points[i] - before, points[i] - after, axes[i], axes[i], 0}));
  }
  return spec;
}

rt::ModelSpec spatialSliderCrank() {
  rt::ModelSpec spec = modelIn("spatial_slider_crank", Vector3d(0, 0, -9.81));
  const Vector3d A(0, 0.1, 0.12), B(0, 0.1, 0.2), C(0.2, 0, 0), x = Vector3d::UnitX();
  const Vector3d velocity_B = 6 * x.cross(B - A);
  rt::BodySpec crank = makeBody("crank_arm", 0.5 * (A + B));
  crank.mass = 0.12;
  crank.inertia = Vector3d(1e-4, 1e-4, 1e-5).asDiagonal();
  crank.angular_velocity = 6 * x;
  crank.velocity = 0.5 * velocity_B;

  // The frame of the rod: x' along it, y' the axis of low inertia, z' the pin of its universal joint.
  const Vector3d u = (C - B).normalized(), h = Vector3d(0, 2, -1).normalized(), k = u.cross(h);
  rt::Matrix3d R;
  R << u, -k, h;
  rt::BodySpec rod = makeBody("rod", 0.5 * (B + C));
  const Eigen::Quaterniond q(R);
  rod.orientation = Vector4d(q.w(), q.x(), q.y(), q.z());
  rod.mass = 0.5;
  rod.inertia = Vector3d(4e-3, 4e-4, 4e-3).asDiagonal();
  // C moves along x, so that |BC| stays; the rod turns about the slider's axis not at all.
  const Vector3d d = C - B;
  const Vector3d velocity_C = velocity_B.dot(d) / d.x() * x;
  const Vector3d relative = velocity_C - velocity_B;
  Vector3d omega = d.cross(relative) / d.squaredNorm();
  // Spin about the rod so that its pin stays normal to x: (omega x h) . x = 0.
  omega -= omega.cross(h).dot(x) / u.cross(h).dot(x) * u;
  rod.angular_velocity = R.transpose() * omega;
  rod.velocity = 0.5 * (velocity_B + velocity_C);

  rt::BodySpec slider = makeBody("slider", C);
  slider.mass = 2;
  slider.inertia = 1e-4 * rt::Matrix3d::Identity();
  slider.velocity = velocity_C;
  spec.bodies = {crank, rod, slider};

  const Vector3d zero = Vector3d::Zero(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  spec.joints = {makeJoint("crank", kGround, "crank_arm", rt::RevoluteSpec{A, {0, 0, -0.04}, x, x, 0}),
                 makeJoint("pin", "crank_arm", "rod", rt::SphericalSpec{{0, 0, 0.04}, {-0.15, 0, 0}}),
                 makeJoint("cross", "slider", "rod", rt::PointSpec{zero, {0.15, 0, 0}}),
                 makeJoint("cross_axes", "slider", "rod", rt::Dot1Spec{x, z}),
                 makeJoint("guide_y", kGround, "slider", rt::Dot2Spec{y, zero, zero}),
                 makeJoint("guide_z", kGround, "slider", rt::Dot2Spec{z, zero, zero}),
                 makeJoint("upright_1", kGround, "slider", rt::Dot1Spec{y, x}),
                 makeJoint("upright_2", kGround, "slider", rt::Dot1Spec{z, x}),
                 makeJoint("upright_3", kGround, "slider", rt::Dot1Spec{y, z})};
  return spec;
}

rt::ModelSpec spatialPendulum() {
  rt::ModelSpec spec = modelIn("spatial_pendulum", Vector3d(0, 0, -9.81));
  rt::BodySpec mass = makeBody("mass", {0.08, 0, 0});
  mass.inertia = 1e-3 * rt::Matrix3d::Identity();
  mass.velocity = {0, 0.7895, 0};
  spec.bodies = {mass};
  spec.joints = {makeJoint("line", kGround, "mass", rt::DistanceSpec{Vector3d::Zero(), Vector3d::Zero(), 0.08})};
  return spec;
}

rt::ModelSpec spinTop() {
  rt::ModelSpec spec = modelIn("spin_top", Vector3d(0, 0, -9.81));
  rt::BodySpec top = makeBody("top", {0, -1, 1});
  top.mass = 30;
  top.inertia = Vector3d(90, 90, 30).asDiagonal();
  top.velocity = {0, -0.1, 0};
  top.angular_velocity = {0.1, 0.1, 0.3};
  spec.bodies = {top};
  spec.joints = {makeJoint("tip", kGround, "top", rt::DistanceSpec{Vector3d::Zero(), {0, 0, -1}, 1.0})};
  return spec;
}

}  // namespace tactus::tests
