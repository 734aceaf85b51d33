#include "rt/offline/analysis/equilibrium.h"

#include "rt/error.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/mechanics/drives.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/linearization.h"
#include "rt/offline/core/chart.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/tangent_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace tactus::rt::offline {

namespace {

/// Largest turn of a body in one iteration, rad, and largest way in lengths of the mechanism.
constexpr double kLargestMove = 0.3;
/// A move that an additional stiffness allows is at most this much larger; it is shortened to the largest one.
constexpr double kFar = 2;
/// Constraints may leave this share of a move open; beyond, the move is halved, at most so many times.
constexpr double kCurved = 0.25;
constexpr int kMaxCuts = 20;
/// A move below this ends the iteration; one below kSmallMove does if it no longer shrinks, which is round-off.
constexpr double kConverged = 1e-10, kSmallMove = 1e-6;
/// Largest force that may be left, over the largest load.
constexpr double kBalanced = 1e-6;
/// |Phi| that an equilibrium may leave, and of a pose whose rank counts, in lengths of the mechanism.
constexpr double kLoopClosed = 1e-9, kLoopClosedWell = 1e-12;
constexpr int kMaxLoopPasses = 20;
/// Round-off of a force over stiffness and length.
constexpr double kForceRounding = 2e-15;
/// Shares of the largest stiffness that count as none: where stiffness is exact, and where it is a difference quotient.
constexpr double kNoStiffness = 1e-12, kNoStiffnessOfElements = 1e-8;
/// Share of the loads that a move leaves where stiffness answers them.
constexpr double kAnswered = 0.5;
/// Difference of a stiffness from its transpose that is round-off, over its largest entry.
constexpr double kSymmetric = 1e-9;
/// Smallest load step.
constexpr double kSmallestStep = 1.0 / 256;
/// Additional stiffness falls by a factor from one iteration to the next, and ends below a share of the largest.
constexpr double kFall = 10, kEnd = 1e-6;
/// Step of the difference quotients of internal states, m or rad.
constexpr double kDifference = 1e-6;

bool isLoad(ActuatorKind kind) {
  return kind == ActuatorKind::kJointTorque || kind == ActuatorKind::kBodyForce || kind == ActuatorKind::kBodyTorque;
}

/// The model with its drives held where they are at a time.
Model heldDrives(Model model, const std::vector<double>& input, double t) {
  for (Drive& drive : model.drives) {
    const double value = evaluateDrive(drive, t, input).value;
    drive = {};
    drive.coefficients = {value};
  }
  return model;
}

/// The linearized equilibrium at one pose, in coordinates in which every free motion has unit mass.
struct StaticPoint {
  TangentPoint tangent;
  MatrixXd mass_factor;  ///< M = L L^T
  MatrixXd K;            ///< L^-1 K L^-T, 1/s^2
  VectorXd r;            ///< L^-1 times the forces that are not balanced
  double residual = 0;
  bool balanced = false;  ///< but for what is allowed, and for round-off of the stiffest element
};

/// Real parts of the eigenvalues. A torque that keeps its direction has no potential and makes K unsymmetric.
VectorXd stiffnesses(const MatrixXd& K) {
  if ((K - K.transpose()).cwiseAbs().maxCoeff() <= kSymmetric * K.cwiseAbs().maxCoeff())
    return symmetricEigen(0.5 * (K + K.transpose())).values;
  return generalEigen(K).values.real();
}

/// Length of the mechanism: at least the largest distance between what a rigid joint connects, mass centers or a point
/// of ground.
double lengthOf(const EquationsOfMotion& system, const MotionPoint& at) {
  const Model& model = system.model();
  const std::vector<BodyMotion> motions = system.motionsOf(at);
  double length = system.length();
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    const Vector3d from = joint.body_1 == kGround ? joint.point_1 : motionOf(motions.data(), joint.body_1).r;
    const Vector3d to = joint.body_2 == kGround ? joint.point_2 : motionOf(motions.data(), joint.body_2).r;
    length = std::max(length, (to - from).norm());
  }
  return length;
}

class EquilibriumSearch {
 public:
  EquilibriumSearch(const Model& model, const State& start, const std::vector<double>& input,
                    const EquilibriumOptions& options)
      : loaded_(heldDrives(model, input, options.time)),
        full_gravity_(model.gravity),
        full_input_(input),
        values_(input),
        options_(options),
        system_(
            loaded_, [this](double, std::span<double> out) { std::copy(values_.begin(), values_.end(), out.begin()); },
            options.interrupt),
        at_(system_.pointOf(start, options.time)),
        length_(lengthOf(system_, at_)) {
    at_.velocity.setZero();
    at_.acceleration.setZero();
    rest(at_);
    start_ = at_;
    rule_ = TangentSpace(MatrixXd(system_.jacobian(at_))).ruleAfter({});
    singular_start_ = singularRank(system_, at_).has_value();
    result_.rank_at_start = rule_.rank;
    result_.state = start;
  }
  EquilibriumSearch(const EquilibriumSearch&) = delete;
  EquilibriumSearch& operator=(const EquilibriumSearch&) = delete;

  Equilibrium run() {
    double reached = 0, step = 1.0 / std::max(1, options_.load_steps);
    while (reached < 1) {
      const double share = reached + step > 1 - 1e-9 ? 1 : reached + step;
      load(share);
      const MotionPoint before = at_;
      if (const int iterations = iterate(); iterations > 0) {
        reached = share;
        result_.steps.push_back({share, iterations, point_.residual});
        continue;
      }
      ++result_.failed_steps;
      if (step <= kSmallestStep) fail(reached);
      at_ = before;
      step /= 2;
    }
    finish();
    return std::move(result_);
  }

 private:
  /// Weight, forces and torques at a share of their values.
  void load(double share) {
    loaded_.gravity = share * full_gravity_;
    for (std::size_t k = 0; k < values_.size(); ++k)
      values_[k] = isLoad(loaded_.actuators[k].kind) ? share * full_input_[k] : full_input_[k];
  }

  /// Internal states as they are where nothing has moved: friction and treads carry nothing.
  void rest(MotionPoint& at) const {
    if (at.internal_states.size() == 0) return;
    at.internal_states = restingInternalStates(system_, at);
    at.internal_rate.setZero();
  }

  /// The largest load: the weight, an input, a multiplier.
  double largestLoad(const VectorXd& forces, const VectorXd& lambda) const {
    double largest = forces.size() > 0 ? forces.lpNorm<Eigen::Infinity>() : 0;
    double weight = 0;
    for (const Body& body : loaded_.bodies) weight += body.mass * full_gravity_.norm();
    largest = std::max(largest, weight);
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (isLoad(loaded_.actuators[k].kind)) largest = std::max(largest, std::abs(full_input_[k]));
    return lambda.size() > 0 ? std::max(largest, lambda.lpNorm<Eigen::Infinity>()) : largest;
  }

  StaticPoint pointHere() {
    StaticPoint p;
    p.tangent = linearize(system_, at_, rule_);  // analysis (9)
    const MatrixXd& T = p.tangent.T;
    MatrixXd K = p.tangent.reduced.K;
    if (at_.internal_states.size() > 0) {
      // Internal states that follow the pose.
      const Chart chart(system_, at_);
      MatrixXd by_pose(at_.internal_states.size(), T.cols());
      for (Eigen::Index k = 0; k < T.cols(); ++k) {
        MotionPoint above = chart.placeAt(kDifference * T.col(k)), below = chart.placeAt(-kDifference * T.col(k));
        rest(above);
        rest(below);
        by_pose.col(k) = (above.internal_states - below.internal_states) / (2 * kDifference);
      }
      K += p.tangent.residual_by_internal * by_pose;
    }
    p.mass_factor = choleskyFactor(p.tangent.reduced.M);
    const auto L = p.mass_factor.triangularView<Eigen::Lower>();
    p.K = L.solve(L.solve(K).transpose()).transpose();
    p.r = L.solve(p.tangent.reduced_residual);
    const VectorXd forces = system_.residual(at_);
    const VectorXd along = T.transpose() * forces;
    const double largest = largestLoad(forces, at_.lambda);
    p.residual = along.size() > 0 && largest > 0 ? along.lpNorm<Eigen::Infinity>() / largest : 0;
    const double stiffest = K.size() > 0 ? K.cwiseAbs().maxCoeff() : 0;
    p.balanced = p.residual * largest <= kBalanced * largest + kForceRounding * stiffest * length_;
    return p;
  }

  /// Rotations in rad, translations in lengths of the mechanism.
  double sizeOf(const VectorXd& y) const {
    double size = 0;
    for (Eigen::Index k = 0; k < y.size(); k += 3)
      size = std::max(size, y.segment<3>(k).norm() / (k % 6 == 0 ? length_ : 1));
    return size;
  }

  double noStiffness() const { return hasElements(loaded_) ? kNoStiffnessOfElements : kNoStiffness; }

  /// The move that the linearized loads ask for: Newton's, or where this leads against the loads one with additional
  /// stiffness, which follows them. analysis (10)
  VectorXd moveOf(const StaticPoint& p, double& shift) const {
    const auto n = p.r.size();
    const auto L = p.mass_factor.triangularView<Eigen::Lower>();
    const double largest = n > 0 ? p.K.cwiseAbs().maxCoeff() : 0;
    for (;;) {
      VectorXd x = VectorXd::Zero(n);
      if (n > 0) {
        const MatrixXd K = p.K + shift * MatrixXd::Identity(n, n);
        x = leastNormSolution(K, VectorXd(-p.r), noStiffness()).x;
      }
      const bool loaded = !p.balanced;
      const bool against = loaded && x.dot(p.r) > 0;
      const bool unanswered = loaded && shift == 0 && (p.K * x + p.r).norm() > kAnswered * p.r.norm();
      const VectorXd y = p.tangent.T * L.transpose().solve(x);
      const bool far = shift > 0 && !(sizeOf(y) <= kFar * kLargestMove);
      if (y.allFinite() && !against && !unanswered && !far) return p.tangent.y_p + y;
      shift = shift > 0 ? 4 * shift : std::max(1e-6 * largest, p.r.norm() / kLargestMove);
      if (!std::isfinite(shift)) return VectorXd::Constant(y.size(), std::numeric_limits<double>::quiet_NaN());
    }
  }

  double violation(const MotionPoint& at) const {
    const VectorXd phi = system_.constraints(at);
    return phi.size() > 0 ? phi.norm() : 0;
  }

  /// The pose after a move, shortened until constraints are nearly straight along it.
  MotionPoint placed(VectorXd y) const {
    const Chart chart(system_, at_);
    const double before = violation(at_);
    MotionPoint next = chart.placeAt(y);
    for (int cut = 0; cut < kMaxCuts && violation(next) > before + kCurved * y.norm(); ++cut) {
      y *= 0.5;
      next = chart.placeAt(y);
    }
    return next;
  }

  /// Beside a singular start more rows are independent than in it: closes all rows, which finds the branch that is
  /// nearest, and takes the rank from there.
  void leaveSingularStart() {
    for (int pass = 0; pass < kMaxLoopPasses; ++pass) {
      const VectorXd phi = system_.constraints(at_);
      // Where the rows are open, redundant ones look independent; what they ask for then leads along free motions.
      const TangentSpace space(MatrixXd(system_.jacobian(at_)));
      if (phi.norm() <= kLoopClosedWell * length_) {
        rule_ = space.ruleAfter(rule_);
        return;
      }
      at_ = Chart(system_, at_).placeAt(space.smallestSolution(-phi));
    }
  }

  /// @returns the number of iterations, 0 without an equilibrium
  int iterate() {
    double shift = 0, last = std::numeric_limits<double>::infinity(), residual = last;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      point_ = pointHere();
      VectorXd y = moveOf(point_, shift);
      const double size = sizeOf(y);
      if (!std::isfinite(size)) return 0;
      const bool still = size < kConverged || (size < kSmallMove && size > 0.5 * last);
      if (still && shift == 0 && point_.balanced) return violation(at_) <= kLoopClosed * length_ ? k : 0;
      // A stiff spring is pressed by less than what counts as a move: the move is made as long as it helps.
      if (still && shift == 0 && point_.r.norm() > 0.5 * residual) return 0;
      residual = point_.r.norm();
      if (size > kLargestMove) y *= kLargestMove / size;
      at_ = placed(y);
      if (singular_start_) leaveSingularStart();
      rest(at_);
      shift = shift < kEnd * point_.K.cwiseAbs().maxCoeff() ? 0 : shift / kFall;
      last = size;
    }
    return 0;
  }

  [[noreturn]] void fail(double reached) {
    const bool singular = singularRank(system_, at_).has_value();
    at_ = start_;
    load(1);
    point_ = pointHere();
    std::ostringstream text;
    text << "model '" << loaded_.name << "': no equilibrium was found beyond " << 100 * reached << " % of the loads";
    const VectorXd a = point_.r.size() == 0
                           ? VectorXd()
                           : VectorXd(point_.tangent.T *
                                      point_.mass_factor.triangularView<Eigen::Lower>().transpose().solve(point_.r));
    if (a.size() > 0) {
      Eigen::Index worst = 0;
      a.cwiseAbs().maxCoeff(&worst);
      text << "; '" << loaded_.body_names[static_cast<std::size_t>(worst / 6)] << "' would move with "
           << std::abs(a[worst]) << (worst % 6 < 3 ? " m/s^2" : " rad/s^2");
    }
    text << " where the search begins";
    if (singular_start_)
      text << "; the search begins in a singular pose: begin beside it";
    else if (singular)
      text << "; the search came to a singular pose";
    text
        << "; hold what moves freely with a joint, a spring or an input, begin nearer to the equilibrium, or raise the "
           "loads in more steps";
    throw Error(text.str());
  }

  void finish() {
    linearize(system_, at_);  // the smallest multipliers of all rows
    result_.residual = point_.residual;
    result_.violation = violation(at_);
    result_.singular_rank = singularRank(system_, at_);
    const auto n = point_.r.size();
    result_.freedoms = static_cast<int>(n);
    result_.redundant_rows = system_.rows() - (system_.size() - result_.freedoms);
    if (n > 0) {
      const VectorXd stiffness = stiffnesses(point_.K);
      const double none = noStiffness() * stiffness.cwiseAbs().maxCoeff();
      result_.unstable = static_cast<int>((stiffness.array() < -none).count());
      result_.indifferent = static_cast<int>((stiffness.array().abs() <= none).count());
    }
    std::copy(values_.begin(), values_.end(), result_.state.input());
    system_.writeMotion(at_, result_.state);
    result_.state.workInput() = result_.state.workDissipated() = 0;
  }

  Model loaded_;
  Vector3d full_gravity_;
  std::vector<double> full_input_, values_;
  EquilibriumOptions options_;
  EquationsOfMotion system_;
  MotionPoint at_, start_;
  double length_;
  RankRule rule_;                ///< of the start, which is on the constraints
  bool singular_start_ = false;  ///< rule_ follows the search
  StaticPoint point_;
  Equilibrium result_;
};

}  // namespace

Equilibrium findEquilibrium(const Model& model, const State& start, const std::vector<double>& input,
                            const EquilibriumOptions& options) {
  return EquilibriumSearch(model, start, input, options).run();
}

}  // namespace tactus::rt::offline
