#include "rt/mechanics/elements/body_drag.h"

namespace tactus::rt {

BodyDragElement::Evaluation BodyDragElement::evaluate(const BodyDrag& drag, const ElementContext& at) noexcept {
  return {at.motions[drag.body].v, at.motions[drag.body].omega_w};
}

void BodyDragElement::addLoad(const BodyDrag& drag, const Evaluation& e, const ElementContext&, Load* loads) noexcept {
  loads[drag.body].force -= drag.linear * e.v;
  loads[drag.body].torque -= drag.angular * e.omega_w;
}

ElementPower BodyDragElement::power(const BodyDrag& drag, const Evaluation& e) noexcept {
  return {drag.linear * e.v.squaredNorm() + drag.angular * e.omega_w.squaredNorm(), 0};
}

void BodyDragElement::differentiate(const BodyDrag& drag, const ElementContext&, std::vector<BodyLoadDerivative>& all) {
  BodyLoadDerivative& d = all.emplace_back(BodyLoadDerivative{drag.body, drag.body});
  d.by_velocity.diagonal() << Vector3d::Constant(-drag.linear), Vector3d::Constant(-drag.angular);
}

}  // namespace tactus::rt
