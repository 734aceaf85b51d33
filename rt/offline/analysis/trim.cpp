#include "rt/offline/analysis/trim.h"

#include "rt/error.h"
#include "rt/model/model.h"
#include "rt/offline/core/chart.h"
#include "rt/offline/core/saddle_point.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

namespace {

/// Largest change of a state or an input in one iteration, m, rad and their rates; relative to the value of an input.
constexpr double kLargestChange = 0.3;
/// What analysis (12) may leave, m/s^2, rad/s^2 and the unit of each output relative to its value.
constexpr double kMet = 1e-8;
constexpr int kMaxClosingPasses = 20;
/// |Phi| of a closed pose, in lengths of the mechanism.
constexpr double kClosed = 1e-13;
/// Pivots below this share of the largest count as zero: central differences have about this much noise.
constexpr double kNoEffect = 1e-9;
/// The effect of a state below this share of the largest is round-off: the place of a vehicle on a flat road.
constexpr double kRoundOff = 1e-14;

/// The State after a change of x, with constraints closed at position and velocity level.
State movedBy(const Model& model, const State& state, const std::vector<double>& input, double t,
              const LinearSystem& system, const VectorXd& dx) {
  const EquationsOfMotion equations(
      model, [&](double, std::span<double> out) { std::copy(input.begin(), input.end(), out.begin()); });
  MotionPoint at = equations.pointOf(state, t);
  const int n = system.coordinates;
  const IndependentCoordinates before(equations, at);
  const VectorXd w = system.state.segment(n, n) + dx.segment(n, n);
  at = Chart(equations, at).placeAt(system.motion * dx.head(n));
  for (int pass = 0; pass < kMaxClosingPasses; ++pass) {
    const VectorXd phi = equations.constraints(at);
    if (phi.size() == 0 || phi.norm() <= kClosed * equations.length()) break;
    const TangentSpace space(MatrixXd(equations.jacobian(at)), before.space().ruleAfter({}));
    at = Chart(equations, at).placeAt(space.smallestSolution(-phi));
  }
  const IndependentCoordinates after(equations, at, before.chosen());
  at.velocity = after.answer(equations.rowRates(t)) + after.T() * w;
  if (at.internal_states.size() > 0) at.internal_states += dx.tail(dx.size() - 2 * n);
  settleAccelerations(equations, at);
  State moved = state;
  std::copy(input.begin(), input.end(), moved.input());
  equations.writeMotion(at, moved);
  return moved;
}

/// What analysis (12) leaves: rates of w and m, then outputs.
VectorXd missing(const LinearSystem& system, const VectorXd& wanted) {
  const auto rates = system.rate.size() - system.coordinates;
  VectorXd left(rates + wanted.size());
  left << system.rate.tail(rates), system.output - wanted;
  return left;
}

VectorXd scaleOf(const LinearSystem& system, const VectorXd& wanted) {
  VectorXd scale = VectorXd::Ones(system.rate.size() - system.coordinates + wanted.size());
  scale.tail(wanted.size()) = wanted.cwiseAbs().cwiseMax(1);
  return scale;
}

}  // namespace

Trim findTrim(const Model& model, const State& start, const std::vector<double>& input, const Outputs& outputs,
              const TrimOptions& options) {
  Trim trim{start, input, {}, 0, 0};
  LinearSystem system = linearSystem(model, trim.state, trim.input, options.time, outputs);
  const int n = system.coordinates;
  const auto states = static_cast<int>(system.states.size()), free = static_cast<int>(options.free_inputs.size());
  VectorXd left;
  for (;; ++trim.iterations) {
    left = missing(system, options.wanted).cwiseQuotient(scaleOf(system, options.wanted));
    trim.residual = left.size() > 0 ? left.lpNorm<Eigen::Infinity>() : 0;
    if (trim.residual <= kMet || trim.iterations == options.max_iterations) break;
    if (options.interrupt && options.interrupt->load()) throw Interrupted();
    // Columns: z; w unless at rest; m; the free inputs.
    MatrixXd J(left.size(), states + free);
    J.topLeftCorner(states - n, states) = system.A.bottomRows(states - n);
    J.bottomLeftCorner(options.wanted.size(), states) = system.C;
    for (int k = 0; k < free; ++k)
      J.col(states + k) << system.B.col(options.free_inputs[static_cast<std::size_t>(k)]).tail(states - n),
          system.D.col(options.free_inputs[static_cast<std::size_t>(k)]);
    if (options.at_rest) J.middleCols(n, n).setZero();
    J = scaleOf(system, options.wanted).cwiseInverse().asDiagonal() * J;
    // The column of each unknown has length one: inputs of 1000 N and angles are changed alike.
    VectorXd unit = J.colwise().norm().transpose();
    const double smallest = kRoundOff * unit.head(states).maxCoeff();
    for (int k = 0; k < states + free; ++k) unit[k] = unit[k] > (k < states ? smallest : 0.0) ? 1 / unit[k] : 0;
    VectorXd step = unit.asDiagonal() * leastNormSolution(J * unit.asDiagonal(), VectorXd(-left), kNoEffect).x;
    const double size = step.head(states).lpNorm<Eigen::Infinity>();
    if (size > kLargestChange) step *= kLargestChange / size;
    for (int k = 0; k < free; ++k)
      trim.input[static_cast<std::size_t>(options.free_inputs[static_cast<std::size_t>(k)])] += step[states + k];
    trim.state = movedBy(model, trim.state, trim.input, options.time, system, step.head(states));
    system = linearSystem(model, trim.state, trim.input, options.time, outputs);
  }
  trim.output = system.output;
  if (trim.residual <= kMet) return trim;
  Eigen::Index worst = 0;
  left.cwiseAbs().maxCoeff(&worst);
  std::ostringstream text;
  text << "model '" << model.name << "': no trim was found in " << options.max_iterations << " iterations; ";
  if (worst < states - n)
    text << "the rate of " << system.states[static_cast<std::size_t>(n + worst)].name << " is still " << left[worst];
  else
    text << "output " << worst - (states - n) + 1 << " is still off by " << left[worst];
  text << "; free another input (--free), ask for values that the mechanism can reach, or begin nearer to them "
          "(--initial)";
  throw Error(text.str());
}

}  // namespace tactus::rt::offline
