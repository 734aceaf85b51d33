// The equations of motion linearized around one point, with what every column of A, B, C and D of a linear system and
// every column of a trim needs of it. rt/doc/analysis.md derives the equations.
#pragma once

#include "rt/offline/analysis/independent_coordinates.h"
#include "rt/offline/core/chart.h"
#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/tangent_point.h"
#include "rt/state/state.h"

#include <functional>
#include <type_traits>
#include <vector>

namespace tactus::rt::offline {

/// Values of the outputs at a State, always as many.
using Outputs = std::function<VectorXd(const State&)>;

/// A small change of the motion in the coordinates of the chart, with what follows from it.
struct Change {
  VectorXd y, yd, ydd, m;
  VectorXd force;  ///< on the bodies, that an input or a parameter causes with the motion held; empty: none
};

/// What an input or a parameter changes with the motion held, by its unit.
struct Effect {
  VectorXd phi;    ///< Phi of the rows
  VectorXd nu;     ///< nu - H u
  VectorXd gamma;  ///< gamma - H ud
  VectorXd force;  ///< the residual, with the reactions on moved rows
};

/// A model with another value of a parameter, of the same structure.
struct ParameterSide {
  const EquationsOfMotion* system;
  const State* start;  ///< in which its run begins
  const Outputs* outputs;
  double offset;  ///< of the parameter, from its nominal value
};

/// A part of the derivative of a function by a parameter: (f(above) - f(below)) / divisor.
struct ParameterDifference {
  ParameterSide above, below;
  double divisor;
};

/// The derivative is the sum of its parts: one, or two where the parameter can move to one side only.
using ParameterDifferences = std::vector<ParameterDifference>;

class Linearization {
 public:
  /// At a point with positions, velocities and internal states; the rest is computed. The model must outlive this.
  /// @param[in] input  value of each actuator, held
  /// @param[in] chosen  coordinates of a point nearby; none: those of this point
  /// @throws Error at a singular pose
  Linearization(const Model& model, MotionPoint at, const std::vector<double>& input,
                std::vector<Coordinate> chosen = {});
  Linearization(const Linearization&) = delete;
  Linearization& operator=(const Linearization&) = delete;

  const EquationsOfMotion& system() const { return system_; }
  const IndependentCoordinates& coordinates() const { return coordinates_; }
  const MotionPoint& at() const { return at_; }
  const Chart& chart() const { return chart_; }
  const ResidualDerivatives& derivatives() const { return derivatives_; }
  int count() const { return coordinates_.count(); }
  int internalStates() const { return system_.internalStateCount(); }
  int size() const { return 2 * count() + internalStates(); }

  VectorXd values() const;  ///< x at the point; the rotation of a body counts from there
  /// x' at the point, in axes that turn.
  /// @param[in] turning  of the axes, rad/s, world
  VectorXd rate(const Vector3d& turning) const;

  /// The change of the motion by a change of the states z, w, m, with the inputs held.
  Change changeBy(const VectorXd& z, const VectorXd& w, const VectorXd& m) const;
  /// The same by x, all states together.
  Change changeByStates(const VectorXd& x) const {
    return changeBy(x.head(count()), x.segment(count(), count()), x.tail(internalStates()));
  }
  /// The change of the motion by one input, with the states held.
  Change changeBy(int input);
  /// The change of the motion by one parameter, with the states held: their displacements and rates are those of the
  /// model of the point. analysis (18)
  Change changeBy(const ParameterDifferences& parameter) const;

  VectorXd velocityOf(const Change& c) const { return c.yd + L1_ * c.y; }
  VectorXd accelerationOf(const Change& c) const { return c.ydd + L2_ * c.y; }
  /// dw of a change of the velocities at moved positions. analysis (2)
  VectorXd ratesOf(const VectorXd& velocity, const VectorXd& y) const {
    return coordinates_.S() * velocity + coordinates_.rateByPosition() * y;
  }

  /// The change of x' that a change of the motion is, in axes that turn. analysis (7)
  VectorXd rateOf(const Change& c, const VectorXd& internal_rate, const Vector3d& turning) const;
  /// The change of the rates of internal states.
  VectorXd internalRateOf(const Change& c) const;
  /// The change of the rates of internal states by the input or the parameter itself.
  VectorXd internalRateBy(int input);
  VectorXd internalRateBy(const ParameterDifferences& parameter) const;

  /// The State of a motion.
  State stateOf(const State& like, const MotionPoint& point) const;
  /// Derivative of the outputs along a change; by the input as well if it belongs to one.
  VectorXd outputsBy(const State& like, const Outputs& outputs, const Change& c, int input = -1);
  /// The same by a parameter, each side with the outputs of its model.
  VectorXd outputsBy(const State& like, const Change& c, const ParameterDifferences& parameter) const;

 private:
  MotionPoint settled(MotionPoint point) const;
  Change changeBy(Effect effect) const;
  /// The linearized residual of a change, without the multipliers.
  VectorXd forceOf(const Change& c) const;
  /// H^T dlambda = -(what the motion leaves): the smallest multipliers. analysis (8)
  VectorXd multipliersOf(const Change& c) const;
  /// The State of the motion, changed by a multiple of a change, as one model has it.
  State stateOf(const State& like, double share, const Change& c, const VectorXd& lambda,
                const EquationsOfMotion& system) const;
  State stateOf(const State& like, const MotionPoint& point, const EquationsOfMotion& system) const;

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

/// Internal states m_0 as they are where nothing has moved: friction and treads carry nothing.
VectorXd restingInternalStates(const EquationsOfMotion& system, const MotionPoint& at);

/// Omega x of the translations and of the rotations of a tangent vector.
VectorXd turned(const Vector3d& turning, const VectorXd& u);

}  // namespace tactus::rt::offline
