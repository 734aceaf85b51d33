#include "rt/mechanics/elements/vertical_tyre.h"

#include "rt/mechanics/road_surface.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

TyreRoad roadUnderTyre(const Model& model, const Tyre& tyre, const Vector3d& center) noexcept {
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d from = center - road.origin;
  TyreRoad at{};
  at.across = road.up.cross(road.along);
  at.way = road.along.dot(from);
  at.left = at.across.dot(from);
  const RoadProfile profile = roadUnderDisc(road, tyre.radius, at.way);
  at.height = profile.height;
  at.by_along = profile.slope;
  at.curvature = profile.curvature;
  if (tyre.envelope < 0) return at;
  const GridValue lifted = smoothOn(model.envelopes[static_cast<std::size_t>(tyre.envelope)].heights, at.way, at.left);
  at.height += lifted.value;
  at.by_along += lifted.by_along;
  at.by_across = lifted.by_across;
  return at;
}

TyreContact evaluateTyre(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                         double height_rate) noexcept {
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.center;
  const TyreRoad under = roadUnderTyre(model, tyre, body.r + arm);
  const Vector3d velocity = body.v + body.omega_w.cross(arm);
  TyreContact contact;
  contact.road_height = under.height;
  contact.road_rate = under.by_along * road.along.dot(velocity) + under.by_across * under.across.dot(velocity);
  contact.deflection = tyre.radius + under.height - height;
  contact.deflection_rate = contact.road_rate - height_rate;
  if (contact.deflection > 0)
    contact.load = std::max(0.0, tyre.stiffness * contact.deflection + tyre.damping * contact.deflection_rate);
  return contact;
}

namespace {

/// Share of its stiffness that a tyre keeps where it carries nothing.
constexpr double kSlack = 1e-6;

/// A tyre and its contact at a motion.
struct ContactAt {
  const Tyre& tyre;
  TyreContact contact;

  ContactAt(const RowContext& at, double height, double height_rate) noexcept
      : tyre(at.model.tyres[static_cast<std::size_t>(at.law.tyre)]),
        contact(evaluateTyre(at.model, tyre, at.motions[tyre.body], height, height_rate)) {}

  double elastic() const noexcept { return contact.deflection > 0 ? tyre.stiffness * contact.deflection : 0.0; }
};

/// Derivatives of the load on the wheel, N, by (dr, dphi) and by (v, omega_w) of its body in world axes, where the
/// height of its center and the rate of the height are held.
struct TyreRoadDerivatives {
  Vector6d by_position = Vector6d::Zero();
  Vector6d by_velocity = Vector6d::Zero();
};

TyreRoadDerivatives differentiateTyreRoad(const Model& model, const Tyre& tyre, const BodyMotion& body) noexcept {
  TyreRoadDerivatives d;
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.center;
  const TyreRoad under = roadUnderTyre(model, tyre, body.r + arm);
  GridSecondDerivatives second;
  if (tyre.envelope >= 0)
    second =
        secondDerivativesOn(model.envelopes[static_cast<std::size_t>(tyre.envelope)].heights, under.way, under.left);
  second.along += under.curvature;

  // A way s = direction . (r + arm), its rate direction . (v + omega x arm), and that rate as the arm turns.
  const Vector3d velocity = body.v + body.omega_w.cross(arm);
  const auto add = [&](const Vector3d& direction, double slope, double slope_rate) noexcept {
    Vector6d way, rate_as_arm_turns = Vector6d::Zero();
    way << direction, arm.cross(direction);
    rate_as_arm_turns.tail<3>() = arm.cross(direction.cross(body.omega_w));
    d.by_position +=
        (tyre.stiffness * slope + tyre.damping * slope_rate) * way + tyre.damping * slope * rate_as_arm_turns;
    d.by_velocity += tyre.damping * slope * way;
  };
  const double speed = road.along.dot(velocity), slip = under.across.dot(velocity);
  add(road.along, under.by_along, second.along * speed + second.mixed * slip);
  if (tyre.envelope >= 0) add(under.across, under.by_across, second.mixed * speed + second.across * slip);
  return d;
}

}  // namespace

const CompliantLaw& VerticalTyreRow::lawAt(const RowContext& at, const double* phi, const double* rate,
                                           CompliantLaw& scratch) noexcept {
  const ContactAt c(at, phi[0], rate[0]);
  scratch.rows = 1;
  if (c.contact.load > 0) {
    scratch.K(0, 0) = c.tyre.stiffness;
    scratch.C(0, 0) = c.tyre.damping;
    scratch.rest[0] = phi[0] + c.contact.deflection;
    scratch.preload[0] = -c.tyre.damping * c.contact.road_rate;
  } else {
    scratch.K(0, 0) = kSlack * c.tyre.stiffness;
    scratch.C(0, 0) = 0;
    scratch.rest[0] = phi[0];
    scratch.preload[0] = 0;
  }
  scratch.minimum_stiffness = at.law.minimum_stiffness;
  return scratch;
}

double VerticalTyreRow::storedEnergy(const RowContext& at, const double* phi) noexcept {
  const ContactAt c(at, phi[0], 0);
  return 0.5 * c.elastic() * c.contact.deflection;
}

ElementPower VerticalTyreRow::power(const RowContext& at, const double* phi, const double* rate) noexcept {
  const ContactAt c(at, phi[0], rate[0]);
  return {(c.contact.load - c.elastic()) * c.contact.deflection_rate, c.contact.load * c.contact.road_rate};
}

void VerticalTyreRow::addDerivatives(const RowContext& at, const Joint& joint, const double* phi, const double* rate,
                                     const Row12d& h, Matrix12d& by_position, Matrix12d& by_velocity) noexcept {
  const Tyre& wheel = at.model.tyres[static_cast<std::size_t>(at.law.tyre)];
  // The slack of the law is no load.
  if (evaluateTyre(at.model, wheel, at.motions[wheel.body], phi[0], rate[0]).load <= 0) {
    by_position.setZero();
    by_velocity.setZero();
    return;
  }
  const TyreRoadDerivatives along = differentiateTyreRoad(at.model, wheel, at.motions[wheel.body]);
  const int side = wheel.body == joint.body_1 ? 0 : 6;
  by_position.middleCols<6>(side) -= h.transpose() * along.by_position.transpose();
  by_velocity.middleCols<6>(side) -= h.transpose() * along.by_velocity.transpose();
}

}  // namespace tactus::rt
