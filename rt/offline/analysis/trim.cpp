#include "rt/offline/analysis/trim.h"

#include "rt/error.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/driven_motion.h"
#include "rt/offline/analysis/steady_motions.h"
#include "rt/offline/core/saddle_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Largest change of a coordinate in one iteration, m and rad.
constexpr double kLargestChange = 0.3;
/// What analysis (15) may leave, m/s^2, rad/s^2, m or rad of an internal state, and the unit of each output relative to
/// its value. Where no iteration brings it further down, kRoundOff is met, too.
constexpr double kMet = 1e-8, kRoundOff = 1e-6;
constexpr int kMaxClosingPasses = 20;
/// |Phi| of a closed pose, in lengths of the mechanism.
constexpr double kClosed = 1e-13;
/// Pivots below this share of the largest count as zero: central differences have about this much noise.
constexpr double kNoEffect = 1e-9;
/// The effect of a coordinate below this share of the largest is round-off.
constexpr double kNoCoordinate = 1e-14;
/// A step is halved while it makes the remainder this much larger, at most so many times.
constexpr double kWorse = 2;
constexpr int kMaxHalves = 6;
/// Smallest step from y to y*.
constexpr double kSmallestShare = 1.0 / 32;
/// Step of difference quotients along the motion, rad or m.
constexpr double kAlong = 1e-4, kRestStep = 1e-6;
/// Slope of a rate of internal states that is none, 1/s: friction that sticks, the tread of a standing wheel.
constexpr double kNoSlope = 1e-6;
/// Outputs weigh this much more than slip where the speeds are chosen.
constexpr double kWeight = 1e3;
/// Iterations without a smaller remainder that end a search.
constexpr int kPatience = 8;

/// A motion and its inputs.
struct Guess {
  MotionPoint at;
  VectorXd p;
  std::vector<double> input;
};

class TrimSearch {
 public:
  TrimSearch(const Model& model, const State& start, const std::vector<double>& input, const Outputs& outputs,
             const TrimOptions& options)
      : model_(model),
        start_(start),
        outputs_(outputs),
        options_(options),
        input_(input),
        still_(!options.at_rest),
        equations_(
            model, [this](double, std::span<double> out) { std::copy(input_.begin(), input_.end(), out.begin()); },
            options.interrupt) {
    guess_.at = equations_.pointOf(start, options.time);
    guess_.input = input;
    settleAccelerations(equations_, guess_.at);
    if (!options.at_rest) {
      motions_ = SteadyMotions(equations_, guess_.at);
      if (motions_.count() == 0)
        throw Error("model '" + model.name +
                    "': no steady motion is possible from here: every motion of the whole "
                    "mechanism, and every spin of a body about an axis of symmetry, changes the loads or is held by "
                    "joints; leave out --moving, or remove what holds it");
    }
    // The steady motion that is nearest to the velocities of the start.
    const MatrixXd U = motions_.velocities(equations_, guess_.at);
    guess_.p = U.cols() > 0 ? leastNormSolution(U, guess_.at.velocity) : VectorXd(0);
    setVelocity(guess_);
  }
  TrimSearch(const TrimSearch&) = delete;
  TrimSearch& operator=(const TrimSearch&) = delete;

  Trim run() {
    const Guess start = guess_;
    if (!search()) {
      if (!still_) fail();
      // Friction that sticks may have to carry a part of the loads.
      guess_ = start;
      still_ = false;
      if (!search()) fail();
    }
    input_ = guess_.input;
    requireSteadyDrives(model_, guess_.input, options_.time, options_.at_rest);
    if (!options_.at_rest) motions_.requireThatItLasts(equations_, guess_.at, guess_.p);
    Trim trim{start_, guess_.input, output_,          iterations_,
              steps_, residual_,    motions_.count(), motions_.turning(guess_.p)};
    trim.state = stateOf(guess_);
    return trim;
  }

 private:
  /// From y of the start to y* in steps; a step that fails is halved.
  bool search() {
    VectorXd from;
    double reached = 0, step = 1;
    while (reached < 1) {
      const Guess before = guess_;
      const double share = std::min(1.0, reached + step);
      if (from.size() == 0) from = outputsOf(guess_);
      const bool met = iterate(from + share * (options_.wanted - from));
      if (met) {
        reached = share;
        ++steps_;
        continue;
      }
      guess_ = before;
      if (options_.at_rest || step <= kSmallestShare) return false;
      step /= 2;
    }
    return true;
  }

  bool iterate(const VectorXd& wanted) {
    wanted_ = wanted;
    double last = std::numeric_limits<double>::infinity(), best = last;
    int best_at = 0;
    if (!options_.at_rest) chooseSpeeds();
    for (int k = 0; k <= options_.max_iterations; ++k, ++iterations_) {
      if (options_.interrupt && options_.interrupt->load()) throw Interrupted();
      input_ = guess_.input;
      if (k < 3) letSlide();
      Linearization lin(model_, guess_.at, guess_.input);
      guess_.at = lin.at();
      setScale(lin);
      left_ = remainder(guess_);
      residual_ = left_.size() > 0 ? left_.lpNorm<Eigen::Infinity>() : 0;
      states_ = namesOf(lin);
      if (!std::isfinite(residual_)) return false;
      if (residual_ <= kMet || (residual_ <= kRoundOff && residual_ > 0.5 * last)) return true;
      last = residual_;
      if (residual_ < best) best = residual_, best_at = k;
      if (k == options_.max_iterations || k - best_at >= kPatience || !advance(lin)) return false;
    }
    return false;
  }

  /// One step of Gauss and Newton. @returns false if no unknown has an effect
  bool advance(Linearization& lin) {
    const int n = lin.count(), m = lin.internalStates(), speeds = motions_.count();
    const auto free = static_cast<int>(options_.free_inputs.size());
    const MatrixXd U = motions_.velocities(equations_, guess_.at);
    // A displacement along a steady motion changes nothing: the coordinates beside them are left.
    const MatrixXd Q = speeds > 0 ? beside(lin.coordinates().S() * U) : MatrixXd(MatrixXd::Identity(n, n));
    const auto places = static_cast<int>(Q.cols());
    MatrixXd J(left_.size(), places + speeds + m + free);
    const VectorXd none = VectorXd::Zero(n), no_states = VectorXd::Zero(m);
    for (int k = 0; k < places; ++k) {
      const VectorXd z = Q.col(k), y = lin.coordinates().T() * z;
      const VectorXd du = motions_.velocityChange(equations_, guess_.at, guess_.p, y);
      J.col(k) =
          effectOf(lin, lin.changeBy(z, lin.ratesOf(du, y), restingChange(lin, y)), VectorXd::Zero(speeds), no_states);
    }
    for (int k = 0; k < speeds; ++k) {
      const VectorXd du = U.col(k);
      J.col(places + k) = effectOf(lin, lin.changeBy(none, lin.coordinates().S() * du, no_states),
                                   VectorXd::Unit(speeds, k), restingRate(guess_.at, du));
    }
    const MatrixXd slope = m > 0 ? MatrixXd(lin.derivatives().internal_states.rate_by_internal) : MatrixXd(0, 0);
    for (int k = 0; k < m; ++k) {
      J.col(places + speeds + k) =
          effectOf(lin, lin.changeBy(none, none, VectorXd::Unit(m, k)), VectorXd::Zero(speeds), no_states);
      if (still_ && slope.col(k).lpNorm<Eigen::Infinity>() < kNoSlope) J.col(places + speeds + k).setZero();
    }
    for (int k = 0; k < free; ++k) {
      const int input = options_.free_inputs[static_cast<std::size_t>(k)];
      Change c = lin.changeBy(input);
      const VectorXd by_input = lin.internalRateBy(input);
      VectorXd column(left_.size());
      column << lin.coordinates().S() * relativeAcceleration(lin, c, VectorXd::Zero(speeds)),
          lin.internalRateOf(c) + by_input, lin.outputsBy(start_, outputs_, c, input);
      J.col(places + speeds + m + k) = column.cwiseQuotient(scale_);
    }
    // The column of each unknown has length one: inputs of 1000 N and angles are changed alike.
    VectorXd unit = J.colwise().norm().transpose();
    const double smallest = places > 0 ? kNoCoordinate * unit.head(places).maxCoeff() : 0;
    for (Eigen::Index k = 0; k < unit.size(); ++k) unit[k] = unit[k] > (k < places ? smallest : 0.0) ? 1 / unit[k] : 0;
    if (unit.isZero(0)) return false;
    VectorXd step = unit.asDiagonal() * leastNormSolution(J * unit.asDiagonal(), VectorXd(-left_), kNoEffect).x;
    const VectorXd z = Q * step.head(places);
    const double size = z.size() > 0 ? z.lpNorm<Eigen::Infinity>() : 0;
    if (size > kLargestChange) step *= kLargestChange / size;
    const double before = left_.norm();
    const Guess from = guess_;
    for (int halves = 0;; ++halves) {
      guess_ = moved(lin, from, Q * step.head(places), step.segment(places, speeds), step.segment(places + speeds, m),
                     step.tail(free));
      if (halves == kMaxHalves || remainder(guess_).norm() <= kWorse * before) return true;
      step *= 0.5;
    }
  }

  /// What a change does to the left sides of analysis (15).
  VectorXd effectOf(Linearization& lin, const Change& c, const VectorXd& speeds, const VectorXd& resting_rate) {
    VectorXd column(left_.size());
    VectorXd rates = lin.internalRateOf(c);
    if (rates.size() > 0) rates -= resting_rate;
    column << lin.coordinates().S() * relativeAcceleration(lin, c, speeds), rates, lin.outputsBy(start_, outputs_, c);
    return column.cwiseQuotient(scale_);
  }

  /// Change of ud - Omega x u.
  VectorXd relativeAcceleration(const Linearization& lin, const Change& c, const VectorXd& speeds) const {
    return lin.accelerationOf(c) - turned(motions_.turning(guess_.p), lin.velocityOf(c)) -
           turned(motions_.turning(speeds), guess_.at.velocity);
  }

  /// The change of the internal states without load by a displacement.
  VectorXd restingChange(const Linearization& lin, const VectorXd& y) const {
    if (lin.internalStates() == 0) return VectorXd(0);
    return (restingInternalStates(equations_, lin.chart().placeAt(kRestStep * y)) -
            restingInternalStates(equations_, lin.chart().placeAt(-kRestStep * y))) /
           (2 * kRestStep);
  }

  /// Their rate along a velocity.
  VectorXd restingRate(const MotionPoint& at, const VectorXd& velocity) const {
    if (at.internal_states.size() == 0) return VectorXd(0);
    const double step = kAlong / std::max(1.0, velocity.lpNorm<Eigen::Infinity>());
    const Chart chart(equations_, at);
    return (restingInternalStates(equations_, chart.placeAt(step * velocity)) -
            restingInternalStates(equations_, chart.placeAt(-step * velocity))) /
           (2 * step);
  }

  /// Units of the remainder: an internal state counts by its distance from the steady value.
  void setScale(const Linearization& lin) {
    const int n = lin.count(), m = lin.internalStates();
    coordinates_ = lin.coordinates().chosen();
    scale_ = VectorXd::Ones(n + m + wanted_.size());
    if (m > 0)
      scale_.segment(n, m) =
          MatrixXd(lin.derivatives().internal_states.rate_by_internal).diagonal().cwiseAbs().cwiseMax(1);
    scale_.tail(wanted_.size()) = wanted_.cwiseAbs().cwiseMax(1);
  }

  /// What analysis (15) leaves. Sets the accelerations.
  VectorXd remainder(Guess& guess) {
    input_ = guess.input;
    settleAccelerations(equations_, guess.at);
    const IndependentCoordinates coordinates(equations_, guess.at, coordinates_);
    const VectorXd relative = guess.at.acceleration - turned(motions_.turning(guess.p), guess.at.velocity);
    VectorXd rates = guess.at.internal_rate;
    if (rates.size() > 0) rates -= restingRate(guess.at, guess.at.velocity);
    output_ = outputsOf(guess);
    VectorXd left(scale_.size());
    left << coordinates.S() * relative, rates, output_ - wanted_;
    return left.cwiseQuotient(scale_);
  }

  VectorXd outputsOf(const Guess& guess) {
    input_ = guess.input;
    return outputs_(stateOf(guess));
  }

  State stateOf(const Guess& guess) {
    input_ = guess.input;
    State state = start_;
    std::copy(guess.input.begin(), guess.input.end(), state.input());
    equations_.writeMotion(guess.at, state);
    return state;
  }

  /// The guess after a step, with constraints closed at position and velocity level.
  Guess moved(const Linearization& lin, const Guess& from, const VectorXd& z, const VectorXd& p, const VectorXd& m,
              const VectorXd& input) {
    Guess guess = from;
    for (std::size_t k = 0; k < options_.free_inputs.size(); ++k)
      guess.input[static_cast<std::size_t>(options_.free_inputs[k])] += input[static_cast<Eigen::Index>(k)];
    input_ = guess.input;
    guess.p += p;
    VectorXd offset = from.at.internal_states;
    if (offset.size() > 0) offset += m - restingInternalStates(equations_, from.at);
    guess.at = Chart(equations_, from.at).placeAt(lin.coordinates().T() * z);
    for (int pass = 0; pass < kMaxClosingPasses; ++pass) {
      const VectorXd phi = equations_.constraints(guess.at);
      if (phi.size() == 0 || phi.norm() <= kClosed * equations_.length()) break;
      const TangentSpace space(MatrixXd(equations_.jacobian(guess.at)), lin.coordinates().space().ruleAfter({}));
      guess.at = Chart(equations_, guess.at).placeAt(space.smallestSolution(-phi));
    }
    if (offset.size() > 0) guess.at.internal_states = restingInternalStates(equations_, guess.at) + offset;
    setVelocity(guess);
    return guess;
  }

  /// The velocities of the steady motion, and those of drives.
  void setVelocity(Guess& guess) {
    input_ = guess.input;
    guess.at.velocity = motions_.velocities(equations_, guess.at) * guess.p;
    const VectorXd rates = equations_.rowRates(options_.time);
    if (rates.size() == 0) return;
    const Sparse H = equations_.jacobian(guess.at);
    const VectorXd open = rates - H * guess.at.velocity;
    if (open.lpNorm<Eigen::Infinity>() > 1e-12)  // beyond round-off
      guess.at.velocity += TangentSpace(MatrixXd(H)).smallestSolution(open);
  }

  /// The speeds and internal states at which y has its values and nothing slips, with the place and the inputs held.
  void chooseSpeeds() {
    input_ = guess_.input;
    Linearization lin(model_, guess_.at, guess_.input);
    setScale(lin);
    left_ = remainder(guess_);
    const int n = lin.count(), m = lin.internalStates(), speeds = motions_.count();
    const MatrixXd U = motions_.velocities(equations_, guess_.at);
    const VectorXd none = VectorXd::Zero(n);
    MatrixXd J(left_.size() - n, speeds + m);
    for (int k = 0; k < speeds; ++k) {
      const VectorXd du = U.col(k);
      J.col(k) = effectOf(lin, lin.changeBy(none, lin.coordinates().S() * du, VectorXd::Zero(m)),
                          VectorXd::Unit(speeds, k), restingRate(guess_.at, du))
                     .tail(J.rows());
    }
    for (int k = 0; k < m; ++k)
      J.col(speeds + k) =
          effectOf(lin, lin.changeBy(none, none, VectorXd::Unit(m, k)), VectorXd::Zero(speeds), VectorXd::Zero(m))
              .tail(J.rows());
    // Loads follow from slip; here only the speeds answer for the outputs.
    J.bottomRightCorner(J.rows() - m, m).setZero();
    VectorXd weight = VectorXd::Ones(J.rows());
    weight.tail(J.rows() - m).setConstant(kWeight);
    const VectorXd step =
        leastNormSolution(weight.asDiagonal() * J, VectorXd(-(weight.asDiagonal() * left_.tail(J.rows()))), kNoEffect)
            .x;
    guess_.p += step.head(speeds);
    setVelocity(guess_);
  }

  /// Friction within its limits in a joint that moves on is let slide for a second.
  void letSlide() {
    if (guess_.at.internal_states.size() == 0 || options_.at_rest) return;
    settleAccelerations(equations_, guess_.at);
    const VectorXd rate = guess_.at.internal_rate - restingRate(guess_.at, guess_.at.velocity);
    const MatrixXd slope(equations_.residualDerivatives(guess_.at).internal_states.rate_by_internal);
    for (Eigen::Index k = 0; k < rate.size(); ++k)
      if (std::abs(slope(k, k)) < kNoSlope && std::abs(rate[k]) > kNoSlope) guess_.at.internal_states[k] += rate[k];
  }

  std::vector<std::string> namesOf(const Linearization& lin) const {
    std::vector<std::string> names;
    for (const Coordinate& c : lin.coordinates().chosen()) names.push_back(rateNameOf(model_, c));
    return names;
  }

  [[noreturn]] void fail() {
    requireSteadyDrives(model_, guess_.input, options_.time, options_.at_rest);
    Eigen::Index worst = 0;
    left_.cwiseAbs().maxCoeff(&worst);
    std::ostringstream text;
    text << "model '" << model_.name << "': no trim was found in " << iterations_ << " iterations; ";
    const auto n = static_cast<Eigen::Index>(states_.size()), m = left_.size() - n - options_.wanted.size();
    if (worst < n)
      text << "the rate of " << states_[static_cast<std::size_t>(worst)] << " is still " << left_[worst];
    else if (worst < n + m)
      text << "internal state " << worst - n + 1 << " is still off its steady value by " << left_[worst];
    else
      text << (options_.names.empty() ? "an output" : options_.names.at(static_cast<std::size_t>(worst - n - m)))
           << " is still off by " << left_[worst] * scale_[worst];
    if (!options_.at_rest && !motions_.canTurn())
      text << "; a steady turn is not possible from here: the loads change with the heading";
    if (options_.at_rest) text << "; for a vehicle that drives, allow motion (--moving; moving=True in Python)";
    text << "; free another input, ask for values that the mechanism can reach, or begin nearer to them";
    throw Error(text.str());
  }

  const Model& model_;
  const State& start_;
  const Outputs& outputs_;
  const TrimOptions& options_;
  std::vector<double> input_;  ///< that equations_ see
  bool still_;                 ///< whether friction that sticks keeps its force
  EquationsOfMotion equations_;
  SteadyMotions motions_;
  Guess guess_;
  VectorXd wanted_, left_, scale_, output_;
  std::vector<Coordinate> coordinates_;
  std::vector<std::string> states_;
  int iterations_ = 0, steps_ = 0;
  double residual_ = 0;
};

}  // namespace

Trim findTrim(const Model& model, const State& start, const std::vector<double>& input, const Outputs& outputs,
              const TrimOptions& options) {
  return TrimSearch(model, start, input, outputs, options).run();
}

}  // namespace tactus::rt::offline
