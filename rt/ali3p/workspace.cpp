#include "rt/ali3p/workspace.h"

#include "rt/ali3p/chain/lanes.h"

#include <algorithm>

namespace tactus::rt {

Workspace::Workspace(const Model& model, const Plan& plan, int team)
    : motions(model.bodies.size()),
      rotations(model.bodies.size()),
      loads(model.bodies.size()),
      stiffness(model.bodies.size()),
      tangents(model.bodies.size()),
      row_lanes(model),
      jacobian(model.jacobianRows() + 1),
      phi(static_cast<std::size_t>(model.rows)),
      rates(phi.size()),
      gamma(phi.size()),
      lambda(phi.size()),
      epsilon(phi.size()),
      compliance_scale(phi.size()),
      rigidity(phi.size(), 1.0),
      compliance(model.compliant_laws.size()),
      drives(model.drives.size()),
      displacements(static_cast<std::size_t>(model.displacements)),
      internal_states(static_cast<std::size_t>(model.internal_states)),
      elements(model),
      input(model.actuators.size()),
      unknowns(static_cast<std::size_t>(plan.in_place ? plan.slot_count : plan.unknowns())),
      slots(static_cast<std::size_t>(plan.slot_count)),
      fronts(plan.front_doubles),
      square_fronts(plan.square_doubles),
      next(model),
      coarse(model),
      half(model),
      half_input(model.actuators.size()) {
  const bool shares_groups = plan.chain && maxThreads(plan.chain->segments) > 1;
  threads = shares_groups ? team : std::min(team, 2);
  if (threads > 1) barrier = std::make_unique<SpinBarrier>(threads);
  if (threads > 1 && !shares_groups) beside = std::make_unique<Workspace>(model, plan);
  if (plan.chain) chain = ChainWorkspace(model, *plan.chain, widestLanes(*plan.chain), shares_groups ? threads : 1);
}

}  // namespace tactus::rt
