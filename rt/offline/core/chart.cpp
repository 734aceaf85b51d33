#include "rt/offline/core/chart.h"

#include "rt/math/skew.h"

namespace tactus::rt::offline {

Matrix3d rateMatrix(const Vector3d& g) {
  return 4 / (4 + g.squaredNorm()) * (Matrix3d::Identity() + 0.5 * skew(g));
}

Vector3d parameterRate(const Vector3d& g, const Vector3d& omega_w) {
  return omega_w - 0.5 * g.cross(omega_w) + 0.25 * g.dot(omega_w) * g;
}

Matrix3d rateMatrixDerivative(const Vector3d& g, const Vector3d& w) {
  const double c = 4 / (4 + g.squaredNorm());
  return -0.5 * c * c * (w + 0.5 * g.cross(w)) * g.transpose() - 0.5 * c * skew(w);
}

Matrix3d parameterRateDerivative(const Vector3d& g, const Vector3d& omega_w) {
  return 0.5 * skew(omega_w) + 0.25 * (g.dot(omega_w) * Matrix3d::Identity() + g * omega_w.transpose());
}

Vector3d parametersOf(const Vector4d& p, const Vector4d& reference) {
  const Vector4d turn = product(p, Vector4d(reference[0], -reference[1], -reference[2], -reference[3]));
  return 2 / turn[0] * turn.tail<3>();
}

Vector4d turnedByParameters(const Vector4d& reference, const Vector3d& g) {
  Vector4d turn;
  turn << 1, 0.5 * g;
  return product(turn.normalized(), reference).normalized();
}

Chart::Chart(const DynamicSystem& system, const MotionPoint& reference) : system_(system), reference_(reference) {}

ChartPoint Chart::coordinatesOf(const MotionPoint& point) const {
  ChartPoint c{point.position - reference_.position, point.velocity, point.acceleration};
  for (std::size_t i = 0; i < point.orientation.size(); ++i) {
    const int k = system_.rotations()[i];
    const Vector3d g = parametersOf(point.orientation[i], reference_.orientation[i]);
    const Vector3d gd = parameterRate(g, point.velocity.segment<3>(k));
    const Vector3d alpha = point.acceleration.segment<3>(k);
    c.y.segment<3>(k) = g;
    c.yd.segment<3>(k) = gd;
    c.ydd.segment<3>(k) = parameterRate(g, alpha - rateMatrixDerivative(g, gd) * gd);
  }
  return c;
}

MotionPoint Chart::placeAt(const VectorXd& y) const {
  MotionPoint point = reference_;
  point.position += y;
  for (std::size_t i = 0; i < point.orientation.size(); ++i) {
    const int k = system_.rotations()[i];
    point.position.segment<3>(k) = reference_.position.segment<3>(k);
    point.orientation[i] = turnedByParameters(reference_.orientation[i], y.segment<3>(k));
  }
  system_.continueAngles(point);
  return point;
}

MotionPoint Chart::motionOf(const ChartPoint& c) const {
  MotionPoint point = placeAt(c.y);
  point.velocity = c.yd;
  point.acceleration = c.ydd;
  for (const int k : system_.rotations()) {
    const Vector3d g = c.y.segment<3>(k), gd = c.yd.segment<3>(k), gdd = c.ydd.segment<3>(k);
    const Matrix3d G = rateMatrix(g);
    point.velocity.segment<3>(k) = G * gd;
    point.acceleration.segment<3>(k) = G * gdd + rateMatrixDerivative(g, gd) * gd;
  }
  return point;
}

namespace {

/// A block-diagonal matrix with one 3 x 3 block a rotation.
template <class BlockOf>
Sparse rotationBlocks(const DynamicSystem& system, const BlockOf& blockOf) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const int k : system.rotations()) {
    const Matrix3d block = blockOf(k);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) entries.emplace_back(k + r, k + c, block(r, c));
  }
  Sparse m(system.size(), system.size());
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

}  // namespace

Sparse Chart::velocityByPosition(const MotionPoint& at) const {
  return rotationBlocks(system_, [&](int k) -> Matrix3d { return -0.5 * skew(at.velocity.segment<3>(k)); });
}

Sparse Chart::accelerationByPosition(const MotionPoint& at) const {
  return rotationBlocks(system_, [&](int k) -> Matrix3d {
    const Vector3d omega = at.velocity.segment<3>(k), alpha = at.acceleration.segment<3>(k);
    return -0.5 * (skew(alpha) + omega * omega.transpose());
  });
}

}  // namespace tactus::rt::offline
