#include "rt/offline/analysis/linearization.h"

#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"
#include "rt/offline/core/saddle_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Steps of central differences: of the states, m, rad and their rates, and of an input relative to its value.
constexpr double kStateStep = 1e-5, kInputStep = 1e-4;

/// The derivative of a function of a ParameterSide.
template <class Function>
VectorXd slopeBy(const ParameterDifferences& parameter, const Function& function) {
  VectorXd slope;
  for (const ParameterDifference& p : parameter) {
    const VectorXd part = (function(p.above) - function(p.below)) / p.divisor;
    slope = slope.size() == 0 ? part : VectorXd(slope + part);
  }
  return slope;
}

}  // namespace

VectorXd restingInternalStates(const EquationsOfMotion& system, const MotionPoint& at) {
  const Model& model = system.model();
  const std::vector<int> integrated = integratedInternalStates(model);
  std::vector<double> all(static_cast<std::size_t>(model.internal_states), 0.0);
  if (!integrated.empty()) beginInternalStates(model, system.motionsOf(at).data(), at.angles.data(), all.data());
  VectorXd resting(static_cast<Eigen::Index>(integrated.size()));
  for (std::size_t k = 0; k < integrated.size(); ++k)
    resting[static_cast<Eigen::Index>(k)] = all[static_cast<std::size_t>(integrated[k])];
  return resting;
}

VectorXd turned(const Vector3d& turning, const VectorXd& u) {
  VectorXd out(u.size());
  for (Eigen::Index k = 0; k < u.size(); k += 3) out.segment<3>(k) = turning.cross(Vector3d(u.segment<3>(k)));
  return out;
}

Linearization::Linearization(const Model& model, MotionPoint at, const std::vector<double>& input,
                             std::vector<Coordinate> chosen)
    : model_(model),
      values_(input),
      system_(model, [this](double, std::span<double> out) { std::copy(values_.begin(), values_.end(), out.begin()); }),
      at_(settled(std::move(at))),
      coordinates_(chosen.empty() ? IndependentCoordinates(system_, at_)
                                  : IndependentCoordinates(system_, at_, std::move(chosen))),
      chart_(system_, at_),
      L1_(chart_.velocityByPosition(at_)),
      L2_(chart_.accelerationByPosition(at_)) {
  at_.lambda = coordinates_.space().smallestMultipliers(-system_.residual(at_));
  tangent_ = linearize(system_, at_, coordinates_.T(), [this](const MatrixXd& b) { return coordinates_.answer(b); });
  mass_.compute(tangent_.reduced.M);
  derivatives_ = system_.residualDerivatives(at_);
}

VectorXd Linearization::values() const {
  VectorXd x(size());
  const std::vector<BodyMotion> motions = system_.motionsOf(at_);
  for (int k = 0; k < count(); ++k) {
    const Coordinate& c = coordinates_.chosen()[static_cast<std::size_t>(k)];
    switch (c.kind) {
      case Coordinate::Kind::kJointAngle:
        x[k] = at_.angles[static_cast<std::size_t>(model_.joints[static_cast<std::size_t>(c.of)].displacement)];
        break;
      case Coordinate::Kind::kJointTravel:
        x[k] = jointTravel(model_.joints[static_cast<std::size_t>(c.of)], motions.data());
        break;
      case Coordinate::Kind::kTranslation: x[k] = at_.position[6 * c.of + c.axis]; break;
      case Coordinate::Kind::kRotation: x[k] = 0; break;
    }
  }
  x.segment(count(), count()) = coordinates_.S() * at_.velocity;
  x.tail(internalStates()) = at_.internal_states;
  return x;
}

VectorXd Linearization::rate(const Vector3d& turning) const {
  VectorXd x(size());
  const VectorXd second = MatrixXd(coordinates_.secondRateByVelocity()) * at_.velocity;
  x << coordinates_.S() * at_.velocity, coordinates_.S() * at_.acceleration + 0.5 * second, at_.internal_rate;
  if (!turning.isZero(0)) {
    const VectorXd of_axes = coordinates_.S() * turned(turning, at_.velocity);
    for (int k = 0; k < count(); ++k)
      if (coordinates_.chosen()[static_cast<std::size_t>(k)].ofBody()) x[count() + k] -= of_axes[k];
  }
  return x;
}

Change Linearization::changeBy(const VectorXd& z, const VectorXd& w, const VectorXd& m) const {
  const TangentPoint& p = tangent_;
  Change c;
  c.y = p.T * z;
  const VectorXd sd = w - (coordinates_.S() * (L1_ * c.y) + coordinates_.rateByPosition() * c.y);  // analysis (4)
  VectorXd force = p.reduced.K * z + p.reduced.C * sd;
  if (m.size() > 0) force += p.residual_by_internal * m;
  const VectorXd sdd = -mass_.solve(force);  // analysis (5)
  c.yd = p.T * sd + p.U * z;
  c.ydd = p.T * sdd + p.W * sd + p.V * z;
  c.m = m;
  return c;
}

Change Linearization::changeBy(int input) {
  const double step = kInputStep * std::max(1.0, std::abs(values_[static_cast<std::size_t>(input)]));
  return changeBy(Effect{.phi = byInput(input, step, [&] { return system_.constraints(at_); }),
                         .nu = byInput(input, step, [&] { return system_.rowRates(at_.t); }),
                         .gamma = byInput(input, step, [&] { return system_.gamma(at_); }),
                         .force = byInput(input, step, [&] { return system_.residual(at_); })});
}

Change Linearization::changeBy(const ParameterDifferences& parameter) const {
  const auto slope = [&](const auto& function) {
    return slopeBy(parameter, [&](const ParameterSide& side) { return function(*side.system); });
  };
  // Rows that a parameter moves: H changes, and with it what they prescribe and the direction of their reactions.
  Sparse H(system_.rows(), system_.size());
  for (const ParameterDifference& p : parameter)
    H += Sparse((p.above.system->jacobian(at_) - p.below.system->jacobian(at_)) / p.divisor);
  const VectorXd nu = slope([&](const EquationsOfMotion& s) { return s.rowRates(at_.t); });
  const VectorXd gamma = slope([&](const EquationsOfMotion& s) { return s.gamma(at_); });
  const VectorXd force = slope([&](const EquationsOfMotion& s) { return s.residual(at_); });
  return changeBy(Effect{.phi = slope([&](const EquationsOfMotion& s) { return s.constraints(at_); }),
                         .nu = nu - H * at_.velocity,
                         .gamma = gamma - H * at_.acceleration,
                         .force = force + H.transpose() * at_.lambda});
}

Change Linearization::changeBy(Effect effect) const {
  const auto& [phi, nu, gamma, F] = effect;
  Change c;
  c.y = c.yd = c.ydd = VectorXd::Zero(system_.size());
  if (phi.norm() + nu.norm() + gamma.norm() > 0) {
    // Moved rows move the mechanism at once. analysis (6)
    const RowRateDerivatives rates = system_.rowRateDerivatives(at_);
    const Sparse H = system_.jacobian(at_);
    const Sparse A = rates.rate_by_position + H * L1_;
    const Sparse& D = rates.second_rate_by_velocity;
    const Sparse B = rates.second_rate_by_position + D * L1_ + H * L2_;
    c.y = coordinates_.answer(-phi);
    c.yd = coordinates_.answer(nu - A * c.y);
    // w is held: its part by y goes into the rates.
    const VectorXd sd = -(coordinates_.S() * (L1_ * c.y) + coordinates_.rateByPosition() * c.y);
    c.yd += tangent_.T * sd;
    c.ydd = coordinates_.answer(gamma - B * c.y - D * c.yd);
  }
  const VectorXd sdd = -mass_.solve(VectorXd(tangent_.T.transpose() * (F + forceOf(c))));
  c.ydd += tangent_.T * sdd;
  c.m = VectorXd::Zero(internalStates());
  c.force = std::move(effect.force);
  return c;
}

VectorXd Linearization::rateOf(const Change& c, const VectorXd& internal_rate, const Vector3d& turning) const {
  const Sparse& S = coordinates_.S();
  const VectorXd u = c.yd + L1_ * c.y, ud = c.ydd + L2_ * c.y;
  VectorXd rate(size());
  // A rotation counts from the motion of the point, which turns on: theta' = domega + omega x theta.
  const VectorXd w = S * u + coordinates_.rateByPosition() * c.y, of_bodies = S * VectorXd(u - 2 * (L1_ * c.y));
  for (int k = 0; k < count(); ++k)
    rate[k] = coordinates_.chosen()[static_cast<std::size_t>(k)].ofBody() ? of_bodies[k] : w[k];
  rate.segment(count(), count()) =
      S * ud + coordinates_.secondRateByPosition() * c.y + coordinates_.secondRateByVelocity() * u;
  rate.tail(internalStates()) = internal_rate;
  if (turning.isZero(0)) return rate;
  const VectorXd of_place = S * turned(turning, c.y), of_velocity = S * turned(turning, u);  // analysis (17)
  for (int k = 0; k < count(); ++k) {
    if (!coordinates_.chosen()[static_cast<std::size_t>(k)].ofBody()) continue;
    rate[k] -= of_place[k];
    rate[count() + k] -= of_velocity[k];
  }
  return rate;
}

VectorXd Linearization::internalRateOf(const Change& c) const {
  if (internalStates() == 0) return VectorXd(0);
  const InternalStateDerivatives& d = derivatives_.internal_states;
  return d.rate_by_position * c.y + d.rate_by_velocity * VectorXd(c.yd + L1_ * c.y) + d.rate_by_internal * c.m;
}

VectorXd Linearization::internalRateBy(int input) {
  if (internalStates() == 0) return VectorXd(0);
  const double step = kInputStep * std::max(1.0, std::abs(values_[static_cast<std::size_t>(input)]));
  return byInput(input, step, [&] { return system_.internalStateRates(at_); });
}

VectorXd Linearization::internalRateBy(const ParameterDifferences& parameter) const {
  if (internalStates() == 0) return VectorXd(0);
  return slopeBy(parameter, [&](const ParameterSide& side) { return side.system->internalStateRates(at_); });
}

State Linearization::stateOf(const State& like, double share, const Change& c, const VectorXd& lambda,
                             const EquationsOfMotion& system) const {
  MotionPoint point = chart_.motionOf({share * c.y, at_.velocity + share * c.yd, at_.acceleration + share * c.ydd});
  point.lambda += share * lambda;
  if (internalStates() > 0) point.internal_states += share * c.m;
  return stateOf(like, point, system);
}

State Linearization::stateOf(const State& like, const MotionPoint& point) const {
  return stateOf(like, point, system_);
}

State Linearization::stateOf(const State& like, const MotionPoint& point, const EquationsOfMotion& system) const {
  State state = like;
  std::copy(values_.begin(), values_.end(), state.input());
  system.writeMotion(point, state);
  return state;
}

VectorXd Linearization::outputsBy(const State& like, const Outputs& outputs, const Change& c, int input) {
  const double value = input < 0 ? 1 : std::abs(values_[static_cast<std::size_t>(input)]);
  const double step = input < 0 ? kStateStep : kInputStep * std::max(1.0, value);
  const VectorXd lambda = multipliersOf(c);
  const auto at = [&](double share) { return outputs(stateOf(like, share, c, lambda, system_)); };
  if (input >= 0) return byInput(input, step, at);
  return (at(step) - at(-step)) / (2 * step);
}

VectorXd Linearization::outputsBy(const State& like, const Change& c, const ParameterDifferences& parameter) const {
  const VectorXd lambda = multipliersOf(c);
  return slopeBy(parameter, [&](const ParameterSide& side) {
    return (*side.outputs)(stateOf(like, side.offset, c, lambda, *side.system));
  });
}

MotionPoint Linearization::settled(MotionPoint point) const {
  settleAccelerations(system_, point);
  return point;
}

VectorXd Linearization::forceOf(const Change& c) const {
  return derivatives_.K * c.y + derivatives_.C * VectorXd(c.yd + L1_ * c.y) +
         derivatives_.M * VectorXd(c.ydd + L2_ * c.y);
}

VectorXd Linearization::multipliersOf(const Change& c) const {
  VectorXd left = forceOf(c);
  if (c.force.size() > 0) left += c.force;
  if (c.m.size() > 0) left += derivatives_.internal_states.residual_by_internal * c.m;
  return coordinates_.space().smallestMultipliers(-left);
}

}  // namespace tactus::rt::offline
