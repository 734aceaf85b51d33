#include "rt/offline/literal/literal_chain.h"

#include "rt/math/lu.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tactus::rt::offline {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

int LiteralChain::buildTree(int first, int last) {
  Compound node;
  if (first == last) {
    node.body = first;
  } else {
    const int middle = (first + last) / 2;
    node.left = buildTree(first, middle);
    node.right = buildTree(middle + 1, last);
    node.joint = middle + 1;
  }
  tree_.push_back(node);
  return static_cast<int>(tree_.size()) - 1;
}

// ---- Kinematics of the joints. Phi = x_A - x_B; joint 0 has ground for A, the one that closes a loop for B. ----

LiteralChain::JointJacobian LiteralChain::jointJacobian(int k) const {
  JointJacobian jacobian;
  jacobian.A.setZero();
  jacobian.B.setZero();
  if (k > 0) {
    jacobian.A << Matrix3d::Identity(), rotateDerivative(p(k - 1), bodies_[at(k - 1)].right, settings_.derivative);
  }
  if (k < bodies()) {
    jacobian.B << -Matrix3d::Identity(), -rotateDerivative(p(k), bodies_[at(k)].left, settings_.derivative);
  }
  return jacobian;
}

Vector3d LiteralChain::jointGap(int k) const {
  const Vector3d x_A =
      k == 0 ? anchor_ : Vector3d(r(k - 1) + rotate(p(k - 1), bodies_[at(k - 1)].right, settings_.derivative));
  if (k == bodies()) return x_A - end_anchor_;
  return x_A - r(k) - rotate(p(k), bodies_[at(k)].left, settings_.derivative);
}

Vector3d LiteralChain::jointRate(int k) const {
  const JointJacobian jacobian = jointJacobian(k);
  Vector3d rate = Vector3d::Zero();
  if (k < bodies()) rate = jacobian.B * qd_[at(k)];
  if (k > 0) rate += jacobian.A * qd_[at(k - 1)];
  return rate;
}

Vector3d LiteralChain::jointAcceleration(int k) const {
  // Phi_q q'' - gamma
  const JointJacobian jacobian = jointJacobian(k);
  const auto bias = [this](int i, const Vector3d& s) -> Vector3d {
    return rotateBias(p(i), qd_[at(i)].tail<4>(), s, settings_.derivative);
  };
  Vector3d acceleration = Vector3d::Zero();
  if (k < bodies()) acceleration = jacobian.B * qdd_[at(k)] - bias(k, bodies_[at(k)].left);
  if (k > 0) acceleration += jacobian.A * qdd_[at(k - 1)] + bias(k - 1, bodies_[at(k - 1)].right);
  return acceleration;
}

/// g of Eqs. (12), (13): M q'' + sum Phi_q^T lambda + Psi_q^T mu - Q, with current gradients.
Vector7d LiteralChain::residual(int i) const {
  const LiteralBody& body = bodies_[at(i)];
  Vector7d g = massMatrix(body, q_[at(i)]) * qdd_[at(i)] - forces(body, q_[at(i)], qd_[at(i)], gravity_);
  g += jointJacobian(i).B.transpose() * lambda_[at(i)];
  if (i + 1 < joints()) g += jointJacobian(i + 1).A.transpose() * lambda_[at(i + 1)];
  g.tail<4>() += p(i) * mu_[at(i)];
  return g;
}

// ---- Assembly and disassembly. ----

/// Eqs. (26), (36)-(38): the matrix coefficients, at the current state.
void LiteralChain::factor(bool with_force_derivatives) {
  const double dt = settings_.dt, quarter = dt * dt / 4;
  for (int k = 0; k < joints(); ++k) frozen_[at(k)] = jointJacobian(k);
  for (Compound& c : tree_) {
    if (c.joint < 0) {
      const LiteralBody& body = bodies_[at(c.body)];
      Matrix7d tangent = massMatrix(body, q_[at(c.body)]);
      if (with_force_derivatives) {
        // Print has the two factors exchanged: a derivative by velocity comes with dt/2, by position with dt^2/4.
        const bool swapped = settings_.misprints.swapped_factors;
        tangent -= (swapped ? quarter : dt / 2) * forcesByVelocity(body, q_[at(c.body)], qd_[at(c.body)]);
        tangent -= (swapped ? dt / 2 : quarter) * forcesByPosition(body, qd_[at(c.body)]);
      }
      // Print takes Psi = p^T p - 1, whose derivative is 2 p; here Psi = (p^T p - 1) / 2, so that Psi_q = p.
      p_frozen_[at(c.body)] = p(c.body);
      tangent.bottomRightCorner<4, 4>() += penaltyScale() * p(c.body) * p(c.body).transpose();
      tangent_inverse_[at(c.body)] = LuFactors(tangent).inverse();
      c.delta_11 = -quarter * tangent_inverse_[at(c.body)];
      c.delta_12 = c.delta_21 = c.delta_22 = c.delta_11;
      continue;
    }
    const Compound &a = tree_[at(c.left)], &b = tree_[at(c.right)];
    const Matrix37d &H_A = frozen_[at(c.joint)].A, &H_B = frozen_[at(c.joint)].B;
    const Matrix3d inverse_C = Matrix3d::Identity() / settings_.alpha - H_A * a.delta_22 * H_A.transpose() -
                               H_B * b.delta_11 * H_B.transpose();
    c.C = inverse_C.inverse();
    c.delta_11 = a.delta_11 + a.delta_12 * H_A.transpose() * c.C * H_A * a.delta_21;
    c.delta_22 = b.delta_22 + b.delta_21 * H_B.transpose() * c.C * H_B * b.delta_12;
    // Print lacks the transpose of Phi_qA, and takes delta_21 as the transpose of delta_12: false for an
    // unsymmetric tangent, as with gyroscopic terms.
    c.delta_12 = a.delta_12 * H_A.transpose() * c.C * H_B * b.delta_12;
    c.delta_21 = b.delta_21 * H_B.transpose() * c.C * H_A * a.delta_21;
  }

  // The joints on ground hold the handles of the whole chain.
  const Compound& root = tree_.back();
  const Matrix37d& H = frozen_[0].B;
  const Matrix3d inverse_C = Matrix3d::Identity() / settings_.alpha - H * root.delta_11 * H.transpose();
  if (!closed_) {
    C_ends_.topLeftCorner<3, 3>() = inverse_C.inverse();
    return;
  }
  const Matrix37d& H_end = frozen_.back().A;
  Eigen::Matrix<double, 6, 6> inverse;
  inverse << inverse_C, -H * root.delta_12 * H_end.transpose(), -H_end * root.delta_21 * H.transpose(),
      Matrix3d::Identity() / settings_.alpha - H_end * root.delta_22 * H_end.transpose();
  C_ends_ = LuFactors(inverse).inverse();
}

/// Multipliers of the joints on ground, and the loads at the handles of the whole chain.
void LiteralChain::solveEnds(Pass& pass) {
  Compound& root = tree_.back();
  const Vector3d first = pass.phi[0] + frozen_[0].B * root.delta_13;
  if (closed_) {
    Eigen::Matrix<double, 6, 1> both;
    both << first, pass.phi.back() + frozen_.back().A * root.delta_23;
    both = (C_ends_ * both).eval();
    pass.dlambda[0] = both.head<3>();
    pass.dlambda.back() = both.tail<3>();
    root.F_2 = frozen_.back().A.transpose() * pass.dlambda.back();
  } else {
    pass.dlambda[0] = C_ends_.topLeftCorner<3, 3>() * first;
    root.F_2.setZero();
  }
  root.F_1 = frozen_[0].B.transpose() * pass.dlambda[0];
}

/// Eqs. (27), (39) up, then (34), (35) and (24), (25) down. All gradients here are those of the factored tangent.
void LiteralChain::solve(Pass& pass) {
  const double quarter = settings_.dt * settings_.dt / 4;
  for (Compound& c : tree_) {
    if (c.joint < 0) {
      // Print has a minus before the penalty term; it follows with a plus from dmu = alpha (Psi + Psi_q dq).
      const double sign = settings_.misprints.minus_bias ? -1 : 1;
      const Vector4d& gradient = settings_.misprints.mixed_gradients ? Vector4d(p(c.body)) : p_frozen_[at(c.body)];
      Vector7d load = pass.g[at(c.body)];
      load.tail<4>() += sign * settings_.alpha * pass.psi[at(c.body)] * gradient;
      c.delta_13 = c.delta_23 = -quarter * (tangent_inverse_[at(c.body)] * load);
      continue;
    }
    const Compound &a = tree_[at(c.left)], &b = tree_[at(c.right)];
    const Matrix37d &H_A = frozen_[at(c.joint)].A, &H_B = frozen_[at(c.joint)].B;
    c.beta = H_A * a.delta_23 + H_B * b.delta_13 + pass.phi[at(c.joint)];
    const Vector3d C_beta = c.C * c.beta;
    c.delta_13 = a.delta_13 + a.delta_12 * (H_A.transpose() * C_beta);
    c.delta_23 = b.delta_23 + b.delta_21 * (H_B.transpose() * C_beta);
  }

  solveEnds(pass);
  for (auto c = tree_.rbegin(); c != tree_.rend(); ++c) {
    if (c->joint < 0) {
      pass.dq[at(c->body)] = c->delta_11 * c->F_1 + c->delta_12 * c->F_2 + c->delta_13;
      continue;
    }
    Compound &a = tree_[at(c->left)], &b = tree_[at(c->right)];
    const Matrix37d &H_A = frozen_[at(c->joint)].A, &H_B = frozen_[at(c->joint)].B;
    const Vector3d dlambda = c->C * (H_A * (a.delta_21 * c->F_1) + H_B * (b.delta_12 * c->F_2) + c->beta);
    pass.dlambda[at(c->joint)] = dlambda;
    a.F_1 = c->F_1;
    a.F_2 = H_A.transpose() * dlambda;
    b.F_1 = H_B.transpose() * dlambda;
    b.F_2 = c->F_2;
  }
}

// ---- The step. ----

/// Consistent accelerations and multipliers: repeated acceleration projections from M q'' = Q.
void LiteralChain::initialize() {
  const double quarter = settings_.dt * settings_.dt / 4;
  for (int i = 0; i < bodies(); ++i) {
    const LiteralBody& body = bodies_[at(i)];
    const Vector3d w = omega(i), momentum = body.inertia * w;
    const Vector3d alpha = body.inertia.inverse() * -w.cross(momentum);
    qdd_[at(i)].head<3>() = gravity_;
    qdd_[at(i)].tail<4>() = 0.5 * matrixG(p(i)).transpose() * alpha - 0.25 * w.squaredNorm() * p(i);
  }
  factor(false);
  for (int pass_number = 0; pass_number < 200; ++pass_number) {
    Pass pass = emptyPass();
    for (int i = 0; i < bodies(); ++i) {
      const Vector4d pd = qd_[at(i)].tail<4>();
      pass.psi[at(i)] = p(i).dot(qdd_[at(i)].tail<4>()) + pd.dot(pd);
    }
    for (int k = 0; k < joints(); ++k) pass.phi[at(k)] = jointAcceleration(k);
    solve(pass);
    double change = 0;
    for (int i = 0; i < bodies(); ++i) {
      qdd_[at(i)] += pass.dq[at(i)];
      change += pass.dq[at(i)].squaredNorm();
    }
    for (int k = 0; k < joints(); ++k) lambda_[at(k)] += quarter * pass.dlambda[at(k)];
    if (std::sqrt(change) < 1e-12) break;
  }
  // mu balances the part of the equations along p.
  for (int i = 0; i < bodies(); ++i) mu_[at(i)] = -p(i).dot(residual(i).tail<4>());
}

/// Eqs. (15), (16).
void LiteralChain::differenceEquations() {
  const double dt = settings_.dt;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    qd_[i] = 2 / dt * q_[i] - (2 / dt * q_prev_[i] + qd_prev_[i]);
    qdd_[i] = 4 / (dt * dt) * q_[i] - (4 / (dt * dt) * q_prev_[i] + 4 / dt * qd_prev_[i] + qdd_prev_[i]);
  }
}

void LiteralChain::step() {
  const double dt = settings_.dt;
  q_prev_ = q_;
  qd_prev_ = qd_;
  qdd_prev_ = qdd_;

  // Predict. Print is silent about mu: it is warm-started like lambda.
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += dt * qd_[i] + 0.5 * dt * dt * qdd_[i];
  if (settings_.misprints.reset_mu) mu_.assign(mu_.size(), 0);

  // Newton iterations, with the tangent of the first unless full Newton is asked for.
  last_iterations_ = 0;
  for (int iteration = 0; iteration < settings_.iterations; ++iteration) {
    ++last_iterations_;
    differenceEquations();
    if (iteration == 0 || settings_.full_newton) factor(true);
    Pass pass = emptyPass();
    for (int i = 0; i < bodies(); ++i) {
      pass.g[at(i)] = residual(i);
      pass.psi[at(i)] = 0.5 * (p(i).dot(p(i)) - 1);
    }
    for (int k = 0; k < joints(); ++k) pass.phi[at(k)] = jointGap(k);
    solve(pass);
    double sum = 0;
    for (int i = 0; i < bodies(); ++i) {
      // Print is silent about which gradient; it must be that of the factored tangent.
      const Vector4d gradient = settings_.misprints.mixed_gradients ? p(i) : p_frozen_[at(i)];
      mu_[at(i)] += settings_.alpha * (pass.psi[at(i)] + gradient.dot(pass.dq[at(i)].tail<4>()));
      q_[at(i)] += pass.dq[at(i)];
      sum += pass.dq[at(i)].squaredNorm();
    }
    for (int k = 0; k < joints(); ++k) lambda_[at(k)] += pass.dlambda[at(k)];
    last_increment_ = std::sqrt(sum);
    if (last_increment_ < 1e-12) break;
  }
  differenceEquations();

  // Eqs. (40)-(54) and (55)-(69), for the increments: the same pass with the violations of the rates for right sides.
  if (settings_.project_velocity) {
    Pass pass = emptyPass();
    for (int i = 0; i < bodies(); ++i) pass.psi[at(i)] = p(i).dot(qd_[at(i)].tail<4>());
    for (int k = 0; k < joints(); ++k) pass.phi[at(k)] = jointRate(k);
    solve(pass);
    for (std::size_t i = 0; i < q_.size(); ++i) qd_[i] += pass.dq[i];
  }
  kappa_.assign(kappa_.size(), Vector3d::Zero());
  if (settings_.project_acceleration) {
    Pass pass = emptyPass();
    for (int i = 0; i < bodies(); ++i) {
      const Vector4d pd = qd_[at(i)].tail<4>();
      pass.psi[at(i)] = p(i).dot(qdd_[at(i)].tail<4>()) + pd.dot(pd);
    }
    for (int k = 0; k < joints(); ++k) pass.phi[at(k)] = jointAcceleration(k);
    solve(pass);
    for (std::size_t i = 0; i < q_.size(); ++i) qdd_[i] += pass.dq[i];
    kappa_ = pass.dlambda;
  }
}

// ---- What can be read. ----

Vector3d LiteralChain::omega(int i) const {
  return 2 * matrixG(p(i)) * qd_[at(i)].tail<4>();
}

Vector3d LiteralChain::alpha(int i) const {
  return 2 * matrixG(p(i)) * qdd_[at(i)].tail<4>();  // G' p' = 0
}

Vector3d LiteralChain::correctedLambda(int k) const {
  return lambda_[at(k)] + settings_.dt * settings_.dt / 4 * kappa_[at(k)];
}

double LiteralChain::kineticEnergy() const {
  double sum = 0;
  for (int i = 0; i < bodies(); ++i) {
    const LiteralBody& body = bodies_[at(i)];
    sum += 0.5 * body.mass * v(i).squaredNorm() + 0.5 * omega(i).dot(body.inertia * omega(i));
  }
  return sum;
}

double LiteralChain::energy() const {
  double sum = kineticEnergy();
  for (int i = 0; i < bodies(); ++i) sum -= bodies_[at(i)].mass * gravity_.dot(r(i));
  return sum;
}

double LiteralChain::largestGap() const {
  double worst = 0;
  for (int k = 0; k < joints(); ++k) worst = std::max(worst, jointGap(k).norm());
  return worst;
}

double LiteralChain::velocityViolation() const {
  double sum = 0;
  for (int k = 0; k < joints(); ++k) sum += jointRate(k).squaredNorm();
  return std::sqrt(sum);
}

double LiteralChain::accelerationViolation() const {
  double sum = 0;
  for (int k = 0; k < joints(); ++k) sum += jointAcceleration(k).squaredNorm();
  return std::sqrt(sum);
}

bool LiteralChain::finite() const {
  for (const Vector7d& q : q_) {
    if (!q.allFinite()) return false;
  }
  return true;
}

}  // namespace tactus::rt::offline
