#include "rt/mechanics/energy.h"

namespace tactus::rt {

Energy energyOf(const Model& model, const StateView& state) noexcept {
  Energy e;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const Body& body = model.bodies[static_cast<std::size_t>(i)];
    const Vector3d omega = state.omega(i);
    e.kinetic += 0.5 * (body.mass * state.v(i).squaredNorm() + omega.dot(body.inertia * omega));
    e.potential -= body.mass * model.gravity.dot(state.r(i));
  }
  e.dissipated = state.workDissipated();
  e.input = state.workInput();
  e.total = e.kinetic + e.potential + e.dissipated - e.input;
  return e;
}

}  // namespace tactus::rt
