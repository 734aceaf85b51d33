// Workspace: all scratch of a step, sized once from the Plan; worthless after the tick.
#pragma once

#include "rt/ali3p/chain/workspace.h"
#include "rt/ali3p/team.h"
#include "rt/mechanics/drives.h"
#include "rt/mechanics/element_loads.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/row_lanes.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <memory>
#include <vector>

namespace tactus::rt {

/// Rotation of one body while a step is being solved; its translation lives in BodyMotion.
struct RotationIterate {
  Vector4d p;                    ///< current iterate
  Vector4d p_prev, spin, drift;  ///< at the start of the step: p, 2 pd, (8/dt) pd + 2 pdd
  Vector3d omega, alpha;         ///< body axes, from the trapezoidal rule
};

/// The tangent of one body: W = (dt^2/4) diag(1/m_hat, J_hat^-1).
struct BodyTangent {
  double m_hat;      ///< mass with what a drag adds, kg
  double w_mass;     ///< dt^2 / (4 m_hat)
  Matrix3d w_J;      ///< (dt^2/4) J_hat^-1, world axes
  Matrix3d J_hat;    ///< inertia with geometric stiffness, world axes, kg m^2
  Matrix3d turning;  ///< J_hat with the gyroscopic part, not symmetric, where Settings ask for it
};

struct Workspace {
  Workspace() = default;
  /// @param threads  that share a step, as chooseThreads() said
  Workspace(const Model& model, const Plan& plan, int threads = 1);

  // One element a body.
  std::vector<BodyMotion> motions;  ///< current iterate
  std::vector<RotationIterate> rotations;
  std::vector<Load> loads;          ///< of actuators
  std::vector<Matrix3d> stiffness;  ///< K_g
  std::vector<BodyTangent> tangents;

  RowLanes row_lanes;  ///< constants of the rows, as they are evaluated side by side

  // One element a row.
  std::vector<RowJacobian> jacobian;  ///< H at the current iterate; behind the rows, of further pairs of bodies; zeros
  std::vector<double> phi, rates, gamma, lambda, epsilon;
  std::vector<double> compliance_scale;  ///< mean h W h^T of the rows of a primitive
  std::vector<double> rigidity;  ///< share of a row that the projections take for rigid: 1, or below of compliant rows

  std::vector<Matrix6d> compliance;     ///< of each CompliantLaw of the Model: stepCompliance()
  CompliantLaw law;                     ///< of one row at a time, where it is not linear: lawAt()
  std::vector<DriveValue> drives;       ///< of each Drive, at the end of the step
  std::vector<double> displacements;    ///< of State, at the beginning of the step
  std::vector<double> internal_states;  ///< the same
  double internal_dt = 0;               ///< time from there to the iterate, s
  ElementStates elements;               ///< at the iterate
  std::vector<double> input;            ///< of each actuator, at the end of the step: what laws and drives read

  std::vector<double> unknowns;       ///< right side, then solution: 6 a body, then rows; unused slots, if in place
  std::vector<double> slots;          ///< the same while a solve is going on, see Plan::slots
  std::vector<double> fronts;         ///< of all nodes, see PlanNode::front
  std::vector<double> square_fronts;  ///< unsymmetric, see PlanNode::square_front
  bool unsymmetric = false;           ///< BodyTangent::turning has been formed: these are the fronts in use
  State next;                         ///< the state being built; swapped in only if it is finite

  int threads = 1;
  std::unique_ptr<SpinBarrier> barrier;  ///< of more than one thread
  ChainWorkspace chain;                  ///< of a Plan with a chain
  std::unique_ptr<Workspace> beside;     ///< of the second of two threads, where they do not share groups of a chain

  // Of the third-order step.
  State coarse, half;              ///< after one whole step; after the first half step
  StepReport whole;                ///< of the whole step, if the second thread has done it
  std::vector<double> half_input;  ///< of each actuator, half way
};

}  // namespace tactus::rt
