#include "rt/mechanics/joint_constraints.h"

#include "rt/mechanics/primitives/primitives.h"
#include "rt/model/model.h"

namespace tactus::rt {

void evaluateRows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  withPrimitive(p.kind, [&](auto primitive) noexcept { primitive.rows(p, motions, phi, jacobian); });
}

void evaluateGamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  withPrimitive(p.kind, [&](auto primitive) noexcept { primitive.gamma(p, motions, gamma); });
}

void addGeometricStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept {
  withPrimitive(p.kind, [&](auto primitive) noexcept { primitive.addStiffness(p, motions, lambda, stiffness); });
}

Load reactionOnBody2(const Model& model, int joint, const BodyMotion* motions, const double* lambda) noexcept {
  const Joint& j = model.joints[static_cast<std::size_t>(joint)];
  // On ground the Jacobian is zero by convention; the reaction there is the opposite of the one on body 1.
  const bool opposite = j.body_2 == kGround;
  const int side = opposite ? 0 : 1;
  const double sign = opposite ? 1.0 : -1.0;
  Load load;
  const auto add = [&](const Primitive& p) noexcept {
    double phi[kMaxPrimitiveRows];
    RowJacobian rows[kMaxPrimitiveRows];
    evaluateRows(p, motions, phi, rows);
    for (int k = 0; k < rowsOf(p.kind); ++k)
      for (int c = 0; c < 3; ++c) {
        load.force[c] += sign * rows[k].h[side][c] * lambda[p.row + k];
        load.torque[c] += sign * rows[k].h[side][3 + c] * lambda[p.row + k];
      }
  };
  for (int i = 0; i < j.primitive_count; ++i) add(model.primitives[static_cast<std::size_t>(j.first_primitive + i)]);
  for (const Coupler& coupler : model.couplers)
    if (coupler.joint == joint) add(coupler.terms.front());
  // The Jacobian's torque is about a center of mass; move it to the point.
  const BodyMotion& b1 = motionOf(motions, j.body_1);
  const BodyMotion& b2 = motionOf(motions, j.body_2);
  const Vector3d point = b2.r + b2.R * j.point_2;
  load.torque += ((opposite ? b1.r : b2.r) - point).cross(load.force);
  return load;
}

double jointAngle(const Joint& joint, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, joint.body_1);
  const BodyMotion& b2 = motionOf(motions, joint.body_2);
  return angleAbout(b1.R * joint.axis_1, b1.R * joint.zero_1, b2.R * joint.zero_2) + joint.initial_angle;
}

double jointRate(const Joint& joint, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, joint.body_1);
  const BodyMotion& b2 = motionOf(motions, joint.body_2);
  return (b1.R * joint.axis_1).dot(b2.omega_w - b1.omega_w);
}

double jointTravel(const Joint& joint, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, joint.body_1);
  const BodyMotion& b2 = motionOf(motions, joint.body_2);
  return (b1.R * joint.axis_1).dot(b2.r + b2.R * joint.point_2 - b1.r - b1.R * joint.point_1);
}

double jointTravelRate(const Joint& joint, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, joint.body_1);
  const BodyMotion& b2 = motionOf(motions, joint.body_2);
  const Vector3d s_2 = b2.R * joint.point_2;
  // The axis turns with body 1: the velocity of point 2 counts against the point of body 1 that it passes.
  const Vector3d past = b1.v + b1.omega_w.cross(b2.r + s_2 - b1.r);
  return (b1.R * joint.axis_1).dot(b2.v + b2.omega_w.cross(s_2) - past);
}

int primitiveAngles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept {
  int count = 0;
  withPrimitive(p.kind, [&](auto primitive) noexcept {
    count = primitive.kAngles;
    if constexpr (primitive.kAngles > 0) primitive.angles(p, motions, angles);
  });
  return count;
}

double continueRow(const Primitive& p, const BodyMotion* motions, const double* displacements, double phi) noexcept {
  withPrimitive(p.kind, [&](auto primitive) noexcept {
    if constexpr (primitive.kAngles > 0) phi = primitive.continueRow(p, motions, displacements + p.displacement, phi);
  });
  return phi;
}

void startAngles(const Model& model, const BodyMotion* motions, double* angles) noexcept {
  for (const Primitive& p : model.primitives)
    withPrimitive(p.kind, [&](auto primitive) noexcept {
      if constexpr (primitive.kStartsTurns) primitive.startAngles(p, motions, angles + p.displacement);
    });
}

double continueJointAngle(const Joint& joint, const BodyMotion* motions, const double* previous) noexcept {
  return unwrapAngle(jointAngle(joint, motions), previous[joint.displacement]);
}

void countAngles(const Model& model, const BodyMotion* motions, const double* previous, double* angles) noexcept {
  // Four joints at a time, with the bits of continueJointAngle().
  const Joint* joints[4];
  Lanes<4> sine(0.0), cosine(1.0);  // lanes without a joint hold any angle
  int count = 0;
  const auto evaluate = [&]() noexcept {
    const Lanes<4> angle = atan2(sine, cosine);
    for (int k = 0; k < count; ++k) {
      const Joint& joint = *joints[k];
      angles[joint.displacement] = unwrapAngle(angle[k] + joint.initial_angle, previous[joint.displacement]);
    }
    count = 0;
  };
  for (const Joint& joint : model.joints) {
    if (joint.displacement < 0) continue;
    const BodyMotion& b1 = motionOf(motions, joint.body_1);
    const BodyMotion& b2 = motionOf(motions, joint.body_2);
    const SineAndCosine of(b1.R * joint.axis_1, b1.R * joint.zero_1, b2.R * joint.zero_2);
    joints[count] = &joint;
    sine.set(count, of.sine);
    cosine.set(count, of.cosine);
    if (++count == 4) evaluate();
  }
  if (count > 0) evaluate();
  for (const int index : model.gears) {
    const Primitive& gear = model.primitives[static_cast<std::size_t>(index)];
    double wrapped[2];
    primitiveAngles(gear, motions, wrapped);
    for (int k = 0; k < 2; ++k)
      angles[gear.displacement + k] = unwrapAngle(wrapped[k], previous[gear.displacement + k]);
  }
}

}  // namespace tactus::rt
