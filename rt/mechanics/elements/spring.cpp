#include "rt/mechanics/elements/spring.h"

#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

double power(double base, double exponent) noexcept {
  return exponent == 1 ? base : std::pow(base, exponent);
}

/// Adds a stop; `sign` is 1 at the longest length and -1 at the shortest.
void addStop(const StopSpec& stop, double sign, double value, double rate, SpringForce& f) noexcept {
  const double pressed = sign * (value - stop.position);
  if (pressed <= 0) return;
  const double elastic = stop.stiffness * power(pressed, stop.exponent);
  f.elastic += sign * elastic;
  const double total = elastic + stop.damping * sign * rate;
  if (total <= 0) return;
  f.total += sign * total;
  f.by_value += stop.stiffness * stop.exponent * power(pressed, stop.exponent - 1);
  f.by_rate += stop.damping;
}

double stopEnergy(const StopSpec& stop, double sign, double value) noexcept {
  const double pressed = sign * (value - stop.position);
  return pressed <= 0 ? 0.0 : stop.stiffness * power(pressed, stop.exponent) * pressed / (stop.exponent + 1);
}

double freeOf(const CompliantLaw& law, const double* input) noexcept {
  return law.free_input >= 0 ? law.free_of_input(input[law.free_input]) : law.rest[0];
}

const Spring* extrasOf(const Model& model, const CompliantLaw& law) noexcept {
  return law.spring < 0 ? nullptr : &model.springs[static_cast<std::size_t>(law.spring)];
}

double sideOf(const Spring* extras) noexcept {
  if (extras == nullptr || extras->only == SpringSide::kBoth) return 0;
  return extras->only == SpringSide::kPull ? 1 : -1;
}

/// Value of the row of a spring in a State, which need not be the current iterate.
double springValue(const Model& model, const Joint& joint, const StateView& state) noexcept {
  BodyMotion ends[2];
  Primitive p = model.primitives[static_cast<std::size_t>(joint.first_primitive)];
  int* const bodies[2] = {&p.body_1, &p.body_2};
  for (int side = 0; side < 2; ++side) {
    int& body = *bodies[side];
    if (body == kGround) continue;
    ends[side] = bodyMotion(state, body);
    body = side;
  }
  double phi;
  RowJacobian ignored;
  evaluateRows(p, ends, &phi, &ignored);
  return p.displacement >= 0 ? unwrapAngle(phi, state.jointDisplacements()[p.displacement]) : phi;
}

/// Force of the curve or the constant of the spring, without preload and stops, and its slope.
CurveValue elasticPart(const RowContext& at, double value) noexcept {
  const CompliantLaw& law = at.law;
  const Spring* extras = extrasOf(at.model, law);
  const double e = value - freeOf(law, at.input);
  if (extras != nullptr && !extras->stiffness.empty()) return evaluateCurve(extras->stiffness, e);
  return {law.K(0, 0) * e, law.K(0, 0)};
}

/// @param spring  elasticPart() of the value
SpringForce forceOf(const RowContext& at, const CurveValue& spring, double value, double rate) noexcept {
  const CompliantLaw& law = at.law;
  const double* input = at.input;
  const Spring* extras = extrasOf(at.model, law);
  CurveValue damper{law.C(0, 0) * rate, law.C(0, 0)};
  if (extras != nullptr && !extras->damping.empty()) damper = evaluateCurve(extras->damping, rate);

  SpringForce f;
  f.set = law.preload_input >= 0 ? law.preload_of_input(input[law.preload_input]) : 0.0;
  f.free = spring.value + (law.preload_input >= 0 ? 0.0 : law.preload[0]);
  f.total = f.free + f.set + damper.value;
  f.by_value = spring.slope;
  f.by_rate = damper.slope;
  if (const double side = sideOf(extras); side != 0) {
    const bool slack = side * (f.free + f.set) <= 0;
    if (slack) f.free = 0;
    if (slack || side * f.total <= 0) f.total = f.by_value = f.by_rate = 0;
  }
  f.elastic = f.free;
  if (extras == nullptr) return f;
  if (extras->maximum_stop) addStop(*extras->maximum_stop, 1, value, rate, f);
  if (extras->minimum_stop) addStop(*extras->minimum_stop, -1, value, rate, f);
  return f;
}

}  // namespace

SpringForce SpringRow::evaluate(const RowContext& at, double value, double rate) noexcept {
  return forceOf(at, elasticPart(at, value), value, rate);
}

const CompliantLaw& SpringRow::lawAt(const RowContext& at, const double* phi, const double* rate,
                                     CompliantLaw& scratch) noexcept {
  const SpringForce f = evaluate(at, phi[0], rate[0]);
  scratch.rows = 1;
  scratch.K(0, 0) = f.by_value;
  scratch.C(0, 0) = f.by_rate;
  scratch.rest[0] = phi[0];
  scratch.preload[0] = f.total - f.by_rate * rate[0];
  scratch.minimum_stiffness = at.law.minimum_stiffness;
  return scratch;
}

void SpringRow::dampingForce(const RowContext& at, const double* phi, const double* rate, CompliantLaw& scratch,
                             double* force) noexcept {
  if (at.law.spring < 0) return linearDamping(lawAt(at, phi, rate, scratch), rate, force);
  const CurveValue elastic = elasticPart(at, phi[0]);
  force[0] = forceOf(at, elastic, phi[0], rate[0]).total - forceOf(at, elastic, phi[0], 0).total;
}

double SpringRow::storedEnergy(const RowContext& at, const double* phi) noexcept {
  const CompliantLaw& law = at.law;
  const Spring* extras = extrasOf(at.model, law);
  const double value = phi[0], e = value - freeOf(law, at.input), k = law.K(0, 0);
  const double preload = law.preload_input >= 0 ? 0.0 : law.preload[0];
  double energy = preload * e;
  if (extras != nullptr && !extras->stiffness.empty())
    energy += integrateCurve(extras->stiffness, e) - integrateCurve(extras->stiffness, 0);
  else
    energy += 0.5 * k * e * e;
  if (const double side = sideOf(extras); side != 0) {
    // From where the spring comes under load.
    const double force = k * e + preload;
    energy = side * force > 0 ? 0.5 * force * force / k : 0.0;
  }
  if (extras == nullptr) return energy;
  if (extras->maximum_stop) energy += stopEnergy(*extras->maximum_stop, 1, value);
  if (extras->minimum_stop) energy += stopEnergy(*extras->minimum_stop, -1, value);
  return energy;
}

ElementPower SpringRow::power(const RowContext& at, const double* phi, const double* rate) noexcept {
  const SpringForce f = evaluate(at, phi[0], rate[0]);
  return {(f.total - f.elastic - f.set) * rate[0], -f.set * rate[0]};
}

double freeLengthWork(const Model& model, const StateView& from, const StateView& to) noexcept {
  double work = 0;
  for (const int index : model.springs_with_input) {
    const Joint& joint = model.joints[static_cast<std::size_t>(index)];
    const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    const double move = law.free_of_input.scale * (to.input()[law.free_input] - from.input()[law.free_input]);
    if (move == 0) continue;
    double force = 0;
    for (const StateView* s : {&from, &to})
      force += 0.5 * SpringRow::evaluate({model, law, nullptr, s->input()}, springValue(model, joint, *s), 0).free;
    work -= force * move;
  }
  return work;
}

}  // namespace tactus::rt
