#include "rt/mechanics/joint_constraints.h"

#include "rt/math/skew.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/primitive_terms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::rt {

namespace {

constexpr bool hasPoints(PrimitiveKind kind) noexcept {
  return kind == PrimitiveKind::kPoint || kind == PrimitiveKind::kDistance || kind == PrimitiveKind::kDot2 ||
         kind == PrimitiveKind::kLength || kind == PrimitiveKind::kRolling || kind == PrimitiveKind::kGear;
}

constexpr bool hasDirections(PrimitiveKind kind) noexcept {
  return kind == PrimitiveKind::kDot1 || kind == PrimitiveKind::kDot2 || kind == PrimitiveKind::kAngle ||
         kind == PrimitiveKind::kTwist || kind == PrimitiveKind::kRolling || kind == PrimitiveKind::kGear;
}

/// What a primitive needs of its two bodies, in world axes; what it does not need is not set.
struct Ends {
  const BodyMotion& b1;
  const BodyMotion& b2;
  Vector3d s_1, s_2;  ///< arms from the centres of mass to the points
  Vector3d a_1, a_2;  ///< directions
  Vector3d d;         ///< from point 1 to point 2

  Ends(const Primitive& p, const BodyMotion* motions) noexcept
      : b1(motionOf(motions, p.body_1)), b2(motionOf(motions, p.body_2)) {
    if (hasPoints(p.kind)) {
      s_1 = turned(b1.R, p.s_1);
      s_2 = turned(b2.R, p.s_2);
      d = b2.r + s_2 - b1.r - s_1;
    }
    if (hasDirections(p.kind)) {
      a_1 = turned(b1.R, p.a_1);
      a_2 = turned(b2.R, p.a_2);
    }
  }
};

/// Angle from x to y about an axis normal to both, in (-pi, pi].
double angleAbout(const Vector3d& axis, const Vector3d& x, const Vector3d& y) noexcept {
  return std::atan2(axis.dot(x.cross(y)), x.dot(y));
}

/// f = a x d / |d|^2 of a gear: the line of centres turns at f . d' about the axis.
Vector3d lineTurning(const Ends& e) noexcept {
  return e.a_1.cross(e.d) / e.d.squaredNorm();
}

void setRow(RowJacobian& row, int side, bool ground, const Vector3d& translation, const Vector3d& rotation) noexcept {
  (ground ? Six::zero() : Six::of(translation, rotation)).store(row.h[side]);
}

void setPointRows(RowJacobian* rows, int side, double sign, const Vector3d& s) noexcept {
  for (int k = 0; k < 3; ++k) {
    const SideOfRow<double> of_row = pointSide<double>(k, sign, s);
    Six::of(of_row.translation, of_row.rotation).store(rows[k].h[side]);
  }
}

Vector3d centripetal(const BodyMotion& b, const Vector3d& arm) noexcept {
  return rt::centripetal<double>(b.omega_w, arm);
}

double dotRate2(const BodyMotion& b1, const BodyMotion& b2, const Vector3d& a_1, const Vector3d& a_2) noexcept {
  return rt::dotRate2<double>(b1.omega_w, b2.omega_w, a_1, a_2);
}

}  // namespace

void evaluateRows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const Ends e(p, motions);
  const bool ground_1 = p.body_1 == kGround, ground_2 = p.body_2 == kGround;
  switch (p.kind) {
    case PrimitiveKind::kPoint:
      for (int k = 0; k < 3; ++k) phi[k] = -e.d[k];
      setPointRows(jacobian, 0, ground_1 ? 0.0 : 1.0, e.s_1);
      setPointRows(jacobian, 1, ground_2 ? 0.0 : -1.0, e.s_2);
      return;
    case PrimitiveKind::kDistance: {
      const double inverse = 1.0 / p.length;
      const Vector3d u = e.d * inverse;
      phi[0] = 0.5 * (e.d.squaredNorm() - p.length * p.length) * inverse;
      setRow(jacobian[0], 0, ground_1, -u, u.cross(e.s_1));
      setRow(jacobian[0], 1, ground_2, u, e.s_2.cross(u));
      return;
    }
    case PrimitiveKind::kDot1: {
      const Vector3d n = e.a_1.cross(e.a_2);
      phi[0] = e.a_1.dot(e.a_2);
      setRow(jacobian[0], 0, ground_1, Vector3d::Zero(), n);
      setRow(jacobian[0], 1, ground_2, Vector3d::Zero(), -n);
      return;
    }
    case PrimitiveKind::kDot2:
      phi[0] = e.a_1.dot(e.d);
      setRow(jacobian[0], 0, ground_1, -e.a_1, e.a_1.cross(e.d + e.s_1));
      setRow(jacobian[0], 1, ground_2, e.a_1, e.s_2.cross(e.a_1));
      return;
    case PrimitiveKind::kLength: {
      phi[0] = lengthOf(e.d);
      const Vector3d u = e.d / phi[0];
      setRow(jacobian[0], 0, ground_1, -u, u.cross(e.s_1));
      setRow(jacobian[0], 1, ground_2, u, e.s_2.cross(u));
      return;
    }
    case PrimitiveKind::kAngle: {
      const Vector3d z_1 = e.b1.R * p.b_1, z_2 = e.b2.R * p.b_2;
      phi[0] = angleAbout(e.a_1, z_1, z_2) + p.length;
      setRow(jacobian[0], 0, ground_1, Vector3d::Zero(), -e.a_1);
      setRow(jacobian[0], 1, ground_2, Vector3d::Zero(), e.a_1);
      return;
    }
    case PrimitiveKind::kTwist: {
      const Vector3d b_1 = e.b1.R * p.b_1, b_2 = e.b2.R * p.b_2;
      const Vector3d n = 0.5 * (e.a_1.cross(e.a_2) - b_1.cross(b_2));
      phi[0] = 0.5 * (e.a_1.dot(e.a_2) - b_1.dot(b_2));
      setRow(jacobian[0], 0, ground_1, Vector3d::Zero(), n);
      setRow(jacobian[0], 1, ground_2, Vector3d::Zero(), -n);
      return;
    }
    case PrimitiveKind::kRolling: {
      const Vector3d t = e.b1.R * p.t_1;
      phi[0] = t.dot(e.d) - p.length - p.rho_1 * angleAbout(e.a_1, e.b1.R * p.b_1, e.b2.R * p.b_2);
      setRow(jacobian[0], 0, ground_1, -t, t.cross(e.d + e.s_1) + p.rho_1 * e.a_1);
      setRow(jacobian[0], 1, ground_2, t, e.s_2.cross(t) - p.rho_1 * e.a_1);
      return;
    }
    case PrimitiveKind::kGear: {
      const Vector3d pull = (p.rho_1 + p.rho_2) * lineTurning(e);
      phi[0] = p.rho_1 * angleAbout(e.a_1, e.d, e.b1.R * p.b_1) + p.rho_2 * angleAbout(e.a_1, e.d, e.b2.R * p.b_2);
      setRow(jacobian[0], 0, ground_1, pull, p.rho_1 * e.a_1 + e.s_1.cross(pull));
      setRow(jacobian[0], 1, ground_2, -pull, p.rho_2 * e.a_1 - e.s_2.cross(pull));
      return;
    }
  }
}

void evaluateGamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const Ends e(p, motions);
  const auto pointCentripetal = [&e]() noexcept -> Vector3d {
    return centripetal(e.b2, e.s_2) - centripetal(e.b1, e.s_1);
  };
  const auto pointRate = [&e]() noexcept -> Vector3d {
    return e.b2.v + e.b2.omega_w.cross(e.s_2) - e.b1.v - e.b1.omega_w.cross(e.s_1);
  };
  switch (p.kind) {
    case PrimitiveKind::kPoint: {
      const Vector3d c = pointCentripetal();
      for (int k = 0; k < 3; ++k) gamma[k] = c[k];
      return;
    }
    case PrimitiveKind::kDistance:
      gamma[0] = -(pointRate().squaredNorm() + e.d.dot(pointCentripetal())) / p.length;
      return;
    case PrimitiveKind::kDot1: gamma[0] = -dotRate2(e.b1, e.b2, e.a_1, e.a_2); return;
    case PrimitiveKind::kDot2:
      gamma[0] = -(centripetal(e.b1, e.a_1).dot(e.d) + e.a_1.dot(pointCentripetal()) +
                   2 * e.b1.omega_w.cross(e.a_1).dot(pointRate()));
      return;
    case PrimitiveKind::kLength: {
      const double length = lengthOf(e.d);
      const Vector3d u = e.d / length, rate = pointRate();
      const double along = u.dot(rate);
      gamma[0] = -(u.dot(pointCentripetal()) + (rate.squaredNorm() - along * along) / length);
      return;
    }
    case PrimitiveKind::kAngle: gamma[0] = -e.b1.omega_w.cross(e.a_1).dot(e.b2.omega_w - e.b1.omega_w); return;
    case PrimitiveKind::kTwist: {
      const Vector3d b_1 = e.b1.R * p.b_1, b_2 = e.b2.R * p.b_2;
      gamma[0] = -0.5 * (dotRate2(e.b1, e.b2, e.a_1, e.a_2) - dotRate2(e.b1, e.b2, b_1, b_2));
      return;
    }
    case PrimitiveKind::kRolling: {
      const Vector3d t = e.b1.R * p.t_1;
      gamma[0] =
          -(centripetal(e.b1, t).dot(e.d) + t.dot(pointCentripetal()) + 2 * e.b1.omega_w.cross(t).dot(pointRate())) +
          p.rho_1 * e.b1.omega_w.cross(e.a_1).dot(e.b2.omega_w - e.b1.omega_w);
      return;
    }
    case PrimitiveKind::kGear: {
      // Second rate of the line of centres, (a . d x d')' / |d|^2 - 2 (a . d x d') (d . d') / |d|^4, at rest of all
      // else.
      const Vector3d rate = pointRate(), turned = e.b1.omega_w.cross(e.a_1), across = e.d.cross(rate);
      const double square = e.d.squaredNorm();
      const double line = (turned.dot(across) + e.a_1.dot(e.d.cross(pointCentripetal()))) / square -
                          2 * e.a_1.dot(across) * e.d.dot(rate) / (square * square);
      gamma[0] = (p.rho_1 + p.rho_2) * line - p.rho_2 * turned.dot(e.b2.omega_w) - p.rho_1 * turned.dot(e.b1.omega_w);
      return;
    }
  }
}

void addGeometricStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept {
  const Ends e(p, motions);
  const auto add = [stiffness](int body, const Matrix3d& k) noexcept {
    if (body != kGround) stiffness[body] += k;
  };
  switch (p.kind) {
    case PrimitiveKind::kPoint: {
      const Vector3d l(lambda[0], lambda[1], lambda[2]);
      add(p.body_1, turnStiffness<double>(e.s_1, l));
      add(p.body_2, turnStiffness<double>(e.s_2, -l));
      return;
    }
    case PrimitiveKind::kDistance: {
      const Vector3d l = e.d * (lambda[0] / p.length);
      const double tension = lambda[0] / p.length;
      // The turning of the line between the points adds tension (|s|^2 I - s s^T).
      const auto lineTurn = [tension](const Vector3d& s) noexcept -> Matrix3d {
        return tension * (s.squaredNorm() * Matrix3d::Identity() - s * s.transpose());
      };
      add(p.body_1, turnStiffness<double>(e.s_1, -l) + lineTurn(e.s_1));
      add(p.body_2, turnStiffness<double>(e.s_2, l) + lineTurn(e.s_2));
      return;
    }
    case PrimitiveKind::kDot1:
      add(p.body_1, turnStiffness<double>(e.a_1, e.a_2 * lambda[0]));
      add(p.body_2, turnStiffness<double>(e.a_2, e.a_1 * lambda[0]));
      return;
    case PrimitiveKind::kDot2:
      add(p.body_1, turnStiffness<double>(e.a_1, (e.d + e.s_1) * lambda[0]));
      add(p.body_2, turnStiffness<double>(e.s_2, e.a_1 * lambda[0]));
      return;
    case PrimitiveKind::kLength: {
      const double length = lengthOf(e.d), tension = lambda[0] / length;
      const Vector3d u = e.d / length;
      // As for kDistance, but a length does not grow by what lies along the line.
      const auto lineTurn = [&](const Vector3d& s) noexcept -> Matrix3d {
        const Vector3d n = s.cross(u);
        return tension * (s.squaredNorm() * Matrix3d::Identity() - s * s.transpose() - n * n.transpose());
      };
      add(p.body_1, turnStiffness<double>(e.s_1, -lambda[0] * u) + lineTurn(e.s_1));
      add(p.body_2, turnStiffness<double>(e.s_2, lambda[0] * u) + lineTurn(e.s_2));
      return;
    }
    case PrimitiveKind::kAngle: return;  // turning the axis gives an antisymmetric part only
    case PrimitiveKind::kTwist: {
      const Vector3d b_1 = e.b1.R * p.b_1, b_2 = e.b2.R * p.b_2;
      const double half = 0.5 * lambda[0];
      add(p.body_1, turnStiffness<double>(e.a_1, e.a_2 * half) - turnStiffness<double>(b_1, b_2 * half));
      add(p.body_2, turnStiffness<double>(e.a_2, e.a_1 * half) - turnStiffness<double>(b_2, b_1 * half));
      return;
    }
    case PrimitiveKind::kRolling: {
      const Vector3d t = e.b1.R * p.t_1;
      add(p.body_1, turnStiffness<double>(t, (e.d + e.s_1) * lambda[0]));
      add(p.body_2, turnStiffness<double>(e.s_2, t * lambda[0]));
      return;
    }
    case PrimitiveKind::kGear: {
      // As for kLength: the arm turns, and with it the line of centres.
      const Vector3d f = lineTurning(e);
      const double load = (p.rho_1 + p.rho_2) * lambda[0], square = e.d.squaredNorm();
      const Matrix3d by_line = (skew(e.a_1) - 2 * f * e.d.transpose()) / square;
      const Matrix3d by_axis = skew(e.d) * skew(e.a_1) / square;
      const Matrix3d S_1 = skew(e.s_1), S_2 = skew(e.s_2);
      const Matrix3d k_1 = S_1 * (by_axis + by_line * S_1), k_2 = S_2 * by_line * S_2;
      add(p.body_1, load * (turnStiffness<double>(e.s_1, f) + 0.5 * (k_1 + k_1.transpose())));
      add(p.body_2, -load * (turnStiffness<double>(e.s_2, f) - 0.5 * (k_2 + k_2.transpose())));
      return;
    }
  }
}

Load reactionOnBody2(const Model& model, int joint, const BodyMotion* motions, const double* lambda) noexcept {
  const Joint& j = model.joints[static_cast<std::size_t>(joint)];
  // On ground the Jacobian is zero by convention; the reaction there is the opposite of the one on body 1.
  const bool opposite = j.body_2 == kGround;
  const int side = opposite ? 0 : 1;
  const double sign = opposite ? 1.0 : -1.0;
  Load load;
  const auto add = [&](const Primitive& p) noexcept {
    double phi[3];
    RowJacobian rows[3];
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
  // The Jacobian's torque is about a centre of mass; move it to the point.
  const BodyMotion& b1 = motionOf(motions, j.body_1);
  const BodyMotion& b2 = motionOf(motions, j.body_2);
  const Vector3d point = b2.r + b2.R * j.point_2;
  load.torque += ((opposite ? b1.r : b2.r) - point).cross(load.force);
  return load;
}

double jointAngle(const Joint& joint, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, joint.body_1);
  const BodyMotion& b2 = motionOf(motions, joint.body_2);
  const Vector3d axis = b1.R * joint.axis_1;
  return angleAbout(axis, b1.R * joint.zero_1, b2.R * joint.zero_2) + joint.initial_angle;
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
  const Ends e(p, motions);
  const Vector3d z_1 = e.b1.R * p.b_1, z_2 = e.b2.R * p.b_2;
  switch (p.kind) {
    case PrimitiveKind::kAngle: angles[0] = angleAbout(e.a_1, z_1, z_2) + p.length; return 1;
    case PrimitiveKind::kRolling: angles[0] = angleAbout(e.a_1, z_1, z_2); return 1;
    case PrimitiveKind::kGear:
      angles[0] = angleAbout(e.a_1, e.d, z_1);
      angles[1] = angleAbout(e.a_1, e.d, z_2);
      return 2;
    default: return 0;
  }
}

double continueRow(const Primitive& p, const BodyMotion* motions, const double* displacements, double phi) noexcept {
  const double* const previous = displacements + p.displacement;
  if (p.kind == PrimitiveKind::kAngle) return unwrapAngle(phi, previous[0]);
  double angles[2];
  const int count = primitiveAngles(p, motions, angles);
  const double weights[2] = {p.kind == PrimitiveKind::kRolling ? -p.rho_1 : p.rho_1, p.rho_2};
  for (int k = 0; k < count; ++k) phi += weights[k] * (unwrapAngle(angles[k], previous[k]) - angles[k]);
  return phi;
}

void countAngles(const Model& model, const BodyMotion* motions, const double* previous, double* angles) noexcept {
  for (const Joint& joint : model.joints)
    if (joint.displacement >= 0)
      angles[joint.displacement] = unwrapAngle(jointAngle(joint, motions), previous[joint.displacement]);
  for (const int index : model.gears) {
    const Primitive& gear = model.primitives[static_cast<std::size_t>(index)];
    double wrapped[2];
    primitiveAngles(gear, motions, wrapped);
    for (int k = 0; k < 2; ++k)
      angles[gear.displacement + k] = unwrapAngle(wrapped[k], previous[gear.displacement + k]);
  }
}

double unwrapAngle(double angle, double previous) noexcept {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::nearbyint((previous - angle) / kTurn);
}

}  // namespace tactus::rt
