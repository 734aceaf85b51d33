#include "rt/offline/equations_of_motion.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/load_derivatives.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/mechanics/row_derivatives.h"
#include "rt/state/actuator_input.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Sparse assembled(int rows, int columns, const Triplets& entries) {
  Sparse m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// Adds a dense block; zeros are kept, so that the pattern does not depend on the values.
template <class Block>
void addBlock(int row, int column, const Block& block, Triplets& entries) {
  for (int c = 0; c < block.cols(); ++c)
    for (int r = 0; r < block.rows(); ++r) entries.emplace_back(row + r, column + c, block(r, c));
}

/// Adds rows of a primitive whose twelve columns belong to its two bodies.
void addRows(const Primitive& p, const Eigen::Matrix<double, 3, 12>& m, Triplets& entries) {
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? p.body_1 : p.body_2;
    if (body != kGround) addBlock(p.row, 6 * body, m.block(0, 6 * side, rowsOf(p.kind), 6), entries);
  }
}

}  // namespace

InputSignal declaredInput(const Model& model) {
  return [values = ActuatorInput(model).values](double, std::span<double> out) {
    std::copy(values.begin(), values.end(), out.begin());
  };
}

EquationsOfMotion::EquationsOfMotion(const Model& model, InputSignal input) : model_(model), input_(std::move(input)) {
  for (int i = 0; i < model.bodyCount(); ++i) rotations_.push_back(6 * i + 3);
}

std::vector<double> EquationsOfMotion::inputAt(double t) const {
  std::vector<double> values(model_.actuators.size());
  input_(t, values);
  return values;
}

std::vector<BodyMotion> EquationsOfMotion::motionsOf(const MotionPoint& at) const {
  std::vector<BodyMotion> motions(model_.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(6 * i);
    motions[i] = {at.position.segment<3>(k),     rotationMatrix(at.orientation[i]), at.velocity.segment<3>(k),
                  at.velocity.segment<3>(k + 3), at.acceleration.segment<3>(k),     at.acceleration.segment<3>(k + 3)};
  }
  return motions;
}

VectorXd EquationsOfMotion::constraints(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  VectorXd phi(model_.rows);
  RowJacobian ignored[3];
  for (const Primitive& p : model_.primitives) evaluateRows(p, motions.data(), phi.data() + p.row, ignored);
  return phi;
}

Sparse EquationsOfMotion::jacobian(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets entries;
  for (const Primitive& p : model_.primitives) {
    double phi[3];
    RowJacobian rows[3];
    evaluateRows(p, motions.data(), phi, rows);
    Eigen::Matrix<double, 3, 12> H;
    for (int k = 0; k < rowsOf(p.kind); ++k)
      for (int c = 0; c < 12; ++c) H(k, c) = rows[k].h[c / 6][c % 6];
    addRows(p, H, entries);
  }
  return assembled(rows(), size(), entries);
}

VectorXd EquationsOfMotion::gamma(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  VectorXd gamma(model_.rows);
  for (const Primitive& p : model_.primitives) evaluateGamma(p, motions.data(), gamma.data() + p.row);
  return gamma;
}

VectorXd EquationsOfMotion::residual(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  std::vector<Load> loads(model_.bodies.size());
  addActuatorLoads(model_, inputAt(at.t), motions.data(), loads.data());
  VectorXd F(size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Body& body = model_.bodies[i];
    const BodyMotion& m = motions[i];
    const Matrix3d to_body = m.R.transpose();
    const auto k = static_cast<Eigen::Index>(6 * i);
    F.segment<3>(k) = body.mass * (m.a - model_.gravity) - loads[i].force;
    F.segment<3>(k + 3) = inertiaTorque(body, m.R, to_body * m.omega_w, to_body * m.alpha_w) - loads[i].torque;
  }
  return F;
}

Sparse EquationsOfMotion::mass(const MotionPoint& at) const {
  Triplets entries;
  for (int i = 0; i < model_.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = model_.bodies[k];
    addBlock(6 * i, 6 * i, Matrix3d(body.mass * Matrix3d::Identity()), entries);
    addBlock(6 * i + 3, 6 * i + 3, worldInertia(body, rotationMatrix(at.orientation[k])), entries);
  }
  return assembled(size(), size(), entries);
}

ResidualDerivatives EquationsOfMotion::residualDerivatives(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets M, C, K;
  for (int i = 0; i < model_.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const InertiaTorqueDerivatives d = differentiateInertiaTorque(model_.bodies[k], motions[k]);
    addBlock(6 * i, 6 * i, Matrix3d(model_.bodies[k].mass * Matrix3d::Identity()), M);
    addBlock(6 * i + 3, 6 * i + 3, d.by_acceleration, M);
    addBlock(6 * i + 3, 6 * i + 3, d.by_rate, C);
    addBlock(6 * i + 3, 6 * i + 3, d.by_rotation, K);
  }
  for (const LoadDerivative& d : differentiateActuatorLoads(model_, inputAt(at.t), motions.data()))
    addBlock(6 * d.loaded, 6 * d.turned + 3, Eigen::Matrix<double, 6, 3>(-d.by_rotation), K);
  for (const Primitive& p : model_.primitives) {
    const Matrix12d S = differentiateReaction(p, motions.data(), at.lambda.data() + p.row);
    const int bodies[2] = {p.body_1, p.body_2};
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c)
        if (bodies[r] != kGround && bodies[c] != kGround)
          addBlock(6 * bodies[r], 6 * bodies[c], S.block<6, 6>(6 * r, 6 * c), K);
  }
  return {assembled(size(), size(), M), assembled(size(), size(), C), assembled(size(), size(), K)};
}

RowRateDerivatives EquationsOfMotion::rowRateDerivatives(const MotionPoint& at) const {
  const std::vector<BodyMotion> motions = motionsOf(at);
  Triplets A, B, D;
  for (const Primitive& p : model_.primitives) {
    const RowDerivatives d = differentiateRows(p, motions.data());
    addRows(p, d.rate_by_position, A);
    addRows(p, d.second_rate_by_position, B);
    addRows(p, d.second_rate_by_velocity, D);
  }
  return {assembled(rows(), size(), A), assembled(rows(), size(), B), assembled(rows(), size(), D)};
}

MotionPoint motionPointOf(const State& state, double t) {
  const StateView s = state.view();
  const int n = s.layout().bodies;
  MotionPoint point;
  point.t = t;
  point.position = VectorXd::Zero(6 * n);
  point.velocity.resize(6 * n);
  point.acceleration.resize(6 * n);
  for (int i = 0; i < n; ++i) {
    const BodyMotion m = bodyMotion(s, i);
    point.position.segment<3>(6 * i) = m.r;
    point.orientation.emplace_back(s.p(i));
    point.velocity.segment<6>(6 * i) << m.v, m.omega_w;
    point.acceleration.segment<6>(6 * i) << m.a, m.alpha_w;
  }
  point.lambda = Eigen::Map<const VectorXd>(s.lambda(), s.layout().rows);
  return point;
}

void writeMotion(const MotionPoint& point, State& state) {
  for (int i = 0; i < state.layout().bodies; ++i) {
    const Vector4d& p = point.orientation[static_cast<std::size_t>(i)];
    const Matrix3d to_body = rotationMatrix(p).transpose();
    state.r(i) = point.position.segment<3>(6 * i);
    state.p(i) = p;
    state.v(i) = point.velocity.segment<3>(6 * i);
    state.omega(i) = to_body * point.velocity.segment<3>(6 * i + 3);
    state.a(i) = point.acceleration.segment<3>(6 * i);
    state.alpha(i) = to_body * point.acceleration.segment<3>(6 * i + 3);
  }
  std::copy_n(point.lambda.data(), point.lambda.size(), state.lambda());
}

}  // namespace tactus::rt::offline
