#include "rt/ali3p/tree/workspace.h"

#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/model/model.h"
#include "rt/plan/topology.h"

#include <algorithm>

namespace tactus::rt {

namespace {

std::size_t rowsOf(const Model& model) {
  return static_cast<std::size_t>(model.rows);
}

/// The rows of joints that are nodes of the plan, in order, and those of a group of joints together.
std::vector<RowGroup> rowGroups(const Model& model, const Plan& plan) {
  std::vector<bool> by_freedoms(model.joints.size(), false);
  for (const PlanNode& node : plan.nodes)
    if (node.carrier >= 0) by_freedoms[static_cast<std::size_t>(node.carrier)] = true;
  std::vector<RowGroup> groups;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (by_freedoms[j]) continue;
    if (j > 0 && !by_freedoms[j - 1] && groups.back().row_count < kMaxJointRows &&
        continuesGroup(model, model.joints[j - 1], joint)) {
      ++groups.back().row_count;
      continue;
    }
    groups.push_back({joint.first_row, joint.row_count, joint.body_1, joint.body_2, model.rows + joint.first_pair,
                      joint.pair_count, joint.first_pair, joint.law == LawKind::kDriven ? joint.law_index : -1,
                      joint.compliant()});
  }
  return groups;
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

TreeRows::TreeRows(const Model& model, const Plan& plan)
    : groups(rowGroups(model, plan)),
      carried(model, plan),
      lanes(model, CarriedRows::primitives(model, plan)),
      jacobian(model.jacobianRows() + 1),
      phi(rowsOf(model)),
      rates(phi.size()),
      gamma(phi.size()) {
  for (const CompliantLaw& of_rows : model.compliant_laws)
    law_is_damped.push_back(!of_rows.linear() || of_rows.has_input || !of_rows.C.isZero(0) ? 1 : 0);
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (!joint.compliant()) continue;
    const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    laws.push_back(
        {j, joint.first_row, joint.row_count, joint.law_index, own.linear() && !own.has_input, hasDamping(joint)});
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto inGroup = [&group = groups[i]](const LawRows& of) {
      return of.damped && of.first_row >= group.first_row && of.first_row < group.first_row + group.row_count;
    };
    if (std::any_of(laws.begin(), laws.end(), inGroup)) damped_groups.push_back(static_cast<int>(i));
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
  const std::vector<bool> compliant = compliantRows(model);
  for (std::size_t i = 0; i < model.primitives.size(); ++i) {
    const auto row = static_cast<std::size_t>(model.primitives[i].row);
    const bool elastic = model.primitives[i].kind == PrimitiveKind::kSection && compliant[row];
    if (!by_freedoms[row]) (elastic ? elastic_sections : regularized).push_back(static_cast<int>(i));
  }
}

TreeFronts::TreeFronts(const Plan& plan) : symmetric(plan.front_doubles), square(plan.square_doubles) {}

TreeUnknowns::TreeUnknowns(const Plan& plan)
    : values(static_cast<std::size_t>(plan.in_place ? plan.permuted_size : plan.unknowns())),
      permuted(static_cast<std::size_t>(plan.permuted_size)),
      filtered(static_cast<std::size_t>(plan.rows)) {}

}  // namespace tactus::rt
