#include "rt/mechanics/energy.h"

#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"

namespace tactus::rt {

Energy energyOf(const Model& model, const StateView& state, const BodyMotion* motions) noexcept {
  Energy e;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const Body& body = model.bodies[static_cast<std::size_t>(i)];
    const Vector3d omega = state.omega(i);
    e.kinetic += 0.5 * (body.mass * state.v(i).squaredNorm() + omega.dot(body.inertia * omega));
    e.potential -= body.mass * model.gravity.dot(state.r(i));
  }
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    JointRows rows;
    evaluateJointRows(model, joint, motions, state.jointDisplacements(), rows);
    e.potential += storedEnergy(model, joint, motions, state.input(), rows.phi);
  }
  addElementEnergy(model, state, motions, e.potential);
  e.potential += directLoadEnergy(model, motions, state.jointDisplacements());
  e.dissipated = state.workDissipated();
  e.input = state.workInput();
  e.total = e.kinetic + e.potential + e.dissipated - e.input;
  return e;
}

Energy energyOf(const Model& model, const StateView& state) {
  std::vector<BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(bodyMotion(state, i));
  return energyOf(model, state, motions.data());
}

}  // namespace tactus::rt
