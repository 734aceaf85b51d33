#include "rt/offline/literal/literal_stepper.h"

#include "rt/model/model.h"

#include <sstream>

namespace tactus::rt::offline {

namespace {

State stateOf(const DynamicSystem& system, const MotionPoint& point) {
  const EquationsOfMotion& equations = mechanismOf(system);
  State state(equations.model());
  equations.writeMotion(point, state);
  return state;
}

}  // namespace

LiteralStepper::LiteralStepper(const DynamicSystem& system, const MotionPoint& start, const LiteralSettings& settings)
    : equations_(mechanismOf(system)),
      settings_(settings),
      chain_(equations_.model(), stateOf(system, start), settings),
      point_(start) {
  const std::string used = usedInput(start.t);
  if (!used.empty()) throw Error(used);
}

/// Why the printed algorithm, which has no applied loads but gravity, cannot go on; empty: every actuator is idle.
std::string LiteralStepper::usedInput(double t) const {
  const std::vector<double> values = equations_.inputAt(t);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    std::ostringstream text;
    text << "ali3p-literal has no actuators, and the input of " << equations_.model().actuator_names[i] << " is "
         << values[i] << " at t = " << t << " s; keep it at zero or use another method";
    return text.str();
  }
  return {};
}

void LiteralStepper::advance(double step) {
  const std::string used = usedInput(point_.t + step);
  if (!used.empty()) throw StepFailure(used);
  chain_.setStep(step);
  chain_.step();
  if (!chain_.finite()) throw StepFailure("the motion is no longer finite; the penalty may be too high or too low");
  point_.t += step;
  for (int i = 0; i < chain_.bodies(); ++i) {
    const Vector4d p = chain_.p(i).normalized();
    const Matrix3d R = rotationMatrix(p);
    point_.orientation[static_cast<std::size_t>(i)] = p;
    point_.position.segment<3>(6 * i) = chain_.r(i);
    point_.velocity.segment<3>(6 * i) = chain_.v(i);
    point_.velocity.segment<3>(6 * i + 3) = R * chain_.omega(i);
    point_.acceleration.segment<3>(6 * i) = chain_.a(i);
    point_.acceleration.segment<3>(6 * i + 3) = R * chain_.alpha(i);
  }
  for (int k = 0; k < chain_.joints(); ++k) point_.lambda.segment<3>(3 * k) = chain_.correctedLambda(k);
  ++statistics_.steps;
  statistics_.newton_iterations += chain_.lastIterations();
  statistics_.force_evaluations += chain_.lastIterations();
  statistics_.factorizations += settings_.full_newton ? chain_.lastIterations() : 1;
}

}  // namespace tactus::rt::offline
