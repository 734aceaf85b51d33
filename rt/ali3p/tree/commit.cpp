#include "rt/ali3p/tree/commit.h"

#include "rt/ali3p/step_end.h"
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Powers of everything that brings energy in or takes it out, at the motion of the iterate.
void storePowers(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions, const TreeRows& rows,
                 const TreeLoads& loads, State& to) noexcept {
  const BodyMotion* motions = iterate.motions.data();
  storeLoadPowers(model, motions, conditions, loads, to);
  if (rows.scalar_laws.damped()) to.powerDissipated() += rows.scalar_laws.dissipated(rows.rates.data());
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

void storeLoadPowers(const Model& model, const BodyMotion* motions, const TreeConditions& conditions,
                     const TreeLoads& loads, State& to) noexcept {
  to.powerInput() = actuatorPower(model, conditions.input, motions);
  const ElementPower air = directLoadPower(model, motions, conditions.displacements.data());
  to.powerInput() += air.input;
  to.powerDissipated() = air.dissipated;
  const ElementPower elements = powerOf(model, loads.elements);
  to.powerInput() += elements.input;
  to.powerDissipated() += elements.dissipated;
}

void commitShare(const Model& model, const State& from, const TreeIterate& iterate, State& to) noexcept {
  const TreeShare& share = iterate.share;
  for (std::size_t at = 0; at < share.own_bodies; ++at) {
    const int i = share.moved[at];
    const auto k = static_cast<std::size_t>(i);
    to.r(i) = iterate.motions[k].r;
    to.p(i) = iterate.rotations[k].p;
    to.v(i) = iterate.motions[k].v;
    to.omega(i) = iterate.rotations[k].omega;
    to.a(i) = iterate.motions[k].a;
    to.alpha(i) = iterate.rotations[k].alpha;
  }
  for (std::size_t at = 0; at < share.own_rows; ++at) {
    const RowRange& range = share.rows[at];
    std::copy(iterate.lambda.data() + range.first, iterate.lambda.data() + range.end, to.lambda() + range.first);
  }
  const double* previous = from.view().jointDisplacements();
  for (const int j : share.angles) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    to.jointDisplacements()[joint.displacement] = continueJointAngle(joint, iterate.motions.data(), previous);
  }
}

void commitRest(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions, const TreeRows& rows,
                const TreeLoads& loads, State& to) noexcept {
  storeInternalStates(model, loads.elements, to.internalStates());
  storeInput(conditions.input, to);
  storePowers(model, iterate, conditions, rows, loads, to);
}

void commit(const Model& model, const State& from, const TreeIterate& iterate, const TreeConditions& conditions,
            const TreeRows& rows, const TreeLoads& loads, State& to) noexcept {
  commitShare(model, from, iterate, to);
  countAngles(model, iterate.motions.data(), from.view().jointDisplacements(), to.jointDisplacements());
  commitRest(model, iterate, conditions, rows, loads, to);
}

}  // namespace tactus::rt
