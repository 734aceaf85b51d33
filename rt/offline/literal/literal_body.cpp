#include "rt/offline/literal/literal_body.h"

namespace tactus::rt::offline {

namespace {

Matrix3d skew(const Vector3d& v) {
  Matrix3d S;
  S << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return S;
}

}  // namespace

Matrix34d matrixG(const Vector4d& p) {
  Matrix34d G;
  G << -p.tail<3>(), p[0] * Matrix3d::Identity() - skew(p.tail<3>());
  return G;
}

Vector3d rotate(const Vector4d& p, const Vector3d& s, PointDerivative form) {
  const Vector3d e = p.tail<3>();
  const double diagonal = form == PointDerivative::kPrinted ? 2 * p[0] * p[0] - 1 : p[0] * p[0] - e.dot(e);
  return diagonal * s + 2 * e.dot(s) * e + 2 * p[0] * e.cross(s);
}

Matrix34d rotateDerivative(const Vector4d& p, const Vector3d& s, PointDerivative form) {
  const Vector3d e = p.tail<3>();
  if (form == PointDerivative::kAngular) {
    Matrix3d A_skew;
    for (int k = 0; k < 3; ++k) A_skew.col(k) = rotate(p, skew(s).col(k), form);
    return -2 * A_skew * matrixG(p);
  }
  Matrix34d B;
  B.col(0) = 2 * p[0] * s + 2 * e.cross(s);
  B.rightCols<3>() = 2 * (e.dot(s) * Matrix3d::Identity() + e * s.transpose()) - 2 * p[0] * skew(s);
  if (form == PointDerivative::kPrinted) {
    B.col(0) += 2 * p[0] * s;
  } else {
    B.rightCols<3>() -= 2 * s * e.transpose();
  }
  return B;
}

Vector3d rotateBias(const Vector4d& p, const Vector4d& pd, const Vector3d& s, PointDerivative form) {
  // The two polynomial forms are quadratic in p: their derivative is linear, so that its rate is itself at p'.
  if (form != PointDerivative::kAngular) return rotateDerivative(pd, s, form) * pd;
  const Vector3d omega = 2 * matrixG(p) * pd;
  return rotate(p, omega.cross(omega.cross(s)), form);
}

Matrix7d massMatrix(const LiteralBody& body, const Vector7d& q) {
  const Matrix34d G = matrixG(q.tail<4>());
  Matrix7d M = Matrix7d::Zero();
  M.topLeftCorner<3, 3>() = body.mass * Matrix3d::Identity();
  M.bottomRightCorner<4, 4>() = 4 * G.transpose() * body.inertia * G;
  return M;
}

Vector7d forces(const LiteralBody& body, const Vector7d& q, const Vector7d& qd, const Vector3d& gravity) {
  Vector7d Q;
  Q.head<3>() = body.mass * gravity;
  Q.tail<4>() = -8 * matrixG(qd.tail<4>()).transpose() * (body.inertia * (matrixG(q.tail<4>()) * qd.tail<4>()));
  return Q;
}

Matrix7d forcesByPosition(const LiteralBody& body, const Vector7d& qd) {
  // G(p) p' = -G(p') p, hence Q = 8 G(p')^T J' G(p') p.
  const Matrix34d G_d = matrixG(qd.tail<4>());
  Matrix7d K = Matrix7d::Zero();
  K.bottomRightCorner<4, 4>() = 8 * G_d.transpose() * body.inertia * G_d;
  return K;
}

Matrix7d forcesByVelocity(const LiteralBody& body, const Vector7d& q, const Vector7d& qd) {
  // G(a)^T w is linear in a: T(w) a with T = [0, -w^T; w, -w~].
  const Matrix34d G = matrixG(q.tail<4>()), G_d = matrixG(qd.tail<4>());
  const Vector3d w = body.inertia * (G * qd.tail<4>());
  Eigen::Matrix4d T;
  T << 0, -w.transpose(), w, -skew(w);
  Matrix7d D = Matrix7d::Zero();
  D.bottomRightCorner<4, 4>() = -8 * (T + G_d.transpose() * body.inertia * G);
  return D;
}

}  // namespace tactus::rt::offline
