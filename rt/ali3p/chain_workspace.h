// Scratch of a step along the lanes of a Chain.
#pragma once

#include "rt/plan/chain.h"

#include <vector>

namespace tactus::rt {

/// One place of every segment of a group. World axes unless said otherwise.
struct ChainSlot {
  // Motion, current iterate.
  LaneVector3 r, v, a, omega, alpha;
  LaneVector4 p;
  LaneMatrix3 R;
  LaneVector3 arm_left, arm_right;        ///< from the centre of mass to the joint points
  LaneVector4 p_prev, pd_prev, pdd_prev;  ///< at the start of the step

  LaneVector3 force, torque;  ///< right side: minus the residual of the equations of motion

  // The tangent as factored.
  Lanes w_mass;
  Symmetric3<Lanes> w_J;
  LaneVector3 tangent_left, tangent_right;  ///< the arms it was formed with

  // The joint at the right within the segment. Multipliers: of x_left - x_right.
  LaneVector3 lambda;
  LaneVector3 gap;   ///< minus the right side of its rows
  LaneVector3 beta;  ///< right side of its compound
  Lanes epsilon;
  Symmetric3<Lanes> S_inverse;
  LaneMatrix3 P, Q;
};

/// What a segment shows to its neighbours: compliances between its two end joints and the motion that it would have
/// there without them.
struct ChainSegment {
  Symmetric3<double> Y_left, Y_right;
  Matrix3d Y_across;                     ///< left by right
  double physical_left, physical_right;  ///< traces of the compliances of its end bodies alone
  Vector3d e_left, e_right;
  // Of the end points, as far as the level at hand needs them: positions, velocities, accelerations.
  Vector3d left[3], right[3];
};

/// A cut and its factor in the block-tridiagonal system of all cuts.
struct ChainCutState {
  Vector3d lambda, increment;
  double epsilon;
  Symmetric3<double> D_inverse;
  Matrix3d G;  ///< passes right sides on to the next cut
};

/// All cuts. Each thread has its own: solving them takes less time than waiting for who has.
struct ChainTop {
  std::vector<ChainCutState> cuts;  ///< as Chain::cuts
};

/// Sums and extremes over a group, or over the chain.
struct ChainTotals {
  double violation[3] = {0, 0, 0};  ///< squared: position, velocity, acceleration
  double increment = 0;             ///< squared, scaled
  double drag_power = 0;
  int limited = 0;
  bool positive = true;
};

struct ChainWorkspace {
  ChainWorkspace() = default;
  ChainWorkspace(const Chain& chain, int threads)
      : slots(chain.places.size()),
        segments(static_cast<std::size_t>(chain.segments())),
        tops(static_cast<std::size_t>(threads)),
        totals(static_cast<std::size_t>(chain.groups)) {
    for (ChainTop& top : tops) top.cuts.resize(chain.cuts.size());
  }

  std::vector<ChainSlot> slots;  ///< as Chain::places
  std::vector<ChainSegment> segments;
  std::vector<ChainTop> tops;       ///< of each thread
  std::vector<ChainTotals> totals;  ///< of each group
};

}  // namespace tactus::rt
