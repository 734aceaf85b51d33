// Rows of rigid joints of a point and normals, such as spherical joints and revolutes, four joints beside each other.
// Arms and normals say the same as a Jacobian in fewer numbers.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/plan/plan.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// Four joints of a point and `normals` dot-1 rows each. The lanes of a batch of the Plan are the lanes here; nodes
/// that stand alone take the next free lane.
struct PointJoints {
  using Scalar = PrimitiveLanes::Scalar;
  using Vector = PrimitiveLanes::Vector;
  using Indices = PrimitiveLanes::Indices;

  int normals;
  int part;                     ///< of the Plan
  bool are_nodes;               ///< the joints are nodes of the Plan; else their freedoms are eliminated
  int filled;                   ///< bit l is set if lane l has a joint of its own; another lane repeats one
  Indices body_1, body_2, row;  ///< of the joints; first row
  Vector s_1, s_2;              ///< points, fixed in body axes, m
  Vector a_1[3], a_2[3];        ///< directions of each dot-1 row, fixed in body axes
  Scalar sign;                  ///< of freedoms: 1 where the carried body is body 1, else -1
  Scalar moves_1, moves_2;      ///< 0 where the body is ground, else 1
  // At the iterate, world axes. Written by PointRows::evaluate().
  Vector arm_1, arm_2;              ///< from the centers of mass to the points, m; of ground from the origin
  Vector turned_1[3], turned_2[3];  ///< the directions
  Vector normal[3];                 ///< of each dot-1 row: its derivative by the rotation of body 1

  bool has(int lane) const noexcept { return (filled >> lane & 1) != 0; }
};

/// What the motion subspace of a joint is made of, from the carried body: sigma, the arms s and s_a, and the normals m.
/// rt/doc/ali3p.md, (40) and (41).
template <class T>
struct CarriedArms {
  T sign;
  T own[3], other[3];
  T normal[3][3];
};

class PointRows {
 public:
  PointRows() = default;
  /// @param has_joint  of each joint: whether its rows are asked for; others are there where they share lanes with them
  PointRows(const Model& model, const Plan& plan, const std::vector<unsigned char>& has_joint);

  bool isEmpty() const noexcept { return joints_.empty(); }
  /// Whether the rows of each joint are among them.
  static std::vector<bool> joints(const Model& model, const Plan& plan);

  /// Values of the rows; arms and normals.
  /// @rt no allocation, no throw, fixed work
  void evaluate(const BodyMotion* motions, double* phi) noexcept;
  /// Adds the squares of the values to those of each part.
  /// @rt no allocation, no throw, fixed work
  void squares(const double* phi, double* of_parts) const noexcept;
  /// Right sides of the rows at acceleration level.
  /// @rt no allocation, no throw, fixed work
  void evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept;
  /// Adds the geometric stiffness of the rows, as addGeometricStiffness() of mechanics/joint_constraints.h.
  /// @rt no allocation, no throw, fixed work
  void addGeometricStiffness(const double* lambda, Matrix3d* stiffness) const noexcept;
  /// Subtracts H^T lambda from the right sides of the bodies, six numbers each.
  /// @rt no allocation, no throw, fixed work
  void subtractReactions(const double* lambda, double* right_sides) const noexcept;
  /// H v of the rows; adds their squares to those of each part.
  /// @rt no allocation, no throw, fixed work
  void rates(const BodyMotion* motions, double* rates, double* of_parts) const noexcept;
  /// gamma - H a of the rows.
  /// @rt no allocation, no throw, fixed work
  void accelerationsLeft(const BodyMotion* motions, const double* gamma, double* left) const noexcept;
  /// Adds the squares of gamma - H a to those of each part.
  /// @rt no allocation, no throw, fixed work
  void violation(const BodyMotion* motions, const double* gamma, double* of_parts) const noexcept;

  /// The Jacobian of the joints that are nodes.
  /// @rt no allocation, no throw, fixed work
  void writeJacobian(RowJacobian* jacobian) const noexcept;

  /// Of one joint, by its index in the Model.
  CarriedArms<double> armsOf(int joint) const noexcept;
  /// Of the joints that the bodies of a batch are carried by, in the lanes of the batch.
  CarriedArms<PrimitiveLanes::Scalar> armsOfBatch(int first_joint) const noexcept;
  const std::vector<PointJoints>& groups() const noexcept { return joints_; }
  std::vector<PointJoints>& groups() noexcept { return joints_; }  ///< for tests

 private:
  std::vector<PointJoints> joints_;
  std::vector<int> place_;  ///< of each joint of the Model: kLanes times its group plus its lane, or -1
};

}  // namespace tactus::rt
