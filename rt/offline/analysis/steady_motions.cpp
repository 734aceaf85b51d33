#include "rt/offline/analysis/steady_motions.h"

#include "rt/error.h"
#include "rt/math/euler_parameters.h"
#include "rt/math/skew.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/linearization.h"
#include "rt/offline/core/saddle_point.h"
#include "rt/offline/core/tangent_space.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

namespace {

/// Difference of an inertia from one that is symmetric about an axis, over its largest entry.
constexpr double kSymmetricInertia = 1e-9;
/// Singular values below this, in units of the tolerances below, belong to motions along which nothing changes.
constexpr double kUnchanged = 1;
/// A change of the rows along a motion, in lengths for a way of one length, that is round-off or what a run leaves
/// open.
constexpr double kRowsKept = 1e-6;
/// A change of the loads along a motion of one length or one radian that counts as none: a share of the largest load,
/// and what difference quotients leave of the largest stiffness.
constexpr double kLoadsKept = 1e-5, kDifferences = 1e-8;
/// Step of the difference quotients, rad and lengths of the mechanism.
constexpr double kPlaceStep = 1e-5;

/// Largest acceleration along a steady motion at which the surroundings count as unchanged, m/s^2 or rad/s^2.
constexpr double kSteady = 1e-3;
/// The motion is followed over this time, s, at steps of this way, m, which a bump is longer than; at so many places.
constexpr double kFollowed = 5, kWay = 0.1;
constexpr int kFewestPlaces = 20, kMostPlaces = 2000;
/// Singular values below this share of the largest are round-off.
constexpr double kSameDirection = 1e-9;

bool isSymmetricAbout(const Body& body, const Vector3d& axis_b) {
  const Matrix3d a = skew(axis_b);
  return (a * body.inertia - body.inertia * a).cwiseAbs().maxCoeff() <=
         kSymmetricInertia * body.inertia.cwiseAbs().maxCoeff();
}

/// Unit quaternion of a rotation vector.
Vector4d quaternionOf(const Vector3d& phi) {
  const double angle = phi.norm(), half = 0.5 * angle;
  Vector4d p;
  p << std::cos(half), (angle > 0 ? std::sin(half) / angle : 0.5) * phi;
  return p;
}

/// Integral of exp(s skew(omega)) over s from 0 to t.
Matrix3d integralOfRotation(const Vector3d& omega, double t) {
  const double rate = omega.norm(), angle = rate * t;
  if (std::abs(angle) < 1e-6) return t * Matrix3d::Identity() + 0.5 * t * t * skew(omega);  // next term: angle^2 / 6
  const Matrix3d W = skew(omega) / rate;
  return t * Matrix3d::Identity() + (1 - std::cos(angle)) / rate * W + (t - std::sin(angle) / rate) * W * W;
}

/// Translations and rotations of a tangent vector, turned back by a rotation vector.
VectorXd back(const Vector3d& phi, VectorXd x) {
  const Matrix3d R = rotationMatrix(quaternionOf(phi));
  for (Eigen::Index k = 0; k < x.size(); k += 3) x.segment<3>(k) = R.transpose() * Vector3d(x.segment<3>(k));
  return x;
}

}  // namespace

SteadyMotions::SteadyMotions(const EquationsOfMotion& system, const MotionPoint& at) {
  const Model& model = system.model();
  const std::vector<BodyMotion> motions = system.motionsOf(at);
  double mass = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    mass += model.bodies[b].mass;
    center_ += model.bodies[b].mass * motions[b].r;
  }
  if (mass > 0) center_ /= mass;

  // Axes about which a body may spin: those of its joints, and those of its frame.
  const MatrixXd H(system.jacobian(at));
  std::vector<std::vector<Vector3d>> axes(model.bodies.size());
  const auto propose = [&](int body, const Vector3d& axis) {
    if (body == kGround || !(axis.norm() > 0.5) ||
        !isSymmetricAbout(model.bodies[static_cast<std::size_t>(body)], axis))
      return;
    std::vector<Vector3d>& known = axes[static_cast<std::size_t>(body)];
    for (const Vector3d& other : known)
      if (axis.cross(other).norm() < 1e-9) return;  // the same axis but for round-off
    known.push_back(axis);
  };
  for (const Joint& joint : model.joints) {
    if (joint.displacement < 0) continue;
    propose(joint.body_1, joint.axis_1);
    propose(joint.body_2, joint.axis_2);
  }
  for (int i = 0; i < model.bodyCount(); ++i)
    for (int k = 0; k < 3; ++k) propose(i, Vector3d::Unit(k));
  for (int i = 0; i < model.bodyCount(); ++i)
    for (const Vector3d& axis : axes[static_cast<std::size_t>(i)]) spins_.push_back({i, axis});

  // What changes along each candidate: rows, and loads on free motions in axes that turn along. analysis (13)
  N_ = MatrixXd::Identity(6 + static_cast<Eigen::Index>(spins_.size()), 6 + static_cast<Eigen::Index>(spins_.size()));
  const MatrixXd W = candidates(system, at);
  const double length = system.length();
  // A rotation by one radian counts as a way of one length.
  VectorXd unit = VectorXd::Constant(W.cols(), 1);
  unit.head<3>().setConstant(length);
  const MatrixXd T = TangentSpace(H).freeMotions();
  const auto balanceAt = [&](Eigen::Index k, double share) {
    const VectorXd p = VectorXd::Unit(W.cols(), k);
    const MotionPoint moved = pointAfter(system, at, p, share * unit[k]);
    return VectorXd(T.transpose() * back(rates(p).segment<3>(3) * share, system.residual(moved)));
  };
  MatrixXd L(T.cols(), W.cols());
  for (Eigen::Index k = 0; k < W.cols(); ++k)
    L.col(k) = (balanceAt(k, kPlaceStep) - balanceAt(k, -kPlaceStep)) / (2 * kPlaceStep);
  const VectorXd F = system.residual(at);
  const Sparse stiffness = system.residualDerivatives(at).K;
  double load = F.size() > 0 ? F.lpNorm<Eigen::Infinity>() : 0, stiffest = 0;
  for (const Body& body : model.bodies) load = std::max(load, body.mass * model.gravity.norm());
  for (int k = 0; k < stiffness.outerSize(); ++k)
    for (Sparse::InnerIterator entry(stiffness, k); entry; ++entry)
      stiffest = std::max(stiffest, std::abs(entry.value()));
  const double kept = std::max(kLoadsKept * load, kDifferences * stiffest * length);
  MatrixXd changes(H.rows() + L.rows(), W.cols());
  changes << H * W * unit.asDiagonal() / (kRowsKept * length), L / (kept > 0 ? kept : 1.0);
  const SingularValues values = singularValues(changes);
  Eigen::Index changed = 0;
  while (changed < values.sigma.size() && values.sigma[changed] > kUnchanged) ++changed;
  N_ = unit.asDiagonal() * values.V.rightCols(W.cols() - changed);
}

VectorXd SteadyMotions::rates(const VectorXd& p) const {
  return N_.cols() > 0 ? VectorXd(N_ * p) : VectorXd(VectorXd::Zero(6 + static_cast<Eigen::Index>(spins_.size())));
}

MatrixXd SteadyMotions::candidates(const EquationsOfMotion& system, const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = system.motionsOf(at);
  // analysis (14)
  MatrixXd W = MatrixXd::Zero(system.size(), 6 + static_cast<Eigen::Index>(spins_.size()));
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(6 * i);
    W.block<3, 3>(row, 0) = W.block<3, 3>(row + 3, 3) = Matrix3d::Identity();
    W.block<3, 3>(row, 3) = -skew(motions[i].r - center_);
  }
  for (std::size_t k = 0; k < spins_.size(); ++k)
    W.block<3, 1>(6 * spins_[k].body + 3, 6 + static_cast<Eigen::Index>(k)) =
        motions[static_cast<std::size_t>(spins_[k].body)].R * spins_[k].axis_b;
  return W;
}

MatrixXd SteadyMotions::velocities(const EquationsOfMotion& system, const MotionPoint& at) const {
  if (N_.cols() == 0) return MatrixXd::Zero(system.size(), 0);
  return candidates(system, at) * N_;
}

VectorXd SteadyMotions::velocityChange(const EquationsOfMotion& system, const MotionPoint& at, const VectorXd& p,
                                       const VectorXd& y) const {
  VectorXd change = VectorXd::Zero(system.size());
  if (N_.cols() == 0) return change;
  const VectorXd g = rates(p);
  const Vector3d omega = g.segment<3>(3);  // analysis (16)
  for (Eigen::Index k = 0; k < change.size(); k += 6) change.segment<3>(k) = omega.cross(Vector3d(y.segment<3>(k)));
  const std::vector<BodyMotion> motions = system.motionsOf(at);
  for (std::size_t k = 0; k < spins_.size(); ++k) {
    const Eigen::Index row = 6 * spins_[k].body + 3;
    const Vector3d spin =
        g[6 + static_cast<Eigen::Index>(k)] * (motions[static_cast<std::size_t>(spins_[k].body)].R * spins_[k].axis_b);
    change.segment<3>(row) += Vector3d(y.segment<3>(row)).cross(spin);
  }
  return change;
}

bool SteadyMotions::canTurn() const {
  return N_.cols() > 0 && N_.middleRows<3>(3).cwiseAbs().maxCoeff() > kSymmetricInertia;
}

Vector3d SteadyMotions::turning(const VectorXd& p) const {
  return N_.cols() > 0 ? Vector3d(rates(p).segment<3>(3)) : Vector3d(Vector3d::Zero());
}

MotionPoint SteadyMotions::pointAfter(const EquationsOfMotion& system, const MotionPoint& at, const VectorXd& p,
                                      double time) const {
  const VectorXd g = rates(p), offset = at.internal_states.size() > 0
                                            ? VectorXd(at.internal_states - restingInternalStates(system, at))
                                            : VectorXd(at.internal_states);
  const Vector3d omega = g.segment<3>(3);
  const Vector4d turn = quaternionOf(omega * time);
  const Matrix3d R = rotationMatrix(turn);
  const Vector3d way = integralOfRotation(omega, time) * g.head<3>();
  MotionPoint moved = at;
  moved.t += time;
  for (Eigen::Index k = 0; k < moved.position.size(); k += 6)
    moved.position.segment<3>(k) = center_ + way + R * (at.position.segment<3>(k) - center_);
  for (Eigen::Index k = 0; k < moved.velocity.size(); k += 3) {
    moved.velocity.segment<3>(k) = R * at.velocity.segment<3>(k);
    moved.acceleration.segment<3>(k) = R * at.acceleration.segment<3>(k);
  }
  for (std::size_t k = 0; k < spins_.size(); ++k) {
    Vector4d& orientation = moved.orientation[static_cast<std::size_t>(spins_[k].body)];
    orientation = product(orientation, quaternionOf(g[6 + static_cast<Eigen::Index>(k)] * time * spins_[k].axis_b));
  }
  for (Vector4d& orientation : moved.orientation) orientation = product(turn, orientation).normalized();
  system.continueAngles(moved);
  if (offset.size() > 0) moved.internal_states = restingInternalStates(system, moved) + offset;
  return moved;
}

void SteadyMotions::requireThatItLasts(const EquationsOfMotion& system, const MotionPoint& at,
                                       const VectorXd& p) const {
  double speed = 0;
  for (Eigen::Index k = 0; k < at.velocity.size(); k += 6) speed = std::max(speed, at.velocity.segment<3>(k).norm());
  const int places = static_cast<int>(
      std::clamp(kFollowed * speed / kWay, static_cast<double>(kFewestPlaces), static_cast<double>(kMostPlaces)));
  for (int place = 1; place <= places; ++place) {
    const double later = kFollowed * place / places;
    MotionPoint moved = pointAfter(system, at, p, later);
    settleAccelerations(system, moved);
    const VectorXd relative = moved.acceleration - turned(turning(p), moved.velocity);
    Eigen::Index worst = 0;
    if (relative.size() == 0 || relative.cwiseAbs().maxCoeff(&worst) <= kSteady) continue;
    std::ostringstream text;
    text << "model '" << system.model().name << "': the motion that was found does not last: after " << later << " s '"
         << system.model().body_names[static_cast<std::size_t>(worst / 6)] << "' accelerates with "
         << std::abs(relative[worst]) << (worst % 6 < 3 ? " m/s^2" : " rad/s^2")
         << ", because the surroundings change along it or a drive does not go on steadily; begin where the road is "
            "plane, and leave out the wind in a turn";
    throw Error(text.str());
  }
}

MatrixXd beside(const MatrixXd& columns) {
  const SingularValues values = singularValues(columns);
  Eigen::Index rank = 0;
  while (rank < values.sigma.size() && values.sigma[rank] > kSameDirection * values.sigma[0]) ++rank;
  return values.U.rightCols(columns.rows() - rank);
}

}  // namespace tactus::rt::offline
