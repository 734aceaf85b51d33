#include "rt/offline/analysis/linear_system.h"

#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"
#include "rt/offline/core/chart.h"
#include "rt/offline/core/saddle_point.h"
#include "rt/offline/core/tangent_point.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

namespace {

/// Steps of central differences: of the states, m, rad and their rates, and of an input relative to its value.
constexpr double kStateStep = 1e-5, kInputStep = 1e-4;

/// A small change of the motion in the coordinates of the chart, with what follows from it.
struct Change {
  VectorXd y, yd, ydd, m;
  VectorXd force;  ///< on the bodies, that an input causes with the motion held; empty: none
};

/// Everything at the point that the columns of A, B, C and D share.
class Linearization {
 public:
  Linearization(const Model& model, const State& state, const std::vector<double>& input, double t)
      : model_(model),
        values_(input),
        system_(model,
                [this](double, std::span<double> out) { std::copy(values_.begin(), values_.end(), out.begin()); }),
        at_(settled(system_.pointOf(state, t))),
        coordinates_(system_, at_),
        chart_(system_, at_),
        L1_(chart_.velocityByPosition(at_)),
        L2_(chart_.accelerationByPosition(at_)) {
    at_.lambda = coordinates_.space().smallestMultipliers(-system_.residual(at_));
    tangent_ = linearize(system_, at_, coordinates_.T(), [this](const MatrixXd& b) { return coordinates_.answer(b); });
    mass_.compute(tangent_.reduced.M);
    derivatives_ = system_.residualDerivatives(at_);
  }
  Linearization(const Linearization&) = delete;
  Linearization& operator=(const Linearization&) = delete;

  const EquationsOfMotion& system() const { return system_; }
  const IndependentCoordinates& coordinates() const { return coordinates_; }
  const MotionPoint& at() const { return at_; }
  const TangentPoint& tangent() const { return tangent_; }
  int count() const { return coordinates_.count(); }
  int internalStates() const { return system_.internalStateCount(); }
  int size() const { return 2 * count() + internalStates(); }

  /// x at the point. The rotation of a body counts from there.
  VectorXd values() const {
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

  /// x' at the point.
  VectorXd rate() const {
    VectorXd x(size());
    const VectorXd second = MatrixXd(coordinates_.secondRateByVelocity()) * at_.velocity;
    x << coordinates_.S() * at_.velocity, coordinates_.S() * at_.acceleration + 0.5 * second, at_.internal_rate;
    return x;
  }

  /// The change of the motion by a change of the states z, w, m, with the inputs held.
  Change changeBy(const VectorXd& z, const VectorXd& w, const VectorXd& m) const {
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

  /// The change of the motion by one input, with the states held.
  Change changeBy(int input) {
    const double step = kInputStep * std::max(1.0, std::abs(values_[static_cast<std::size_t>(input)]));
    const VectorXd phi = byInput(input, step, [&] { return system_.constraints(at_); });
    const VectorXd nu = byInput(input, step, [&] { return system_.rowRates(at_.t); });
    const VectorXd gamma = byInput(input, step, [&] { return system_.gamma(at_); });
    const VectorXd F = byInput(input, step, [&] { return system_.residual(at_); });
    Change c;
    c.y = c.yd = c.ydd = VectorXd::Zero(system_.size());
    if (phi.norm() + nu.norm() + gamma.norm() > 0) {
      // A driven row moves the mechanism at once. analysis (6)
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
    c.force = F;
    return c;
  }

  /// The change of x' that a change of the motion is. analysis (7)
  VectorXd rateOf(const Change& c, const VectorXd& internal_rate) const {
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
    return rate;
  }

  /// The change of the rates of internal states.
  VectorXd internalRateOf(const Change& c) const {
    if (internalStates() == 0) return VectorXd(0);
    const InternalStateDerivatives& d = derivatives_.internal_states;
    return d.rate_by_position * c.y + d.rate_by_velocity * VectorXd(c.yd + L1_ * c.y) + d.rate_by_internal * c.m;
  }

  /// The change of the rates of internal states by the input itself.
  VectorXd internalRateBy(int input) {
    if (internalStates() == 0) return VectorXd(0);
    const double step = kInputStep * std::max(1.0, std::abs(values_[static_cast<std::size_t>(input)]));
    return byInput(input, step, [&] { return system_.internalStateRates(at_); });
  }

  /// The State of the motion, changed by a multiple of a change.
  State stateOf(const State& like, double share, const Change& c, const VectorXd& lambda) const {
    MotionPoint point = chart_.motionOf({share * c.y, at_.velocity + share * c.yd, at_.acceleration + share * c.ydd});
    point.lambda += share * lambda;
    if (internalStates() > 0) point.internal_states += share * c.m;
    return stateOf(like, point);
  }

  State stateOf(const State& like, const MotionPoint& point) const {
    State state = like;
    std::copy(values_.begin(), values_.end(), state.input());
    system_.writeMotion(point, state);
    return state;
  }

  /// Derivative of the outputs along a change; by the input as well if it belongs to one.
  VectorXd outputsBy(const State& like, const Outputs& outputs, const Change& c, int input = -1) {
    const double value = input < 0 ? 1 : std::abs(values_[static_cast<std::size_t>(input)]);
    const double step = input < 0 ? kStateStep : kInputStep * std::max(1.0, value);
    const VectorXd lambda = multipliersOf(c);
    const auto at = [&](double share) { return outputs(stateOf(like, share, c, lambda)); };
    if (input >= 0) return byInput(input, step, at);
    return (at(step) - at(-step)) / (2 * step);
  }

 private:
  MotionPoint settled(MotionPoint point) const {
    settleAccelerations(system_, point);
    return point;
  }

  /// The linearized residual of a change, without the multipliers.
  VectorXd forceOf(const Change& c) const {
    return derivatives_.K * c.y + derivatives_.C * VectorXd(c.yd + L1_ * c.y) +
           derivatives_.M * VectorXd(c.ydd + L2_ * c.y);
  }

  /// H^T dlambda = -(what the motion leaves): the smallest multipliers. analysis (8)
  VectorXd multipliersOf(const Change& c) const {
    VectorXd left = forceOf(c);
    if (c.force.size() > 0) left += c.force;
    if (c.m.size() > 0) left += derivatives_.internal_states.residual_by_internal * c.m;
    return coordinates_.space().smallestMultipliers(-left);
  }

  /// Central difference of a function by one input. The function may take the step.
  template <class Function>
  VectorXd byInput(int input, double step, const Function& function) {
    double& value = values_[static_cast<std::size_t>(input)];
    const double held = value;
    const auto evaluate = [&](double share) {
      value = held + share;
      if constexpr (std::is_invocable_v<Function, double>)
        return function(share);
      else
        return function();
    };
    const VectorXd above = evaluate(step), below = evaluate(-step);
    value = held;
    return (above - below) / (2 * step);
  }

  const Model& model_;
  std::vector<double> values_;
  EquationsOfMotion system_;
  MotionPoint at_;
  IndependentCoordinates coordinates_;
  Chart chart_;
  Sparse L1_, L2_;
  TangentPoint tangent_;
  LuFactors mass_;
  ResidualDerivatives derivatives_;
};

std::vector<LinearState> statesOf(const Model& model, const std::vector<Coordinate>& chosen) {
  std::vector<LinearState> states;
  for (const Coordinate& c : chosen) states.push_back({nameOf(model, c), unitOf(c)});
  for (const Coordinate& c : chosen) states.push_back({rateNameOf(model, c), std::string(unitOf(c)) + "/s"});
  forEachKind([&](auto kind) {
    if constexpr (kind.kRates > 0)
      for (std::size_t i = 0; i < elementsOf(kind, model).size(); ++i)
        for (int k = 1; k <= kind.kRates; ++k)
          states.push_back({(model.*kind.kNames)[i] + ".internal." + std::to_string(k), "m or rad"});
  });
  return states;
}

}  // namespace

LinearSystem linearSystem(const Model& model, const State& state, const std::vector<double>& input, double t,
                          const Outputs& outputs) {
  Linearization at(model, state, input, t);
  const int n = at.count(), size = at.size(), inputs = model.actuatorCount();
  LinearSystem system;  // analysis (3)
  system.states = statesOf(model, at.coordinates().chosen());
  system.inputs = model.actuator_names;
  system.coordinates = n;
  system.chosen = at.coordinates().chosen();
  system.motion = at.coordinates().T();
  system.rank = at.coordinates().rank();
  system.redundant_rows = at.system().rows() - system.rank;
  system.state = at.values();
  system.rate = at.rate();
  system.A.resize(size, size);
  system.B.resize(size, inputs);
  if (outputs) {
    system.output = outputs(at.stateOf(state, at.at()));
    system.C.resize(system.output.size(), size);
    system.D.resize(system.output.size(), inputs);
  }
  for (int k = 0; k < size; ++k) {
    const VectorXd e = VectorXd::Unit(size, k);
    const Change c = at.changeBy(e.head(n), e.segment(n, n), e.tail(size - 2 * n));
    system.A.col(k) = at.rateOf(c, at.internalRateOf(c));
    if (outputs) system.C.col(k) = at.outputsBy(state, outputs, c);
  }
  for (int k = 0; k < inputs; ++k) {
    const Change c = at.changeBy(k);
    system.B.col(k) = at.rateOf(c, at.internalRateOf(c) + at.internalRateBy(k));
    if (outputs) system.D.col(k) = at.outputsBy(state, outputs, c, k);
  }
  return system;
}

}  // namespace tactus::rt::offline
