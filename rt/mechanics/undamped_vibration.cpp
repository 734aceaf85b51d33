#include "rt/mechanics/undamped_vibration.h"

#include "rt/math/cholesky.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/constraint_system.h"
#include "rt/mechanics/elements/spring.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactus::rt {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxPasses = 200;
/// Relative change of the squared frequency at which the iteration ends.
constexpr double kConverged = 1e-3;
/// How far into a stop its slope is read, m or rad.
constexpr double kIntoStop = 1e-3;
/// How far from its free length the slope of a spring that may be slack is read, m or rad.
constexpr double kTaut = 1e-3;

/// Lengths or angles at which the slope of a spring can be largest.
std::vector<double> placesOf(const Spring& spring, double now, double free) {
  std::vector<double> places = {now, free - kTaut, free + kTaut};
  const std::vector<double>& x = spring.stiffness.x;
  for (std::size_t k = 0; k < x.size(); ++k) {
    places.push_back(free + x[k]);
    if (k > 0) places.push_back(free + 0.5 * (x[k - 1] + x[k]));
  }
  if (spring.maximum_stop) places.push_back(spring.maximum_stop->position + kIntoStop);
  if (spring.minimum_stop) places.push_back(spring.minimum_stop->position - kIntoStop);
  return places;
}

/// The stiffness of the rows of a joint where they are damped too little, else a zero matrix.
MatrixXd undampedStiffness(const Model& model, const Joint& joint, const std::vector<BodyMotion>& motions,
                           const ActuatorInput& input, const double* phi, const double* rate, double damping_time) {
  const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
  if (own.spring >= 0) {
    const RowContext at{model, own, motions.data(), input.values.data()};
    const double free =
        own.free_input >= 0 ? own.free_of_input(input.values[static_cast<std::size_t>(own.free_input)]) : own.rest[0];
    double largest = 0;
    for (const double place : placesOf(model.springs[static_cast<std::size_t>(own.spring)], phi[0], free)) {
      const SpringForce f = SpringRow::evaluate(at, place, 0);
      if (f.by_rate < damping_time * f.by_value) largest = std::max(largest, f.by_value);
    }
    return MatrixXd::Constant(1, 1, largest);
  }
  if (own.tyre >= 0) {
    // As on the road, also where the wheel starts above it.
    const Tyre& tyre = model.tyres[static_cast<std::size_t>(own.tyre)];
    const bool damped = tyre.damping >= damping_time * tyre.stiffness;
    return MatrixXd::Constant(1, 1, damped ? 0.0 : tyre.stiffness);
  }
  CompliantLaw scratch;
  const CompliantLaw& law = lawAt(model, joint, motions.data(), input.values.data(), phi, rate, scratch);
  const MatrixXd K = law.K.topLeftCorner(law.rows, law.rows);
  const MatrixXd missing = law.C.topLeftCorner(law.rows, law.rows) - damping_time * K;
  const double round_off = 1e-12 * damping_time * K.norm();
  const bool damped = symmetricEigenvalues(missing)[0] >= -round_off;
  return damped ? MatrixXd::Zero(law.rows, law.rows) : K;
}

}  // namespace

UndampedVibration fastestUndampedVibration(const Model& model, double damping_time) {
  UndampedVibration result;
  if (model.compliant_laws.empty()) return result;
  const State state = initialState(model).state;
  const std::vector<BodyMotion> motions = bodyMotions(state);
  const ActuatorInput input(model);
  std::vector<DriveValue> drives;
  for (const Drive& drive : model.drives) drives.push_back(evaluateDrive(drive, 0, input.values));
  ConstraintSystem system(model);
  system.evaluate(motions, state, drives);

  // Columns of G: H^T L of each undamped joint, K = L L^T. The squared frequencies are the eigenvalues of G^T P G with
  // the inverse masses P of the constrained mechanism.
  std::vector<VectorXd> columns;
  std::vector<int> joints;
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (!joint.compliant()) continue;
    double rate[kMaxJointRows];
    JointRows rows;
    evaluateJointRows(model, joint, motions.data(), state.view().jointDisplacements(), rows);
    jointRowRates(model, joint, rows.jacobian, rows.further, motions.data(), rate);
    const MatrixXd K = undampedStiffness(model, joint, motions, input, rows.phi, rate, damping_time);
    if (K.isZero(0)) continue;
    // A row without stiffness beside stiff ones is a zero pivot: the shift keeps it, at no weight.
    const auto n = K.rows();
    const MatrixXd L = choleskyFactor(K + 1e-12 * K.norm() * MatrixXd::Identity(n, n));
    for (Eigen::Index c = 0; c < n; ++c) {
      VectorXd column = VectorXd::Zero(6 * model.bodyCount());
      for (Eigen::Index r = c; r < n; ++r)
        forEachSide(model, joint, rows, static_cast<int>(r), [&](int body, const double* h) {
          for (int k = 0; k < 6; ++k) column[6 * body + k] += L(r, c) * h[k];
        });
      columns.push_back(column);
      joints.push_back(j);
    }
  }
  if (columns.empty()) return result;

  const auto count = static_cast<Eigen::Index>(columns.size());
  // Not the same in all rows: equal parts of a symmetric mechanism also vibrate against each other.
  VectorXd x(count);
  for (Eigen::Index k = 0; k < count; ++k) x[k] = 1 + std::sin(7.0 * static_cast<double>(k + 1));
  double squared = 0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    x.normalize();
    VectorXd force = VectorXd::Zero(6 * model.bodyCount()), multipliers;
    for (Eigen::Index k = 0; k < count; ++k) force += x[k] * columns[static_cast<std::size_t>(k)];
    VectorXd move = system.W() * force;
    move += system.correct(system.H() * move, multipliers);
    for (Eigen::Index k = 0; k < count; ++k) x[k] = columns[static_cast<std::size_t>(k)].dot(move);
    const double before = squared;
    squared = x.norm();
    if (pass > 8 && std::abs(squared - before) <= kConverged * squared) break;
  }
  Eigen::Index share = 0;
  x.cwiseAbs().maxCoeff(&share);
  result.frequency = std::sqrt(squared);
  result.joint = joints[static_cast<std::size_t>(share)];
  return result;
}

}  // namespace tactus::rt
