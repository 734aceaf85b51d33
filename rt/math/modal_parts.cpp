#include "rt/math/modal_parts.h"

#include "rt/math/skew.h"
#include "rt/math/symmetric_eigen.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace tactus::rt {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

/// Of the mass of the rest, for each mode body: the free modes do not depend on it, modal.md (9).
constexpr double kShare = 0.05;
/// Of the flexibility of all modes at an interface, added so that it stays invertible, modal.md (6).
constexpr double kLeastFlexibility = 1e-3;

/// Free modes of a body in columns, by rising frequency, without the six rigid ones.
struct FreeModes {
  VectorXd stiffness;  ///< squares of the angular frequencies
  MatrixXd shapes;     ///< modal masses are 1

  FreeModes(const MatrixXd& K, const MatrixXd& M) {
    const Eigen::LLT<MatrixXd> factor(M);
    const MatrixXd half = factor.matrixL().solve(K);
    const MatrixXd scaled = factor.matrixL().solve(half.transpose());
    const SymmetricEigen eigen = symmetricEigen(0.5 * (scaled + scaled.transpose()));
    const Index elastic = K.rows() - 6;
    stiffness = eigen.values.tail(elastic);
    shapes = factor.matrixU().solve(eigen.vectors.rightCols(elastic));
    // The sign of a mode is free: its largest number is positive.
    for (Index k = 0; k < elastic; ++k) {
      Index largest;
      shapes.col(k).cwiseAbs().maxCoeff(&largest);
      if (shapes(largest, k) < 0) shapes.col(k) *= -1;
    }
  }
};

/// Symmetric root of the mass of rigid motions about the center.
Matrix6d rootOf(const RigidMass& mass) {
  const SymmetricEigen3 inertia = symmetricEigen3(mass.inertia);
  Matrix6d root = Matrix6d::Zero();
  root.topLeftCorner<3, 3>() = std::sqrt(mass.mass) * Matrix3d::Identity();
  root.bottomRightCorner<3, 3>() =
      inertia.vectors * inertia.values.cwiseSqrt().asDiagonal() * inertia.vectors.transpose();
  return root;
}

/// Flexibilities of the motions of interfaces, six each. A motion that no mode has, as with one interface and few
/// modes, gets a small one: a thousandth of the largest translation, or rotation.
/// @param mean  its size makes a rotation of a translation where no mode has one of the two
VectorXd atLeast(const VectorXd& flexibility, const RigidMass& mean) {
  constexpr double kNone = 1e-9;  // above the round-off of modes, and below tension beside bending
  const double size = mean.inertia.trace() / mean.mass;  // m^2
  double translation = 0, rotation = 0;
  for (Index i = 0; i < flexibility.size(); i += 6) {
    translation = std::max(translation, flexibility.segment<3>(i).maxCoeff());
    rotation = std::max(rotation, flexibility.segment<3>(i + 3).maxCoeff());
  }
  const double largest[] = {translation > kNone * size * rotation ? translation : size * rotation,
                            rotation > kNone * translation / size ? rotation : translation / size};
  VectorXd raised = flexibility;
  for (Index k = 0; k < flexibility.size(); ++k)
    if (const double of_kind = largest[k % 6 / 3]; flexibility[k] < kNone * of_kind) raised[k] = 1e-3 * of_kind;
  return raised;
}

/// From displacements against the mean body to elastic displacements z of the interfaces against the mean motion and to
/// the amplitudes y of the free modes.
MatrixXd coordinatesOfParts(const CraigBampton& body, const RigidMass& mean, int mode_bodies) {
  const auto at_interfaces = static_cast<Index>(6 * body.points.size()), g = static_cast<Index>(mode_bodies);
  MatrixXd X = MatrixXd::Identity(at_interfaces + 6 * g, at_interfaces + 6 * g);
  // modal.md (8): the symmetric root of share I - share^2 1 1^T.
  const double whole = std::sqrt(kShare), along = std::sqrt(kShare - kShare * kShare * mode_bodies);
  const Matrix6d root = rootOf(mean);
  for (Index i = 0; i < g; ++i)
    for (Index k = 0; k < g; ++k)
      X.block<6, 6>(at_interfaces + 6 * i, at_interfaces + 6 * k) =
          ((i == k ? whole : 0.0) + (along - whole) / static_cast<double>(mode_bodies)) * root;
  for (std::size_t i = 0; i < body.points.size(); ++i)  // modal.md (7)
    for (Index k = 0; k < g; ++k)
      X.block<6, 6>(static_cast<Index>(6 * i), at_interfaces + 6 * k) =
          -kShare * motionAt(body.points[i] - mean.center);
  return X;
}

}  // namespace

Matrix6d motionAt(const Vector3d& s) {
  Matrix6d B = Matrix6d::Identity();
  B.topRightCorner<3, 3>() = -skew(s);
  return B;
}

MatrixXd CraigBampton::rigidMotions() const {
  MatrixXd R = MatrixXd::Zero(coordinates(), 6);
  for (std::size_t i = 0; i < points.size(); ++i) R.middleRows<6>(static_cast<Index>(6 * i)) = motionAt(points[i]);
  return R;
}

MatrixXd CraigBampton::fullMass() const {
  const Index at_interfaces = mass.rows(), modes = mode_stiffness.size();
  MatrixXd M = MatrixXd::Identity(coordinates(), coordinates());
  M.topLeftCorner(at_interfaces, at_interfaces) = 0.5 * (mass + mass.transpose());
  M.topRightCorner(at_interfaces, modes) = coupling;
  M.bottomLeftCorner(modes, at_interfaces) = coupling.transpose();
  return M;
}

MatrixXd CraigBampton::fullStiffness() const {
  const Index at_interfaces = mass.rows(), modes = mode_stiffness.size();
  MatrixXd K = MatrixXd::Zero(coordinates(), coordinates());
  K.topLeftCorner(at_interfaces, at_interfaces) = 0.5 * (stiffness + stiffness.transpose());
  K.bottomRightCorner(modes, modes) = mode_stiffness.asDiagonal();
  return K;
}

MatrixXd restMass(const CraigBampton& body, const std::vector<InterfaceMass>& interfaces) {
  MatrixXd M = body.fullMass();
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto at = static_cast<Index>(6 * i);
    M.block<3, 3>(at, at) -= interfaces[i].mass * Matrix3d::Identity();
    M.block<3, 3>(at + 3, at + 3) -= interfaces[i].inertia;
  }
  return M;
}

RigidMass rigidMass(const Matrix6d& mass) {
  RigidMass rigid;
  rigid.mass = mass.topLeftCorner<3, 3>().trace() / 3;
  const Matrix3d first = mass.topRightCorner<3, 3>() / -rigid.mass;  // skew(center)
  rigid.center = 0.5 * Vector3d(first(2, 1) - first(1, 2), first(0, 2) - first(2, 0), first(1, 0) - first(0, 1));
  const Matrix6d B = motionAt(-rigid.center), at_center = B.transpose() * mass * B;
  rigid.inertia = 0.5 * (at_center + at_center.transpose()).bottomRightCorner<3, 3>();
  const double size = std::sqrt(rigid.inertia.trace() / rigid.mass);
  rigid.deviation =
      std::max((mass.topLeftCorner<3, 3>() - rigid.mass * Matrix3d::Identity()).cwiseAbs().maxCoeff() / rigid.mass,
               at_center.topRightCorner<3, 3>().cwiseAbs().maxCoeff() / (rigid.mass * size));
  return rigid;
}

ModalParts modalParts(const CraigBampton& body, const std::vector<InterfaceMass>& interfaces, int modes) {
  const MatrixXd M = restMass(body, interfaces), R = body.rigidMotions();
  ModalParts parts;
  parts.mean = rigidMass(R.transpose() * M * R);
  parts.share = kShare;
  parts.mode_bodies = modes / 6;

  // modal.md (5), (6): kept modes, flexibility of the others.
  const FreeModes free(body.fullStiffness(), M);
  const Index at_interfaces = body.mass.rows(), kept = modes, others = free.stiffness.size() - kept;
  const MatrixXd at = free.shapes.topRows(at_interfaces), of_kept = at.leftCols(kept), of_others = at.rightCols(others);
  MatrixXd F = of_others * free.stiffness.tail(others).cwiseInverse().asDiagonal() * of_others.transpose();
  const MatrixXd all = at * free.stiffness.cwiseInverse().asDiagonal() * at.transpose();
  F.diagonal() += kLeastFlexibility * atLeast(all.diagonal(), parts.mean);
  const MatrixXd inverse = F.llt().solve(MatrixXd::Identity(at_interfaces, at_interfaces));

  MatrixXd K(at_interfaces + kept, at_interfaces + kept);  // modal.md (6), of (z, y)
  K.topLeftCorner(at_interfaces, at_interfaces) = inverse;
  K.topRightCorner(at_interfaces, kept) = -inverse * of_kept;
  K.bottomLeftCorner(kept, at_interfaces) = -of_kept.transpose() * inverse;
  K.bottomRightCorner(kept, kept) = of_kept.transpose() * inverse * of_kept;
  K.bottomRightCorner(kept, kept).diagonal() += free.stiffness.head(kept);

  const MatrixXd X = coordinatesOfParts(body, parts.mean, parts.mode_bodies);
  K = X.transpose() * K * X;
  parts.stiffness = 0.5 * (K + K.transpose());
  return parts;
}

}  // namespace tactus::rt
