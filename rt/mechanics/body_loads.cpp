#include "rt/mechanics/body_loads.h"

#include "rt/math/skew.h"

namespace tactus::rt {

namespace {

/// One end of an anti-roll bar: a joint's axis, angle and rate.
struct BarEnd {
  const Joint& joint;
  double share;  ///< of the twist for each radian
  Vector3d axis;
  double angle, rate;

  BarEnd(const Model& model, int index, double twist_share, const BodyMotion* motions,
         const double* displacements) noexcept
      : joint(model.joints[static_cast<std::size_t>(index)]),
        share(twist_share),
        axis(motionOf(motions, joint.body_1).R * joint.axis_1),
        angle(displacements == nullptr ? 0
                                       : unwrapAngle(jointAngle(joint, motions), displacements[joint.displacement])),
        rate(jointRate(joint, motions)) {}
};

/// A bar at one motion. Without displacements its twist is not known, only its rate.
struct BarAt {
  const AntiRollBar& bar;
  BarEnd ends[2];
  double twist, rate, torque;

  BarAt(const Model& model, const AntiRollBar& b, const BodyMotion* motions, const double* displacements) noexcept
      : bar(b),
        ends{{model, b.joint_1, 1, motions, displacements}, {model, b.joint_2, -b.ratio, motions, displacements}},
        twist(ends[0].angle - b.ratio * ends[1].angle - b.free_twist),
        rate(ends[0].rate - b.ratio * ends[1].rate),
        torque(-b.stiffness * twist - b.damping * rate) {}
};

/// Air on a body at one motion; world axes.
struct AirAt {
  const AirLoad& air;
  Vector3d arm, up, across, u;
  double speed, slip;  ///< slip: across
  Vector3d force;

  AirAt(const AirLoad& a, const BodyMotion* motions) noexcept
      : air(a),
        arm(motions[a.body].R * a.point),
        up(motions[a.body].R * a.up),
        across(motions[a.body].R * a.across),
        u(motions[a.body].v + motions[a.body].omega_w.cross(arm) - a.wind),
        speed(u.norm()),
        slip(across.dot(u)),
        force(speed * (a.lift * speed * up - a.drag * u - a.side * slip * across)) {}
};

BodyLoadDerivative emptyDerivative(int loaded, int moved) {
  return {loaded, moved, Matrix6d::Zero(), Matrix6d::Zero()};
}

BodyLoadDerivative differentiate(const AirLoad& air, const BodyMotion* motions) {
  const AirAt at(air, motions);
  BodyLoadDerivative d = emptyDerivative(air.body, air.body);
  Matrix3d by_u = 2 * air.lift * at.up * at.u.transpose();
  if (at.speed > 0) {
    by_u -= air.drag * (at.speed * Matrix3d::Identity() + at.u * at.u.transpose() / at.speed);
    by_u -= air.side * at.across * (at.speed * at.across + at.slip / at.speed * at.u).transpose();
  }
  const Matrix3d S = skew(at.arm), W = skew(motions[air.body].omega_w);
  // The arm turns with the body, and with it the velocity of the point; so do the directions of lift and side force.
  const Matrix3d by_across = -air.side * at.speed * (at.slip * Matrix3d::Identity() + at.across * at.u.transpose());
  const Matrix3d by_rotation =
      by_u * (-W * S) - air.lift * at.speed * at.speed * skew(at.up) - by_across * skew(at.across);
  d.by_position.topRightCorner<3, 3>() = by_rotation;
  d.by_position.bottomRightCorner<3, 3>() = S * by_rotation + skew(at.force) * S;
  d.by_velocity.topLeftCorner<3, 3>() = by_u;
  d.by_velocity.topRightCorner<3, 3>() = -by_u * S;
  d.by_velocity.bottomLeftCorner<3, 3>() = S * by_u;
  d.by_velocity.bottomRightCorner<3, 3>() = -S * by_u * S;
  return d;
}

/// The torque share * tau along an axis that turns with body 1 of its joint, on both bodies of both joints.
void differentiate(const BarAt& at, const BodyMotion* motions, std::vector<BodyLoadDerivative>& all) {
  for (const BarEnd& loaded : at.ends)
    for (const int side : {0, 1}) {
      const int body = side == 0 ? loaded.joint.body_1 : loaded.joint.body_2;
      if (body == kGround) continue;
      const double sign = (side == 0 ? -1 : 1) * loaded.share;
      if (loaded.joint.body_1 != kGround) {
        all.push_back(emptyDerivative(body, loaded.joint.body_1));
        all.back().by_position.bottomRightCorner<3, 3>() = -skew(sign * at.torque * loaded.axis);
      }
      for (const BarEnd& end : at.ends)
        for (const int moved_side : {0, 1}) {
          const int moved = moved_side == 0 ? end.joint.body_1 : end.joint.body_2;
          if (moved == kGround) continue;
          const double share = (moved_side == 0 ? -1 : 1) * end.share;
          all.push_back(emptyDerivative(body, moved));
          BodyLoadDerivative& d = all.back();
          Vector3d by_position = -at.bar.stiffness * share * end.axis;
          if (moved_side == 0) {
            // The axis turns with it: d(a . w) = (a x w) . dphi, w the turning of body 2 against body 1.
            const Vector3d w = motionOf(motions, end.joint.body_2).omega_w - motions[moved].omega_w;
            by_position -= at.bar.damping * end.share * end.axis.cross(w);
          }
          d.by_position.bottomRightCorner<3, 3>() = sign * loaded.axis * by_position.transpose();
          d.by_velocity.bottomRightCorner<3, 3>() = -at.bar.damping * share * sign * loaded.axis * end.axis.transpose();
        }
    }
}

}  // namespace

void addBodyLoads(const Model& model, const BodyMotion* motions, const double* displacements, Load* loads) noexcept {
  for (const BodyDrag& drag : model.drags) {
    loads[drag.body].force -= drag.linear * motions[drag.body].v;
    loads[drag.body].torque -= drag.angular * motions[drag.body].omega_w;
  }
  for (const AirLoad& air : model.air_loads) {
    const AirAt at(air, motions);
    loads[air.body].force += at.force;
    loads[air.body].torque += at.arm.cross(at.force);
  }
  for (const AntiRollBar& bar : model.anti_roll_bars) {
    const BarAt at(model, bar, motions, displacements);
    for (const BarEnd& end : at.ends) {
      const Vector3d torque = end.share * at.torque * end.axis;
      if (end.joint.body_1 != kGround) loads[end.joint.body_1].torque -= torque;
      if (end.joint.body_2 != kGround) loads[end.joint.body_2].torque += torque;
    }
  }
}

LoadPower bodyLoadPower(const Model& model, const BodyMotion* motions) noexcept {
  LoadPower power;
  for (const BodyDrag& drag : model.drags)
    power.dissipated +=
        drag.linear * motions[drag.body].v.squaredNorm() + drag.angular * motions[drag.body].omega_w.squaredNorm();
  for (const AirLoad& air : model.air_loads) {
    const AirAt at(air, motions);
    power.dissipated -= at.force.dot(at.u);
    power.input += at.force.dot(air.wind);
  }
  for (const AntiRollBar& bar : model.anti_roll_bars) {
    const double rate = BarAt(model, bar, motions, nullptr).rate;
    power.dissipated += bar.damping * rate * rate;
  }
  return power;
}

double barEnergy(const Model& model, const BodyMotion* motions, const double* displacements) noexcept {
  double energy = 0;
  for (const AntiRollBar& bar : model.anti_roll_bars) {
    const double twist = BarAt(model, bar, motions, displacements).twist;
    energy += 0.5 * bar.stiffness * twist * twist;
  }
  return energy;
}

std::vector<BodyLoadDerivative> differentiateBodyLoads(const Model& model, const BodyMotion* motions,
                                                       const double* displacements) {
  std::vector<BodyLoadDerivative> all;
  for (const BodyDrag& drag : model.drags) {
    all.push_back(emptyDerivative(drag.body, drag.body));
    all.back().by_velocity.diagonal() << Vector3d::Constant(-drag.linear), Vector3d::Constant(-drag.angular);
  }
  for (const AirLoad& air : model.air_loads) all.push_back(differentiate(air, motions));
  for (const AntiRollBar& bar : model.anti_roll_bars)
    differentiate(BarAt(model, bar, motions, displacements), motions, all);
  return all;
}

}  // namespace tactus::rt
