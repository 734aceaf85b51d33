#include "rt/mechanics/elements/anti_roll_bar.h"

#include "rt/math/skew.h"
#include "rt/model/model.h"

namespace tactus::rt {

namespace {

AntiRollBarElement::End endAt(int index, double share, double gain, const ElementContext& at) noexcept {
  const Joint& joint = at.model.joints[static_cast<std::size_t>(index)];
  const double* displacements = at.input.displacements;
  return {joint,
          share,
          gain,
          motionOf(at.motions, joint.body_1).R * joint.axis_1,
          displacements == nullptr ? 0 : unwrapAngle(jointAngle(joint, at.motions), displacements[joint.displacement]),
          jointRate(joint, at.motions)};
}

}  // namespace

AntiRollBarElement::Evaluation AntiRollBarElement::evaluate(const AntiRollBar& bar, const ElementContext& at) noexcept {
  Evaluation e{
      {endAt(bar.joint_1, 1, 1, at), endAt(bar.joint_2, -bar.ratio, -bar.ratio * (1 + bar.boost), at)}, 0, 0, 0};
  e.twist = e.ends[0].angle - bar.ratio * e.ends[1].angle - bar.free_twist;
  e.rate = e.ends[0].rate - bar.ratio * e.ends[1].rate;
  e.torque = -bar.stiffness * e.twist - bar.damping * e.rate;
  return e;
}

void AntiRollBarElement::addLoad(const AntiRollBar&, const Evaluation& e, const ElementContext&, Load* loads) noexcept {
  for (const End& end : e.ends) {
    const Vector3d torque = end.gain * e.torque * end.axis;
    if (end.joint.body_1 != kGround) loads[end.joint.body_1].torque -= torque;
    if (end.joint.body_2 != kGround) loads[end.joint.body_2].torque += torque;
  }
}

ElementPower AntiRollBarElement::power(const AntiRollBar& bar, const Evaluation& e) noexcept {
  const double of_motor = -bar.ratio * bar.boost * e.torque * e.ends[1].rate;
  return {bar.damping * e.rate * e.rate, of_motor};
}

double AntiRollBarElement::storedEnergy(const AntiRollBar& bar, const Evaluation& e) noexcept {
  return 0.5 * bar.stiffness * e.twist * e.twist;
}

void AntiRollBarElement::differentiate(const AntiRollBar& bar, const ElementContext& at,
                                       std::vector<BodyLoadDerivative>& all) {
  const Evaluation e = evaluate(bar, at);
  for (const End& loaded : e.ends)
    for (const int side : {0, 1}) {
      const int body = side == 0 ? loaded.joint.body_1 : loaded.joint.body_2;
      if (body == kGround) continue;
      const double sign = (side == 0 ? -1 : 1) * loaded.gain;
      if (loaded.joint.body_1 != kGround) {
        BodyLoadDerivative& d = all.emplace_back(BodyLoadDerivative{body, loaded.joint.body_1});
        d.by_position.bottomRightCorner<3, 3>() = -skew(sign * e.torque * loaded.axis);
      }
      for (const End& end : e.ends)
        for (const int moved_side : {0, 1}) {
          const int moved = moved_side == 0 ? end.joint.body_1 : end.joint.body_2;
          if (moved == kGround) continue;
          const double share = (moved_side == 0 ? -1 : 1) * end.share;
          BodyLoadDerivative& d = all.emplace_back(BodyLoadDerivative{body, moved});
          Vector3d by_position = -bar.stiffness * share * end.axis;
          if (moved_side == 0) {
            // The axis turns with this body: d(a . w) = (a x w) . dphi, w the rate of body 2 against body 1.
            const Vector3d w = motionOf(at.motions, end.joint.body_2).omega_w - at.motions[moved].omega_w;
            by_position -= bar.damping * end.share * end.axis.cross(w);
          }
          d.by_position.bottomRightCorner<3, 3>() = sign * loaded.axis * by_position.transpose();
          d.by_velocity.bottomRightCorner<3, 3>() = -bar.damping * share * sign * loaded.axis * end.axis.transpose();
        }
    }
}

}  // namespace tactus::rt
