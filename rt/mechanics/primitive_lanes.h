// Four primitives side by side, each in a lane of a vector: their constants.
#pragma once

#include "rt/math/lanes.h"
#include "rt/model/primitive.h"

#include <array>

namespace tactus::rt {

struct Model;

/// Four primitives of one kind with kInLanes, between any bodies.
struct PrimitiveLanes {
  static constexpr int kLanes = 4;
  using Scalar = Lanes<kLanes>;
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  using Indices = std::array<int, kLanes>;

  PrimitiveKind kind;
  int count;                    ///< of primitives; the lanes beyond repeat the first one
  bool any_compliant;           ///< a row of them belongs to a compliant joint
  Indices body_1, body_2, row;  ///< as of Primitive
  Vector s_1, s_2;              ///< points, fixed in body axes, m
  Vector a_1, a_2, b_1, b_2;    ///< directions, fixed in body axes
  Scalar length;                ///< as of Primitive
  Scalar moves_1, moves_2;      ///< 1, or 0 of ground

  /// All four lanes as one primitive; none counts.
  explicit PrimitiveLanes(const Primitive& p);
  void setLane(const Primitive& p, int lane);
};

/// For each row of a Model whether its joint is compliant.
std::vector<bool> compliantRows(const Model& model);

}  // namespace tactus::rt
