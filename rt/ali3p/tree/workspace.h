// TreeWorkspace: the scratch of a step along the nodes of the tree, in the parts that its functions take. Sized once
// for a Model and its Plan; worthless after the step. Each member says who writes it and who reads it.
#pragma once

#include "rt/ali3p/tree/point_rows.h"
#include "rt/mechanics/drives.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/law_lanes.h"
#include "rt/mechanics/row_lanes.h"
#include "rt/mechanics/scalar_laws.h"
#include "rt/plan/plan.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// Rows that follow each other.
struct RowRange {
  int first, end;
};

/// What one workspace holds of a mechanism: all of it, or what one thread of a team does, which are some units of the
/// plan, and the trunk, which each thread does for itself. See rt/doc/ali3p.md, section 13.
struct TreeShare {
  /// All of a mechanism.
  TreeShare(const Model& model, const Plan& plan);
  TreeShare() = default;
  /// The share of one thread. Units are dealt out in their order, by their operations.
  TreeShare(const Model& model, const Plan& plan, int thread, int threads);

  std::vector<int> units;      ///< into Plan::parts
  std::vector<int> moved;      ///< bodies that it moves: those of its units, then those of the trunk
  std::vector<int> known;      ///< and those behind them whose motions it takes from other threads
  std::vector<RowRange> rows;  ///< whose multipliers it solves for: of its units, then of the trunk
  std::size_t own_bodies = 0;  ///< leading ones of `moved`, and of `rows`, that no other thread commits and counts
  std::size_t own_rows = 0;
  std::vector<unsigned char> has_joint;  ///< of each joint: it evaluates the rows
  std::vector<int> angles;               ///< of one thread: joints with a displacement that it commits
};

/// The thread of each unit of a plan: units follow each other, and the threads have about the same operations.
std::vector<int> threadsOfUnits(const Plan& plan, int threads);

/// Rotation of one body while a step is being solved; its translation lives in BodyMotion.
struct RotationIterate {
  Vector4d p;                    ///< current iterate
  Vector4d p_prev, spin, drift;  ///< at the start of the step: p, 2 pd, (8/dt) pd + 2 pdd
  Vector3d omega, alpha;         ///< body axes, from the trapezoidal rule
};

/// What a step solves for.
struct TreeIterate {
  TreeIterate() = default;
  TreeIterate(const Model& model, const TreeShare& of);

  TreeShare share;  ///< what is written and read of the members below; written by the constructor

  /// One a body. Written by predict(), loadIterate(), applyIncrement() and the two projections; read by every
  /// evaluation and by commit().
  std::vector<BodyMotion> motions;
  /// One a body. Written and read as `motions`; the start of the step is written by predict() only.
  std::vector<RotationIterate> rotations;
  /// Multiplier of each row. Written by predict(), loadIterate(), applyIncrement(), addDamping() and
  /// applyAcceleration(); read by the right sides, formTangent() and commit().
  std::vector<double> lambda;
};

/// The conditions of a step: what its iterations do not change. Written by beginStep() unless a member says otherwise.
/// TreeSolver::load() replaces the internal states by those of the State that it loads, and sets internal_dt to 0.
struct TreeConditions {
  TreeConditions() = default;
  explicit TreeConditions(const Model& model);

  std::vector<double> input;            ///< of each actuator, at the end of the step; read by loads, laws and powers
  std::vector<DriveValue> drives;       ///< of each Drive, at the end of the step; read by the rows
  std::vector<double> displacements;    ///< of State, at the beginning of the step; angles continue them
  std::vector<double> internal_states;  ///< of State, at the beginning of the step; read by evaluateLoads()
  double internal_dt = 0;               ///< time from `internal_states` to the iterate, s; read by evaluateLoads()
  bool predicted = false;               ///< the iterate is the predictor; written by predict(), read by evaluateLoads()
  std::vector<double> gyroscopic_bound;   ///< gyroscopicBound() of each body; written by the constructor
  std::vector<unsigned char> spins_fast;  ///< bodies with a gyroscopic part; written by findFastSpins()
  bool any_spins_fast = false;            ///< of them; read by formTangent()
  /// phi of the rows of compliant joints at the beginning of the step; written by recordStart(), read by beginFilter().
  /// Other rows hold numbers without a meaning.
  std::vector<double> start_phi;
};

/// Rows over the same bodies that follow each other, up to six: of one joint, or of several joints of one row each.
struct RowGroup {
  int first_row, row_count;
  int body_1, body_2;
  int pair_row, pair_count;  ///< Jacobian of the further pairs of bodies of the first row; those of the next row follow
  int first_pair;            ///< into Model::extra_body_pairs
  int drive;                 ///< of the Model, or -1
  bool compliant;
  int part;  ///< of the Plan
};

/// Rows of one part of the Plan that are not compliant and follow each other.
struct RigidRows {
  RowRange rows;
  int part;
};

/// The rows of a compliant joint, and what its law is.
struct LawRows {
  int joint;  ///< of the Model
  int first_row, row_count;
  int law;            ///< into Model::compliant_laws
  bool constant;      ///< it is linear, and takes no input
  bool damped;        ///< its force depends on rates or on inputs
  bool proportional;  ///< it has six rows and C = beta K: its elastic share is a multiple of the unit matrix
};

/// The rows at the iterate.
struct TreeRows {
  TreeRows() = default;
  TreeRows(const Model& model, const Plan& plan, const TreeShare& share);

  /// Whether the force of a compliant joint depends on its rates or on inputs.
  bool hasDamping(const Joint& joint) const noexcept {
    return law_is_damped[static_cast<std::size_t>(joint.law_index)] != 0;
  }

  std::vector<RowRange> solved;  ///< TreeShare::rows; written by the constructor
  /// All rows but `points` and those that go by parts, in order; written by the constructor.
  std::vector<RowGroup> groups;
  std::vector<RigidRows> rigid;  ///< of the groups; read by positionViolation(); written by the constructor
  PointRows points;              ///< those of rigid joints of a point and normals; arms by evaluateConstraints()
  RowLanes lanes;         ///< constants of the rows that are evaluated four at a time; written by the constructor
  bool by_parts = false;  ///< some go by the parts of RowLanes::couplers(); written by the constructor
  std::vector<unsigned char> law_is_damped;  ///< of each CompliantLaw: it is not linear, or has dampers or inputs
  std::vector<LawRows> laws;                 ///< of the compliant joints, in order, but of `scalar_laws`
  std::vector<int> damped_groups;            ///< groups with such a law; all three written by the constructor
  ScalarLaws scalar_laws;                    ///< of the rows that go by parts; written by the constructor
  /// H but for joints whose freedoms are eliminated. Behind the rows those of the extra body pairs, then one row of
  /// zeros. Written by evaluateConstraints(), of `points` and of rows that go by parts by completeJacobian(); read by
  /// formTangent() and factor(), of other rows also by the right sides and the projections.
  std::vector<RowJacobian> jacobian;
  std::vector<double> phi;  ///< written by evaluateConstraints(); read by positionRightSide() and the compliant laws
  /// H v. Written by velocityViolation(), and of damped groups by evaluateDampedRates(); read by positionRightSide(),
  /// velocityRightSide(), beginFilter(), addDamping() and commit().
  std::vector<double> rates;
  /// Right sides at acceleration level. Written by evaluateGamma(); read by accelerationRightSide() and
  /// accelerationViolation(). In plain steps those of sections of compliant joints stay zero.
  std::vector<double> gamma;
  mutable CompliantLaw law;  ///< scratch of lawAt(), for one row at a time
  /// Of the violation that was evaluated last: the squares of each part of the Plan. Their sum in the order of the
  /// parts is the same for any number of threads. Written by the three violations.
  mutable std::vector<double> squares;
};

/// The loads at the iterate. Written by evaluateLoads().
struct TreeLoads {
  TreeLoads() = default;
  explicit TreeLoads(const Model& model);

  std::vector<Load> bodies;         ///< sum on each body; read by bodyRightSide() and formTangent()
  ElementStates elements;           ///< read by formTangent() and commit()
  bool has_force_elements = false;  ///< the Model has one of any kind; written by the constructor
};

/// The tangent of one body: W = (dt^2/4) diag(1/m_hat, J_hat^-1).
struct BodyTangent {
  double m_hat;      ///< mass with what a drag adds, kg
  Matrix3d J_hat;    ///< inertia with geometric stiffness, world axes, kg m^2
  double w_mass;     ///< dt^2 / (4 m_hat)
  Matrix3d w_J;      ///< (dt^2/4) J_hat^-1, world axes
  Matrix3d turning;  ///< J_hat with the gyroscopic part where the body has one; only in an unsymmetric tangent
};

/// The tangent of a step. Written by formTangent(); kept until it is formed anew.
struct TreeTangent {
  TreeTangent() = default;
  TreeTangent(const Model& model, const Plan& plan, const TreeShare& share, const TreeRows& rows);

  LawLanes laws;           ///< laws that are linearized four at a time; written by the constructor
  ScalarLaws scalar_laws;  ///< TreeRows::scalar_laws, with their tangent
  /// Primitives with a regularization: all but those of TreeRows::points, and those below. Written by the constructor.
  std::vector<int> regularized;
  /// The same of joints of the trunk that meet bodies of units, and all bodies at these joints. Written by the
  /// constructor.
  std::vector<int> regularized_between, between_bodies;
  /// Of each group of TreeRows::points: bit l is set if lane l has such a joint. Written by the constructor.
  std::vector<unsigned char> points_between;
  /// The same of Model::couplers: all but those that go by parts. Written by the constructor.
  std::vector<int> regularized_couplers;
  /// Sections of compliant joints: nothing reads the compliance that their rows see but the rigidity of higher-order
  /// steps. Written by the constructor.
  std::vector<int> elastic_sections;
  /// H M^-1 H^T of each row that goes by parts, in the order of CouplerLanes::rows(), in the declared state: a common
  /// motion of the parts does not change it. Written by the constructor.
  std::vector<double> inverse_masses;
  std::vector<Matrix3d> stiffness;  ///< K_g of each body; read by formTangent() itself
  std::vector<BodyTangent> bodies;  ///< read by factor() and, of leaf bodies, by the back substitution
  /// W of `between_bodies` without loads and geometric stiffness, which not every thread knows; empty if there are
  /// none. Written and read by formTangent().
  std::vector<BodyTangent> masses;
  std::vector<double> compliance_scale;  ///< mean h W h^T of the rows of a primitive; read by countTinyPivots()
  std::vector<double> epsilon;  ///< compliance of each rigid row, zero where freedoms are eliminated; read by factor()
                                ///< and positionRightSide()
  /// (K + (2/dt) C)^-1 of each CompliantLaw of the Model; read by factor() and positionRightSide().
  std::vector<Matrix6d> compliance;
  /// (K + (2/dt) C)^-1 K of each CompliantLaw: share of its tangent that is elastic; read by the filter.
  std::vector<Matrix6d> elastic_share;
  /// Share of each row that the projections treat as rigid: 1, or below it for compliant rows; read by the projections.
  std::vector<double> rigidity;
  bool has_inertia_gain = false;  ///< of a body, see inertiaGain(); read by TreeSolver
  bool unsymmetric = false;       ///< BodyTangent::turning has been formed; read by factor() and the substitutions
};

/// The factored fronts. Written by factor(); read by the substitutions.
struct TreeFronts {
  TreeFronts() = default;
  explicit TreeFronts(const Plan& plan);

  std::vector<double> symmetric;  ///< of all nodes, see PlanNode::front
  std::vector<double> square;     ///< of all nodes, see PlanNode::square_front; in use where the tangent is unsymmetric
};

/// The vector of one solve.
struct TreeUnknowns {
  TreeUnknowns() = default;
  explicit TreeUnknowns(const Plan& plan);

  double* rows(int bodies) noexcept { return values.data() + 6 * bodies; }
  const double* rows(int bodies) const noexcept { return values.data() + 6 * bodies; }

  /// Right side, then solution: 6 a body, then one a row; where the plan solves in place, then its unused numbers.
  /// Written by the right sides and substituteBack(), and as scratch by formTangent(); read by the substitutions and by
  /// what applies a solution.
  std::vector<double> values;
  std::vector<double> permuted;  ///< `values` in the order of Plan::offsets; written and read by the two substitutions
  /// Right side of each compliant row in the solve of the filter before. Written and read by the parts of the filter.
  std::vector<double> filtered;
};

/// What the threads of a team pass to each other. Numbers that are written for one barrier and read after it have two
/// sides, which take turns, so that no thread writes what another still reads.
struct TreeExchange {
  TreeExchange() = default;
  TreeExchange(const Model& model, const Plan& plan, const std::vector<TreeShare>& shares);

  struct alignas(64) OfThread {
    double increment = 0;
    int limited = 0;
    bool positive = true, has_inertia_gain = false;
  };
  struct Side {
    std::vector<double> ports;       ///< of Plan::ports
    std::vector<double> squares[3];  ///< of each level and part, see TreeRows::squares
    std::vector<OfThread> of_threads;
  };
  Side sides[2];
  std::vector<double> updates;         ///< of Plan::updates, one after the other
  std::vector<std::size_t> update_at;  ///< where each begins
  /// Bodies of units that meet the trunk, at joints of units or of the trunk, and these joints of units: each thread
  /// does the trunk, and needs their motions and multipliers.
  std::vector<int> meeting_bodies, meeting_joints;
  std::vector<BodyMotion> motions;  ///< of meeting_bodies
  std::vector<double> lambda;       ///< of the rows of meeting_joints, one after the other
  std::vector<int> thread_of_part;  ///< of each unit
};

struct TreeWorkspace {
  TreeWorkspace() = default;
  /// @param threads  that share a step: with more than one, each has a workspace of its own in `of_threads`
  TreeWorkspace(const Model& model, const Plan& plan, int threads = 1);
  TreeWorkspace(const Model& model, const Plan& plan, const TreeShare& share)
      : iterate(model, share),
        conditions(model),
        rows(model, plan, share),
        loads(model),
        tangent(model, plan, share, rows),
        fronts(plan),
        unknowns(plan) {}

  TreeIterate iterate;
  TreeConditions conditions;
  TreeRows rows;
  TreeLoads loads;
  TreeTangent tangent;
  TreeFronts fronts;
  TreeUnknowns unknowns;

  std::vector<TreeWorkspace> of_threads;  ///< of a team of several threads; written and read by each thread
  TreeExchange exchange;                  ///< of such a team; written by some threads, read by others after a barrier
  std::vector<double> squares[3];         ///< of one thread: of each level, TreeRows::squares as evaluated last
  int side = 0;                           ///< of the exchange, of one thread; the same in all threads
  bool alone = false;                     ///< the first thread does the step by itself; the same in all threads
};

}  // namespace tactus::rt
