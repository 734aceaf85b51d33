#include "rt/mechanics/elements/air_load.h"

#include "rt/math/skew.h"

namespace tactus::rt {

AirLoadElement::Evaluation AirLoadElement::evaluate(const AirLoad& air, const ElementContext& at) noexcept {
  const BodyMotion& body = at.motions[air.body];
  Evaluation e;
  e.arm = body.R * air.point;
  e.up = body.R * air.up;
  e.across = body.R * air.across;
  e.u = body.v + body.omega_w.cross(e.arm) - air.wind;
  e.speed = e.u.norm();
  e.slip = e.across.dot(e.u);
  e.force = e.speed * (air.lift * e.speed * e.up - air.drag * e.u - air.side * e.slip * e.across);
  return e;
}

void AirLoadElement::addLoad(const AirLoad& air, const Evaluation& e, const ElementContext&, Load* loads) noexcept {
  loads[air.body].force += e.force;
  loads[air.body].torque += e.arm.cross(e.force);
}

ElementPower AirLoadElement::power(const AirLoad& air, const Evaluation& e) noexcept {
  return {-e.force.dot(e.u), e.force.dot(air.wind)};
}

void AirLoadElement::differentiate(const AirLoad& air, const ElementContext& at, std::vector<BodyLoadDerivative>& all) {
  const Evaluation e = evaluate(air, at);
  BodyLoadDerivative& d = all.emplace_back(BodyLoadDerivative{air.body, air.body});
  Matrix3d by_u = 2 * air.lift * e.up * e.u.transpose();
  if (e.speed > 0) {
    by_u -= air.drag * (e.speed * Matrix3d::Identity() + e.u * e.u.transpose() / e.speed);
    by_u -= air.side * e.across * (e.speed * e.across + e.slip / e.speed * e.u).transpose();
  }
  const Matrix3d S = skew(e.arm), W = skew(at.motions[air.body].omega_w);
  // The arm turns with the body, and so does the velocity of the point; so do the directions of lift and side force.
  const Matrix3d by_across = -air.side * e.speed * (e.slip * Matrix3d::Identity() + e.across * e.u.transpose());
  const Matrix3d by_rotation = by_u * (-W * S) - air.lift * e.speed * e.speed * skew(e.up) - by_across * skew(e.across);
  d.by_position.topRightCorner<3, 3>() = by_rotation;
  d.by_position.bottomRightCorner<3, 3>() = S * by_rotation + skew(e.force) * S;
  d.by_velocity.topLeftCorner<3, 3>() = by_u;
  d.by_velocity.topRightCorner<3, 3>() = -by_u * S;
  d.by_velocity.bottomLeftCorner<3, 3>() = S * by_u;
  d.by_velocity.bottomRightCorner<3, 3>() = -S * by_u * S;
}

}  // namespace tactus::rt
