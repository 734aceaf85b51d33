#include "rt/ali3p/tree/commit.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/body_loads.h"
#include "rt/mechanics/row_laws.h"
#include "rt/mechanics/spring_law.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

void commit(const Model& model, double dt, std::span<const double> input, const State& from, const Workspace& ws,
            State& to) noexcept {
  const StateView previous = from.view();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    to.r(i) = ws.motions[k].r;
    to.p(i) = ws.rotations[k].p;
    to.v(i) = ws.motions[k].v;
    to.omega(i) = ws.rotations[k].omega;
    to.a(i) = ws.motions[k].a;
    to.alpha(i) = ws.rotations[k].alpha;
  }
  std::copy_n(ws.lambda.data(), model.rows, to.lambda());
  countAngles(model, ws.motions.data(), previous.jointDisplacements(), to.jointDisplacements());
  storeInput(input, to);

  to.powerInput() = actuatorPower(model, input, ws.motions.data());
  const LoadPower air = bodyLoadPower(model, ws.motions.data());
  to.powerInput() += air.input;
  to.powerDissipated() = air.dissipated;
  const ElementPower elements = powerOf(ws.elements);
  to.powerInput() += elements.input;
  to.powerDissipated() += elements.dissipated;
  storeInternalStates(model, ws.elements, to.internalStates());
  for (const Joint& joint : model.joints) {
    const auto law = static_cast<std::size_t>(joint.law_index);
    if (joint.law == LawKind::kDriven)
      to.powerInput() -= ws.lambda[static_cast<std::size_t>(joint.first_row)] * ws.drives[law].rate;
    if (!joint.compliant()) continue;
    double rate[kMaxJointRows];
    jointRowRates(joint, ws.jacobian.data() + joint.first_row, ws.motions.data(), rate);
    const LawPower power =
        lawPower(model, joint, ws.motions.data(), ws.input.data(), ws.phi.data() + joint.first_row, rate);
    to.powerDissipated() += power.dissipated;
    to.powerInput() += power.input;
  }
  integrateWork(model, dt, from, to);
}

void storeInput(std::span<const double> input, State& to) noexcept {
  for (std::size_t i = 0; i < input.size(); ++i) to.input()[i] = input[i] + 0.0;
}

void integrateWork(const Model& model, double dt, const State& from, State& to) noexcept {
  const StateView previous = from.view();
  to.workInput() = previous.workInput() + 0.5 * dt * (previous.powerInput() + to.powerInput()) +
                   freeLengthWork(model, previous, to.view());
  to.workDissipated() = previous.workDissipated() + 0.5 * dt * (previous.powerDissipated() + to.powerDissipated());
}

bool isFinite(const State& state) noexcept {
  // A sum is finite only if all its terms are. Several sums, for one alone would wait for each addition.
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  const std::vector<double>& values = state.values();
  const std::size_t whole = values.size() / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += values[i + k] * 0.0;
  for (std::size_t i = whole; i < values.size(); ++i) sums[i - whole] += values[i] * 0.0;
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum == 0.0;
}

}  // namespace tactus::rt
