#include "tests/support/reference_trajectory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tactus::tests {

namespace {

constexpr int kPerBody = 13;  // r, p, v, omega'

VectorXd pack(const MotionState& m) {
  VectorXd y(kPerBody * static_cast<Eigen::Index>(m.r.size()));
  for (std::size_t i = 0; i < m.r.size(); ++i) {
    y.segment<kPerBody>(kPerBody * static_cast<Eigen::Index>(i)) << m.r[i], m.p[i], m.v[i], m.omega[i];
  }
  return y;
}

MotionState unpack(const VectorXd& y) {
  MotionState m;
  for (Eigen::Index k = 0; k < y.size(); k += kPerBody) {
    m.r.push_back(y.segment<3>(k));
    m.p.push_back(y.segment<4>(k + 3).normalized());
    m.v.push_back(y.segment<3>(k + 7));
    m.omega.push_back(y.segment<3>(k + 10));
  }
  return m;
}

VectorXd derivative(const DenseMechanism& mechanism, const VectorXd& y) {
  const MotionState m = unpack(y);
  const VectorXd a = mechanism.accelerations(m).a;
  VectorXd yd(y.size());
  for (std::size_t i = 0; i < m.r.size(); ++i) {
    // p' = p * (0, omega'/2): the quaternion product with the body rate on the right.
    const Vector3d e = m.p[i].tail<3>(), half = 0.5 * m.omega[i];
    Vector4d pd;
    pd[0] = -e.dot(half);
    pd.tail<3>() = m.p[i][0] * half + e.cross(half);
    const auto k = static_cast<Eigen::Index>(i);
    const Vector3d alpha_b = rotationOf(m.p[i]).transpose() * a.segment<3>(6 * k + 3);
    yd.segment<kPerBody>(kPerBody * k) << m.v[i], pd, a.segment<3>(6 * k), alpha_b;
  }
  return yd;
}

/// Dormand and Prince's pair of orders 5 and 4. The nodes are not needed: nothing depends on time.
constexpr double kA[7][6] = {{},
                             {1.0 / 5},
                             {3.0 / 40, 9.0 / 40},
                             {44.0 / 45, -56.0 / 15, 32.0 / 9},
                             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                             {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double kError[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

}  // namespace

ReferenceTrajectory integrate(const DenseMechanism& mechanism, const std::vector<double>& times, double tolerance) {
  ReferenceTrajectory out;
  MotionState m = mechanism.declared();
  double t = 0, h = 1e-3;
  for (const double target : times) {
    while (target - t > 1e-12) {
      const double step = std::min(h, target - t);
      const VectorXd y = pack(m);
      VectorXd k[7], next = y, error = VectorXd::Zero(y.size());
      for (int stage = 0; stage < 7; ++stage) {
        next = y;
        for (int j = 0; j < stage; ++j) next += step * kA[stage][j] * k[j];
        k[stage] = derivative(mechanism, next);
      }
      for (int stage = 0; stage < 7; ++stage) error += step * kError[stage] * k[stage];

      // The last stage is the solution of order 5. Accept it if its error is small enough, choose the next step.
      const double ratio = (error.array().abs() / (1 + y.array().abs())).maxCoeff() / tolerance;
      if (ratio <= 1) {
        m = unpack(next);
        mechanism.project(m);
        t += step;
      }
      const double factor = std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -0.2), 0.2, 5.0);
      // A step cut short by a sample time says little about the next.
      if (ratio > 1 || step == h) h = step * factor;
      if (h < 1e-9) throw std::runtime_error("the reference integration needs too small a step");
    }
    t = target;
    out.t.push_back(t);
    out.states.push_back(m);
    out.lambda.push_back(mechanism.accelerations(m).lambda);
  }
  return out;
}

}  // namespace tactus::tests
