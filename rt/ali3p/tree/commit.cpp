#include "rt/ali3p/tree/commit.h"

#include "rt/ali3p/step_end.h"
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Powers of everything that brings energy in or takes it out, at the motion of the iterate.
void storePowers(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions, const TreeRows& rows,
                 const TreeLoads& loads, State& to) noexcept {
  const BodyMotion* motions = iterate.motions.data();
  to.powerInput() = actuatorPower(model, conditions.input, motions);
  const ElementPower air = directLoadPower(model, motions, conditions.displacements.data());
  to.powerInput() += air.input;
  to.powerDissipated() = air.dissipated;
  const ElementPower elements = powerOf(model, loads.elements);
  to.powerInput() += elements.input;
  to.powerDissipated() += elements.dissipated;
  if (model.drives.empty() && rows.damped_groups.empty()) return;
  for (const Joint& joint : model.joints) {
    const auto law = static_cast<std::size_t>(joint.law_index);
    if (joint.law == LawKind::kDriven)
      to.powerInput() -= iterate.lambda[static_cast<std::size_t>(joint.first_row)] * conditions.drives[law].rate;
    if (!joint.compliant() || !rows.hasDamping(joint)) continue;
    const auto first = static_cast<std::size_t>(joint.first_row);
    const ElementPower power =
        lawPower(model, joint, motions, conditions.input.data(), &rows.phi[first], &rows.rates[first]);
    to.powerDissipated() += power.dissipated;
    to.powerInput() += power.input;
  }
}

}  // namespace

void commit(const Model& model, const State& from, const TreeIterate& iterate, const TreeConditions& conditions,
            const TreeRows& rows, const TreeLoads& loads, State& to) noexcept {
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    to.r(i) = iterate.motions[k].r;
    to.p(i) = iterate.rotations[k].p;
    to.v(i) = iterate.motions[k].v;
    to.omega(i) = iterate.rotations[k].omega;
    to.a(i) = iterate.motions[k].a;
    to.alpha(i) = iterate.rotations[k].alpha;
  }
  std::copy_n(iterate.lambda.data(), model.rows, to.lambda());
  countAngles(model, iterate.motions.data(), from.view().jointDisplacements(), to.jointDisplacements());
  storeInternalStates(model, loads.elements, to.internalStates());
  storeInput(conditions.input, to);
  storePowers(model, iterate, conditions, rows, loads, to);
}

}  // namespace tactus::rt
