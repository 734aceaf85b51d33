#include "rt/mechanics/initial_state.h"

#include "rt/error.h"
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/constraint_system.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/drives.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace tactus::rt {

namespace {

using Eigen::VectorXd;

/// Largest residual that counts as satisfied, relative to the size of the mechanism.
constexpr double kPositionTolerance = 1e-12;
/// Largest rate of a constraint that counts as none, relative to the velocities: passes along nearly redundant rows
/// converge slowly, drives that contradict each other leave the difference of their rates.
constexpr double kVelocityTolerance = 1e-6;
constexpr int kMaxPositionPasses = 60;
constexpr int kMaxLinearPasses = 12;

double rotationBetween(const Vector4d& p, const Vector4d& q) {
  return 2 * std::atan2(multiplyG(p, q).norm(), std::abs(p.dot(q)));
}

/// Moves positions to the nearest configuration that satisfies the constraints; Gauss-Newton in the mass metric.
void assemblePositions(const Model& model, const std::vector<DriveValue>& drives, ConstraintSystem& system,
                       AssemblyResult& result) {
  State& state = result.state;
  const State declared = state;
  for (int pass = 0;; ++pass) {
    system.evaluate(bodyMotions(state), state, drives);
    const double violation = system.phi().size() > 0 ? system.phi().norm() : 0.0;
    if (pass == 0) result.position_violation = violation;
    if (violation <= kPositionTolerance * std::max(1.0, model.length)) break;
    if (pass == kMaxPositionPasses || !std::isfinite(violation)) {
      std::ostringstream text;
      text << "model '" << model.name << "': no configuration that satisfies the constraints was found near the "
           << "declared one; |Phi| is " << result.position_violation << " as declared and " << violation << " after "
           << pass << " corrections";
      throw Error(text.str());
    }
    VectorXd multipliers;
    const VectorXd x = system.correct(system.phi(), multipliers);
    for (int i = 0; i < model.bodyCount(); ++i) {
      state.r(i) += x.segment<3>(6 * i);
      state.p(i) = turnedBy(state.p(i), x.segment<3>(6 * i + 3));
    }
  }
  State moved = declared;
  for (int i = 0; i < model.bodyCount(); ++i) {
    result.position_correction = std::max(
        {result.position_correction, (state.r(i) - moved.r(i)).norm(), rotationBetween(state.p(i), moved.p(i))});
  }
}

/// Projects velocities onto the constraints in the mass metric.
void assembleVelocities(const Model& model, const std::vector<DriveValue>& drives, const ConstraintSystem& system,
                        AssemblyResult& result) {
  State& state = result.state;
  const int n = model.bodyCount();
  VectorXd v(6 * n);
  for (int i = 0; i < n; ++i) {
    v.segment<3>(6 * i) = state.v(i);
    v.segment<3>(6 * i + 3) = rotationMatrix(state.p(i)) * state.omega(i);
  }
  const VectorXd declared = v;
  for (int pass = 0;; ++pass) {
    VectorXd residual = system.H() * v;
    for (const Joint& joint : model.joints)
      if (joint.law == LawKind::kDriven)
        residual[joint.first_row] -= drives[static_cast<std::size_t>(joint.law_index)].rate;
    const double size = std::max(1.0, v.norm());
    if (pass == 0) result.velocity_violation = residual.norm();
    if (residual.norm() <= 1e-14 * size) break;
    if (pass == kMaxLinearPasses) {
      if (residual.norm() <= kVelocityTolerance * size) break;
      std::ostringstream text;
      text << "model '" << model.name << "': no velocities satisfy the constraints; after " << pass
           << " corrections |dPhi/dt| is " << residual.norm()
           << "; drives that contradict each other, or a drive in a dead center, have none";
      throw Error(text.str());
    }
    VectorXd multipliers;
    v += system.correct(residual, multipliers);
  }
  const bool changed = result.velocity_violation > 1e-14 * std::max(1.0, declared.norm());
  for (int i = 0; i < n && changed; ++i) {
    state.v(i) = v.segment<3>(6 * i);
    state.omega(i) = rotationMatrix(state.p(i)).transpose() * v.segment<3>(6 * i + 3);
    result.velocity_correction = std::max({result.velocity_correction, (v - declared).segment<3>(6 * i).norm(),
                                           (v - declared).segment<3>(6 * i + 3).norm()});
  }
}

/// Takes the angles of the joints from the poses: each the value nearest to the one it has.
void setDisplacements(const Model& model, State& state) {
  const std::vector<BodyMotion> motions = bodyMotions(state);
  countAngles(model, motions.data(), state.view().jointDisplacements(), state.jointDisplacements());
}

/// Accelerations and multipliers of the index-1 form, by repeated projection of M^-1 Q.
void solveAccelerations(const Model& model, const std::vector<DriveValue>& drives, const ActuatorInput& input,
                        const ConstraintSystem& system, State& state) {
  const int n = model.bodyCount();
  const std::vector<BodyMotion> motions = bodyMotions(state);
  std::vector<Load> loads(model.bodies.size());
  addActuatorLoads(model, input.values, motions.data(), loads.data());
  addDirectLoads(model, motions.data(), state.view().jointDisplacements(), loads.data());
  beginInternalStates(model, motions.data(), state.jointDisplacements(), state.internalStates());
  std::copy(input.values.begin(), input.values.end(), state.input());
  const ElementStates elements = elementsAt(model, state.view(), motions.data());
  addElementLoads(model, elements, motions.data(), loads.data());
  storeInternalStates(model, elements, state.internalStates());
  VectorXd lambda = VectorXd::Zero(model.rows);
  const ElementPower power_of_loads = directLoadPower(model, motions.data(), state.view().jointDisplacements());
  state.powerDissipated() = power_of_loads.dissipated + powerOf(model, elements).dissipated;
  state.powerInput() = power_of_loads.input + powerOf(model, elements).input;
  for (const Joint& joint : model.joints)
    if (joint.compliant()) {
      const ElementPower power = addCompliantLoad(model, joint, motions.data(), state.view().jointDisplacements(),
                                                  input.values.data(), lambda.data() + joint.first_row, loads.data());
      state.powerDissipated() += power.dissipated;
      state.powerInput() += power.input;
    }

  VectorXd Q(6 * n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = model.bodies[k];
    Q.segment<3>(6 * i) = body.mass * model.gravity + loads[k].force;
    Q.segment<3>(6 * i + 3) = loads[k].torque - inertiaTorque(body, motions[k].R, state.omega(i), Vector3d::Zero());
  }
  VectorXd a = system.W() * Q;
  VectorXd gamma = VectorXd::Zero(model.rows);
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    for (int i = joint.first_primitive; i < joint.first_primitive + joint.primitive_count; ++i) {
      const Primitive& p = model.primitives[static_cast<std::size_t>(i)];
      evaluateGamma(p, motions.data(), gamma.data() + p.row);
    }
    if (joint.law == LawKind::kDriven)
      gamma[joint.first_row] += drives[static_cast<std::size_t>(joint.law_index)].acceleration;
  }
  for (const Coupler& coupler : model.couplers)
    if (!model.joints[static_cast<std::size_t>(coupler.joint)].compliant())
      gamma[coupler.terms.front().row] = couplerGamma(coupler, motions.data());
  double previous = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMaxLinearPasses && model.rows > 0; ++pass) {
    const VectorXd residual = system.H() * a - gamma;
    // Below this the passes only stir round-off.
    if (residual.norm() <= 1e-13 * std::max(1.0, a.norm()) || residual.norm() >= 0.5 * previous) break;
    previous = residual.norm();
    VectorXd kappa;
    a += system.correct(residual, kappa);
    for (const Joint& joint : model.joints)
      if (!joint.compliant())
        lambda.segment(joint.first_row, joint.row_count) += kappa.segment(joint.first_row, joint.row_count);
  }
  for (int i = 0; i < n; ++i) {
    state.a(i) = a.segment<3>(6 * i);
    state.alpha(i) = motions[static_cast<std::size_t>(i)].R.transpose() * a.segment<3>(6 * i + 3);
  }
  std::copy_n(lambda.data(), model.rows, state.lambda());
  state.powerInput() += actuatorPower(model, input.values, motions.data());
  for (const Joint& joint : model.joints)
    if (joint.law == LawKind::kDriven)
      state.powerInput() -= lambda[joint.first_row] * drives[static_cast<std::size_t>(joint.law_index)].rate;
}

void requireWithin(const Model& model, const char* what, double correction, double limit, const char* field) {
  if (correction <= limit) return;
  std::ostringstream text;
  text << "model '" << model.name << "': the declared " << what << " break the constraints: assembling moves a body by "
       << correction << ", beyond assembly." << field << " = " << limit
       << "; correct the declared state, or raise the limit";
  throw Error(text.str());
}

}  // namespace

AssemblyResult initialState(const Model& model, int initial_condition) {
  return initialState(model, initial_condition, ActuatorInput(model));
}

AssemblyResult initialState(const Model& model, int initial_condition, const ActuatorInput& input) {
  const InitialCondition& declared = model.initial_conditions.at(static_cast<std::size_t>(initial_condition));
  AssemblyResult result;
  result.state = State(model);
  State& state = result.state;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    state.r(i) = declared.position[k];
    state.p(i) = declared.orientation[k].normalized();
    state.v(i) = declared.velocity[k];
    state.omega(i) = declared.angular_velocity[k];
  }
  for (const Joint& joint : model.joints)
    if (joint.displacement >= 0) state.jointDisplacements()[joint.displacement] = joint.initial_angle;
  const std::vector<BodyMotion> declared_motions = bodyMotions(state);
  startAngles(model, declared_motions.data(), state.jointDisplacements());
  startCouplerAngles(model, declared_motions.data(), state.jointDisplacements());
  setDisplacements(model, state);
  std::vector<DriveValue> drives;
  for (const Drive& drive : model.drives) drives.push_back(evaluateDrive(drive, 0, input.values));

  ConstraintSystem system(model);
  assemblePositions(model, drives, system, result);
  requireWithin(model, "positions", result.position_correction, model.assembly.position, "position");
  setDisplacements(model, state);
  assembleVelocities(model, drives, system, result);
  requireWithin(model, "velocities", result.velocity_correction, model.assembly.velocity, "velocity");
  solveAccelerations(model, drives, input, system, state);
  return result;
}

}  // namespace tactus::rt
