#include "rt/ali3p/tree/workspace.h"

#include "rt/mechanics/gyroscopic.h"

namespace tactus::rt {

namespace {

std::size_t rowsOf(const Model& model) {
  return static_cast<std::size_t>(model.rows);
}

}  // namespace

TreeIterate::TreeIterate(const Model& model)
    : motions(model.bodies.size()), rotations(model.bodies.size()), lambda(rowsOf(model)) {}

TreeConditions::TreeConditions(const Model& model)
    : input(model.actuators.size()),
      drives(model.drives.size()),
      displacements(static_cast<std::size_t>(model.displacements)),
      internal_states(static_cast<std::size_t>(model.internal_states)),
      spins_fast(model.bodies.size()),
      start_phi(rowsOf(model)) {
  for (const Body& body : model.bodies) gyroscopic_bound.push_back(gyroscopicBound(body));
}

TreeRows::TreeRows(const Model& model)
    : lanes(model), jacobian(model.jacobianRows() + 1), phi(rowsOf(model)), rates(phi.size()), gamma(phi.size()) {
  for (const CompliantLaw& of_rows : model.compliant_laws)
    law_is_damped.push_back(!of_rows.linear() || of_rows.has_input || !of_rows.C.isZero(0) ? 1 : 0);
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.compliant() && hasDamping(joint)) damped.push_back(j);
  }
}

TreeLoads::TreeLoads(const Model& model)
    : bodies(model.bodies.size()), elements(model), has_force_elements(hasForceElements(model)) {}

TreeTangent::TreeTangent(const Model& model, const Plan& plan)
    : laws(model),
      stiffness(model.bodies.size()),
      bodies(model.bodies.size()),
      compliance_scale(rowsOf(model)),
      epsilon(rowsOf(model)),
      compliance(model.compliant_laws.size()),
      elastic_share(model.compliant_laws.size()),
      rigidity(rowsOf(model), 1.0) {
  std::vector<bool> by_freedoms(rowsOf(model), false);
  for (const PlanNode& node : plan.nodes)
    for (int k = 0; k < node.rows; ++k)
      by_freedoms[static_cast<std::size_t>(node.row_unknown - 6 * plan.bodies + k)] = true;
  for (std::size_t i = 0; i < model.primitives.size(); ++i)
    if (!by_freedoms[static_cast<std::size_t>(model.primitives[i].row)]) regularized.push_back(static_cast<int>(i));
}

TreeFronts::TreeFronts(const Plan& plan) : symmetric(plan.front_doubles), square(plan.square_doubles) {}

TreeUnknowns::TreeUnknowns(const Plan& plan)
    : values(static_cast<std::size_t>(plan.in_place ? plan.permuted_size : plan.unknowns())),
      permuted(static_cast<std::size_t>(plan.permuted_size)) {}

}  // namespace tactus::rt
