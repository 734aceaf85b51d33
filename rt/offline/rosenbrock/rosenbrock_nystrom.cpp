#include "rt/offline/rosenbrock/rosenbrock_nystrom.h"

#include "rt/offline/core/dense_solvers.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Maximum condition of a partition in use.
constexpr double kSoundCondition = 1e3;

/// Weight of a translation relative to a rotation, times the length of the mechanism, in the choice of free
/// coordinates. Along angles, springs and dampers about hinges stay linear over a step, and a Rosenbrock method knows
/// only the derivative of a law at the start of a step.
constexpr double kTranslationWeight = 0.01;

VectorXd weightsOf(const DynamicSystem& system) {
  VectorXd weights = VectorXd::Constant(system.size(), kTranslationWeight / system.length());
  for (const int k : system.rotations()) weights.segment<3>(k).setOnes();
  return weights;
}

/// (s'', m')
VectorXd rateOf(const MinimalCoordinates::Evaluation& evaluation) {
  VectorXd rate(evaluation.second_rate.size() + evaluation.point.internal_rate.size());
  rate << evaluation.second_rate, evaluation.point.internal_rate;
  return rate;
}

RosenbrockNystrom makeRn4() {
  const double g = 0.57281606;
  MatrixXd A = MatrixXd::Zero(4, 4), G = g * MatrixXd::Identity(4, 4);
  A(1, 0) = 1.14563212;
  A(2, 0) = A(3, 0) = 0.520920789130629029328516;
  A(2, 1) = A(3, 1) = 0.134294186842504800149232;
  G(1, 0) = -2.34199312711201394917052;  // the sign is missing in print
  G(2, 0) = -0.027333746543489836196505;
  G(2, 1) = 0.213811650836699689867472;
  G(3, 0) = -0.259083837785510222112641;
  G(3, 1) = -0.190595807732311751616358;
  G(3, 2) = -0.228031035973133829477744;
  VectorXd b(4), embedded(4);
  b << 0.324534707891734513474196, 0.049086544787523308684633, 0, 0.626378747320742177841171;
  embedded << 0.520920789130629029328516, 0.144549714665364599584681, 0.124559686414702049774897,
      0.209969809789304321311906;
  return RosenbrockNystrom(A, G, b, embedded, 4, 3);
}

RosenbrockNystrom makeRos2w() {
  const double g = 1 + 1 / std::numbers::sqrt2;
  MatrixXd A = MatrixXd::Zero(2, 2), G = g * MatrixXd::Identity(2, 2);
  A(1, 0) = 1;
  G(1, 0) = -2 * g;
  VectorXd embedded(2);
  embedded << 0, 1;
  return RosenbrockNystrom(A, G, VectorXd::Constant(2, 0.5), embedded, 2, 1);
}

}  // namespace

RosenbrockNystrom::RosenbrockNystrom(const MatrixXd& A, const MatrixXd& G, const VectorXd& b,
                                     const VectorXd& b_embedded, int order_, int embedded_order_)
    : gamma(G(0, 0)), order(order_), embedded_order(embedded_order_) {
  const MatrixXd inverse = G.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(G.rows(), G.cols()));
  a = A * inverse;
  c = MatrixXd::Identity(G.rows(), G.cols()) / gamma - inverse;
  delta = G + G * A * inverse;
  theta = A + A * A * inverse;
  m = (b.transpose() * inverse).transpose();
  mu = b + (b.transpose() * A * inverse).transpose();
  m_embedded = (b_embedded.transpose() * inverse).transpose();
  mu_embedded = b_embedded + (b_embedded.transpose() * A * inverse).transpose();
  alpha_sum = A.rowwise().sum();
  gamma_sum = G.rowwise().sum();
}

const RosenbrockNystrom& rn4() {
  static const RosenbrockNystrom method = makeRn4();
  return method;
}

const RosenbrockNystrom& ros2w() {
  static const RosenbrockNystrom method = makeRos2w();
  return method;
}

RosenbrockStepper::RosenbrockStepper(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system),
      settings_(settings),
      point_(start),
      control_(settings.tolerances, std::min(settings.method->order, settings.method->embedded_order)) {
  const TangentSpace space{MatrixXd(system.jacobian(start))};
  rule_ = space.ruleAfter({});
  free_ = space.freeMotions();
}

VectorXd RosenbrockStepper::forceRate(const MinimalCoordinates& coordinates, const MatrixXd& T, const MatrixXd& M,
                                      double h) {
  // One-sided, of second order, behind the start of the step: an input that jumps there has its value before the jump.
  const double d = 1e-3 * h;
  const auto slope = [d](const VectorXd& x_1, const VectorXd& x_2, const VectorXd& x_3) -> VectorXd {
    return (8 * (x_2 - x_1) - 3 * (x_3 - x_1)) / (2 * d);
  };
  if (system_.driven()) {
    // Drives move the coordinates that are not free: the constraints must be closed again.
    const VectorXd s = VectorXd::Zero(T.cols()), sd = coordinates.startRate();
    const auto after = [&](double time) {
      return rateOf(coordinates.evaluate(point_.t + time, s, sd, point_.internal_states, statistics_));
    };
    return slope(after(d), after(2 * d), after(3 * d));
  }
  const auto after = [this](double time) {
    MotionPoint later = point_;
    later.t += time;
    return later;
  };
  const MotionPoint first = after(d), second = after(2 * d), third = after(3 * d);
  const VectorXd rate = slope(system_.residual(first), system_.residual(second), system_.residual(third));
  statistics_.force_evaluations += 3;
  VectorXd f_t(T.cols() + system_.internalStateCount());
  f_t << -LuFactors(M).solve(VectorXd(T.transpose() * rate)),
      slope(system_.internalStateRates(first), system_.internalStateRates(second), system_.internalStateRates(third));
  return f_t;
}

RosenbrockStepper::Jacobians RosenbrockStepper::jacobiansOf(const TangentPoint& tangent) const {
  const auto& [M, C, K] = tangent.reduced;
  const auto n = M.rows(), m = static_cast<Eigen::Index>(system_.internalStateCount());
  Jacobians J{MatrixXd::Zero(n + m, n + m), MatrixXd::Zero(n + m, n + m)};
  const LuFactors mass(M);
  if (settings_.jacobian != Jacobian::kNone) J.by_position.topLeftCorner(n, n) = -mass.solve(K);
  if (settings_.jacobian == Jacobian::kExact) J.by_rate.topLeftCorner(n, n) = -mass.solve(C);
  if (m == 0) return J;
  if (settings_.jacobian != Jacobian::kNone) J.by_position.bottomLeftCorner(m, n) = tangent.rate_by_position;
  if (settings_.jacobian != Jacobian::kExact) return J;
  J.by_rate.topRightCorner(n, m) = -mass.solve(tangent.residual_by_internal);
  J.by_rate.bottomLeftCorner(m, n) = tangent.rate_by_velocity;
  J.by_rate.bottomRightCorner(m, m) = tangent.rate_by_internal;
  return J;
}

RosenbrockStepper::Trial RosenbrockStepper::tryStep(double h, const MinimalCoordinates& coordinates,
                                                    const Jacobians& jacobians, const VectorXd& f_t) {
  const auto& [J1, J2] = jacobians;
  const RosenbrockNystrom& k = *settings_.method;
  const auto stages = k.m.size();
  const VectorXd sd = coordinates.startRate(), m = point_.internal_states;
  const auto freedoms = sd.size(), all = freedoms + m.size();
  const MatrixXd S = MatrixXd::Identity(all, all) - h * k.gamma * J2 - h * h * k.gamma * k.gamma * J1;
  const LuFactors lu(S);
  ++statistics_.factorizations;

  // Stages of (s', m).
  MatrixXd z(all, stages);
  VectorXd f(all), drift = VectorXd::Zero(all);
  f << coordinates.startSecondRate(), point_.internal_rate;
  drift.head(freedoms) = sd;
  for (Eigen::Index i = 0; i < stages; ++i) {
    const auto sum = [&](const MatrixXd& weights) -> VectorXd {
      return z.leftCols(i) * weights.row(i).head(i).transpose();
    };
    // A stage at the point of the stage before reuses its force.
    const bool repeated = i > 0 && k.alpha_sum[i] == k.alpha_sum[i - 1] && k.a.row(i) == k.a.row(i - 1);
    if (i > 0 && !repeated) {
      const VectorXd s = h * k.alpha_sum[i] * sd + h * sum(k.theta).head(freedoms), change = sum(k.a);
      f = rateOf(coordinates.evaluate(point_.t + k.alpha_sum[i] * h, s, sd + change.head(freedoms),
                                      m + change.tail(m.size()), statistics_));
    }
    const VectorXd right = h * k.gamma * f + h * h * k.gamma * k.gamma_sum[i] * (f_t + J1 * drift) +
                           k.gamma * sum(k.c) + h * h * k.gamma * J1 * sum(k.delta);
    z.col(i) = lu.solve(right);
  }
  const VectorXd change = z * k.m, error = z * (k.m - k.m_embedded);
  const VectorXd s = h * sd + h * z.topRows(freedoms) * k.mu;
  Trial trial{
      coordinates.evaluate(point_.t + h, s, sd + change.head(freedoms), m + change.tail(m.size()), statistics_).point,
      0};
  const VectorXd position = h * z.topRows(freedoms) * (k.mu - k.mu_embedded);
  trial.error = errorNorm(system_, settings_.tolerances, coordinates.startMotions(), position, error.head(freedoms),
                          error.tail(m.size()), point_, trial.point);
  statistics_.error_estimate = std::max(statistics_.error_estimate, position.norm());
  return trial;
}

RosenbrockStepper::Trial RosenbrockStepper::attempt(double h, const MinimalCoordinates& coordinates,
                                                    const Jacobians& jacobians, const VectorXd& f_t) {
  try {
    return tryStep(h, coordinates, jacobians, f_t);
  } catch (const NoConvergence&) {
    // Other coordinates may close where a partition does not.
    if (!settings_.tolerances.adaptive || in_use_ > 0) throw;
    return {point_, kNoConvergence};
  }
}

std::unique_ptr<MinimalCoordinates> RosenbrockStepper::chooseCoordinates() {
  const MatrixXd H(system_.jacobian(point_));
  const auto make = [&](const MotionBasis& basis, double threshold = RankRule().threshold) {
    ++statistics_.factorizations;
    return std::make_unique<MinimalCoordinates>(system_, point_, basis, threshold);
  };
  const auto orthonormal = [&] {
    const MotionBasis tangent = continuedBasis(H, free_, rule_);
    // At a singular pose the motions of the branch are used without weights.
    return make(singular_ ? tangent : weighedBasis(tangent, weightsOf(system_)), rule_.threshold);
  };
  in_use_ = 0;
  if (settings_.coordinates == Coordinates::kOrthonormal || singular_) return orthonormal();
  // The partition of the step before, while its condition is acceptable.
  std::unique_ptr<MinimalCoordinates> coordinates;
  if (partition_.free.size() > 0 && partition_.free.cols() == H.cols() - rule_.rank) {
    coordinates = make(partition_);
    if (coordinates->atStart().condition() > settings_.part_anew_above * condition_) coordinates.reset();
  }
  if (!coordinates) {
    MotionBasis anew = partitionedBasis(H, rule_.rank, weightsOf(system_));
    coordinates = make(anew);
    // Next to a singular pose no partition is well conditioned.
    if (coordinates->atStart().condition() > kSoundCondition) return orthonormal();
    partition_ = std::move(anew);
    condition_ = coordinates->atStart().condition();
    ++statistics_.partitions;
  }
  in_use_ = coordinates->atStart().condition();
  return coordinates;
}

void RosenbrockStepper::advance(double limit) {
  const auto step = [&](const MinimalCoordinates& coordinates) {
    const BasisAnswer& constraints = coordinates.atStart();
    const TangentPoint tangent = linearize(system_, point_, coordinates.startMotions(),
                                           [&](const MatrixXd& b) { return constraints.answer(b); });
    const Jacobians jacobians = jacobiansOf(tangent);
    statistics_.factorizations += 2;

    double h = control_.propose(limit);
    const VectorXd f_t = settings_.jacobian == Jacobian::kNone
                             ? VectorXd(VectorXd::Zero(jacobians.by_rate.rows()))
                             : forceRate(coordinates, tangent.T, tangent.reduced.M, h);
    for (;; h = control_.propose(limit)) {
      const Trial trial = attempt(h, coordinates, jacobians, f_t);
      if (in_use_ > 0 && statistics_.condition > kSoundCondition)
        throw StepFailure("the coordinates of the step become singular");
      if (control_.accept(trial.error)) {
        point_ = trial.point;
        break;
      }
      ++statistics_.rejected;
    }
  };

  // The condition is collected over the stages of this step, then over the run.
  const double before = std::exchange(statistics_.condition, 0);
  const std::unique_ptr<MinimalCoordinates> chosen = chooseCoordinates();
  try {
    step(*chosen);
  } catch (const StepFailure&) {
    if (in_use_ == 0) throw;
    // No partition is well conditioned on the way: use an orthonormal basis.
    in_use_ = 0;
    step(MinimalCoordinates(system_, point_, continuedBasis(MatrixXd(system_.jacobian(point_)), free_, rule_),
                            rule_.threshold));
  }
  statistics_.condition = std::max(before, in_use_);

  const TangentSpace space = setMultipliers(system_, rule_, point_);
  singular_ = space.rank() < rule_.rank;
  rule_ = space.ruleAfter(rule_);
  if (!singular_) free_ = space.freeMotions();
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
