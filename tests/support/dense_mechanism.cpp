#include "tests/support/dense_mechanism.h"

#include <algorithm>
#include <stdexcept>

namespace tactus::tests {

namespace {

/// A point or direction with its first two time derivatives, world axes.
struct VectorJet {
  Vector3d value, rate, acceleration;
};

VectorJet operator-(const VectorJet& a, const VectorJet& b) {
  return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
}

int indexOf(const rt::ModelSpec& spec, const std::string& name) {
  if (name == rt::kGroundName) return -1;
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    if (spec.bodies[i].name == name) return static_cast<int>(i);
  }
  throw std::runtime_error("no body " + name);
}

/// Rows below this part of the largest singular value of H M^-1 H^T count as redundant.
constexpr double kRankThreshold = 1e-11;

}  // namespace

Matrix3d rotationOf(const Vector4d& p) {
  // v -> v + 2 e0 e x v + 2 e x (e x v)
  const Vector3d e = p.tail<3>();
  Matrix3d R;
  for (int k = 0; k < 3; ++k) {
    const Vector3d c = e.cross(Vector3d::Unit(k));
    R.col(k) = Vector3d::Unit(k) + 2 * p[0] * c + 2 * e.cross(c);
  }
  return R;
}

DenseMechanism::DenseMechanism(const rt::ModelSpec& spec) : gravity_(spec.gravity.value()) {
  for (const rt::BodySpec& b : spec.bodies) {
    masses_.push_back(b.mass);
    inertias_.push_back(b.inertia);
    declared_.r.push_back(b.position);
    declared_.p.push_back(b.orientation);
    declared_.v.push_back(b.velocity);
    declared_.omega.push_back(b.angular_velocity);
  }
  for (const rt::JointSpec& j : spec.joints) addJoint(j, indexOf(spec, j.body_1), indexOf(spec, j.body_2));
}

void DenseMechanism::addJoint(const rt::JointSpec& spec, int body_1, int body_2) {
  const int joint = joints();
  const auto add = [&](RowKind kind, int component, const Vector3d& s_1, const Vector3d& s_2, const Vector3d& a_1,
                       const Vector3d& a_2, double length) {
    rows_.push_back({kind, joint, component, {body_1, body_2}, {s_1, s_2}, {a_1, a_2}, length});
  };
  const Vector3d none = Vector3d::Zero();
  const auto addPoint = [&](const Vector3d& s_1, const Vector3d& s_2) {
    for (int c = 0; c < 3; ++c) add(RowKind::kPoint, c, s_1, s_2, none, none, 0);
    points_2_.push_back(s_2);
  };

  if (const auto* s = std::get_if<rt::SphericalSpec>(&spec.kind)) {
    addPoint(s->point_1, s->point_2);
  } else if (const auto* p = std::get_if<rt::PointSpec>(&spec.kind)) {
    addPoint(p->point_1, p->point_2);
  } else if (const auto* r = std::get_if<rt::RevoluteSpec>(&spec.kind)) {
    addPoint(r->point_1, r->point_2);
    // Two directions across the axis, found by orthogonalization of the identity.
    const Eigen::HouseholderQR<MatrixXd> qr{MatrixXd(r->axis_1.normalized())};
    const Matrix3d Q = qr.householderQ();
    add(RowKind::kDot1, 0, none, none, Q.col(1), r->axis_2.normalized(), 0);
    add(RowKind::kDot1, 0, none, none, Q.col(2), r->axis_2.normalized(), 0);
  } else if (const auto* d = std::get_if<rt::DistanceSpec>(&spec.kind)) {
    points_2_.push_back(d->point_2);
    const Vector3d x_1 = frame(declared_, body_1).r + frame(declared_, body_1).R * d->point_1;
    const Vector3d x_2 = frame(declared_, body_2).r + frame(declared_, body_2).R * d->point_2;
    add(RowKind::kDistance, 0, d->point_1, d->point_2, none, none, d->length.value_or((x_2 - x_1).norm()));
  } else if (const auto* o = std::get_if<rt::Dot1Spec>(&spec.kind)) {
    points_2_.push_back(none);
    add(RowKind::kDot1, 0, none, none, o->axis_1.normalized(), o->axis_2.normalized(), 0);
  } else if (const auto* t = std::get_if<rt::Dot2Spec>(&spec.kind)) {
    points_2_.push_back(t->point_2);
    add(RowKind::kDot2, 0, t->point_1, t->point_2, t->axis_1.normalized(), none, 0);
  } else {
    throw std::runtime_error("the dense oracle does not know the kind of joint " + spec.name);
  }
  bodies_2_.push_back(body_2);
}

DenseMechanism::FrameMotion DenseMechanism::frame(const MotionState& m, int body) const {
  const Vector3d zero = Vector3d::Zero();
  if (body < 0) return {zero, zero, zero, zero, zero, Matrix3d::Identity()};
  const auto i = static_cast<std::size_t>(body);
  const Matrix3d R = rotationOf(m.p[i]);
  return {m.r[i], m.v[i], zero, R * m.omega[i], zero, R};
}

DenseMechanism::Jet DenseMechanism::evaluate(const Row& row, const FrameMotion& f_1, const FrameMotion& f_2) {
  const auto direction = [](const FrameMotion& f, const Vector3d& s) -> VectorJet {
    const Vector3d x = f.R * s, xd = f.omega.cross(x);
    return {x, xd, f.alpha.cross(x) + f.omega.cross(xd)};
  };
  const auto point = [&direction](const FrameMotion& f, const Vector3d& s) -> VectorJet {
    const VectorJet arm = direction(f, s);
    return {f.r + arm.value, f.v + arm.rate, f.a + arm.acceleration};
  };
  const auto dot = [](const VectorJet& a, const VectorJet& b) -> Jet {
    return {a.value.dot(b.value), a.rate.dot(b.value) + a.value.dot(b.rate),
            a.acceleration.dot(b.value) + 2 * a.rate.dot(b.rate) + a.value.dot(b.acceleration)};
  };

  if (row.kind == RowKind::kDot1) return dot(direction(f_1, row.axis[0]), direction(f_2, row.axis[1]));
  const VectorJet d = point(f_2, row.s[1]) - point(f_1, row.s[0]);
  if (row.kind == RowKind::kPoint) {
    return {-d.value[row.component], -d.rate[row.component], -d.acceleration[row.component]};
  }
  if (row.kind == RowKind::kDot2) return dot(direction(f_1, row.axis[0]), d);
  const Jet square = dot(d, d);
  const double scale = 1 / (2 * row.length);
  return {(square.value - row.length * row.length) * scale, square.rate * scale, square.acceleration * scale};
}

VectorXd DenseMechanism::position(const MotionState& m) const {
  VectorXd phi(rows());
  for (int k = 0; k < rows(); ++k) {
    const Row& row = rows_[static_cast<std::size_t>(k)];
    phi[k] = evaluate(row, frame(m, row.body[0]), frame(m, row.body[1])).value;
  }
  return phi;
}

MatrixXd DenseMechanism::jacobian(const MotionState& m) const {
  MatrixXd H = MatrixXd::Zero(rows(), 6 * bodies());
  for (int k = 0; k < rows(); ++k) {
    const Row& row = rows_[static_cast<std::size_t>(k)];
    for (int side = 0; side < 2; ++side) {
      if (row.body[side] < 0) continue;
      for (int c = 0; c < 6; ++c) {
        // Everything at rest but one unit velocity of one body.
        FrameMotion f[2] = {frame(m, row.body[0]), frame(m, row.body[1])};
        for (FrameMotion& still : f) still.v = still.omega = Vector3d::Zero();
        (c < 3 ? f[side].v : f[side].omega)[c % 3] = 1;
        H(k, 6 * row.body[side] + c) += evaluate(row, f[0], f[1]).rate;
      }
    }
  }
  return H;
}

VectorXd DenseMechanism::gamma(const MotionState& m) const {
  VectorXd gamma(rows());
  for (int k = 0; k < rows(); ++k) {
    const Row& row = rows_[static_cast<std::size_t>(k)];
    gamma[k] = -evaluate(row, frame(m, row.body[0]), frame(m, row.body[1])).acceleration;
  }
  return gamma;
}

MatrixXd DenseMechanism::inverseMass(const MotionState& m) const {
  MatrixXd inverse = MatrixXd::Zero(6 * bodies(), 6 * bodies());
  for (int i = 0; i < bodies(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Matrix3d R = rotationOf(m.p[k]);
    inverse.block<3, 3>(6 * i, 6 * i) = Matrix3d::Identity() / masses_[k];
    inverse.block<3, 3>(6 * i + 3, 6 * i + 3) = R * inertias_[k].inverse() * R.transpose();
  }
  return inverse;
}

DenseAcceleration DenseMechanism::accelerations(const MotionState& m) const {
  const MatrixXd H = jacobian(m), inverse_mass = inverseMass(m);
  VectorXd Q(6 * bodies());
  for (int i = 0; i < bodies(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d momentum = inertias_[k] * m.omega[k];
    Q.segment<3>(6 * i) = masses_[k] * gravity_;
    Q.segment<3>(6 * i + 3) = -rotationOf(m.p[k]) * m.omega[k].cross(momentum);
  }
  if (rows() == 0) return {inverse_mass * Q, VectorXd()};
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> S;
  S.setThreshold(kRankThreshold);
  S.compute(H * inverse_mass * H.transpose());
  const VectorXd lambda = S.solve(H * (inverse_mass * Q) - gamma(m));
  return {inverse_mass * (Q - H.transpose() * lambda), lambda};
}

VectorXd DenseMechanism::leastMove(const MotionState& m, const VectorXd& rhs) const {
  if (rows() == 0) return VectorXd::Zero(6 * bodies());
  const MatrixXd H = jacobian(m), inverse_mass = inverseMass(m);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> S;
  S.setThreshold(kRankThreshold);
  S.compute(H * inverse_mass * H.transpose());
  return inverse_mass * (H.transpose() * S.solve(rhs));
}

VectorXd DenseMechanism::velocity(const MotionState& m) const {
  VectorXd v(6 * bodies());
  for (int i = 0; i < bodies(); ++i) {
    v.segment<3>(6 * i) = m.v[static_cast<std::size_t>(i)];
    v.segment<3>(6 * i + 3) = rotationOf(m.p[static_cast<std::size_t>(i)]) * m.omega[static_cast<std::size_t>(i)];
  }
  return v;
}

void DenseMechanism::projectVelocity(MotionState& m) const {
  const VectorXd dv = leastMove(m, -jacobian(m) * velocity(m));
  for (int i = 0; i < bodies(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    m.v[k] += dv.segment<3>(6 * i);
    m.omega[k] += rotationOf(m.p[k]).transpose() * dv.segment<3>(6 * i + 3);
  }
}

void DenseMechanism::project(MotionState& m) const {
  // Newton's method; two or three passes reach round-off from anywhere near.
  for (int pass = 0; pass < 10; ++pass) {
    const VectorXd phi = position(m);
    if (rows() == 0 || phi.lpNorm<Eigen::Infinity>() < 1e-15) break;
    const VectorXd dx = leastMove(m, -phi);
    for (int i = 0; i < bodies(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      m.r[k] += dx.segment<3>(6 * i);
      // p' = p + (0, dphi/2) * p, the quaternion product with the rotation on the left.
      const Vector3d half = 0.5 * dx.segment<3>(6 * i + 3), e = m.p[k].tail<3>();
      Vector4d dp;
      dp[0] = -half.dot(e);
      dp.tail<3>() = m.p[k][0] * half + half.cross(e);
      m.p[k] = (m.p[k] + dp).normalized();
    }
  }
  projectVelocity(m);
}

JointReaction DenseMechanism::reaction(int joint, const MotionState& m, const VectorXd& lambda) const {
  const int body = bodies_2_[static_cast<std::size_t>(joint)];
  if (body < 0) throw std::runtime_error("the reaction on ground is not computed");
  VectorXd own = lambda;
  for (int k = 0; k < rows(); ++k) {
    if (rows_[static_cast<std::size_t>(k)].joint != joint) own[k] = 0;
  }
  const VectorXd load = -jacobian(m).transpose() * own;
  const Vector3d force = load.segment<3>(6 * body), torque = load.segment<3>(6 * body + 3);
  const Vector3d arm = rotationOf(m.p[static_cast<std::size_t>(body)]) * points_2_[static_cast<std::size_t>(joint)];
  return {force, torque - arm.cross(force)};
}

double DenseMechanism::energy(const MotionState& m) const {
  double sum = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    sum += 0.5 * masses_[i] * m.v[i].squaredNorm() + 0.5 * m.omega[i].dot(inertias_[i] * m.omega[i]) -
           masses_[i] * gravity_.dot(m.r[i]);
  }
  return sum;
}

}  // namespace tactus::tests
