// Scratch of a step along the segments of a Chain that does not depend on how many of them go side by side.
#pragma once

#include "rt/math/symmetric3.h"
#include "rt/plan/chain.h"

#include <memory>
#include <vector>

namespace tactus::rt {

class ChainLanes;

/// What a segment shows to its neighbours: compliances between its two end joints and the motion that it would have
/// there without them; and what it adds to the monitor's numbers.
struct ChainSegment {
  Symmetric3<double> Y_left, Y_right;
  Matrix3d Y_across;                     ///< left by right
  double physical_left, physical_right;  ///< traces of the compliances of its end bodies alone
  Vector3d e_left, e_right;
  /// Motion of the end points of a segment by level, as far as it was evaluated.
  struct Ends {
    Vector3d left[3], right[3];
  };
  Ends ends[2];  ///< one valid, see ChainTop::valid; the other is being written while some may still read

  double violation[3];  ///< squared, of its joints, by level
  double increment;     ///< squared, scaled, largest of its bodies
  double lowest_minor;  ///< of the pivots of its joints
  double drag_power;    ///< W
  int limited;          ///< bodies whose geometric stiffness was limited
};

/// A cut and its factor in the block-tridiagonal system of all cuts. Multipliers: of x_left - x_right.
struct ChainCutState {
  Vector3d lambda, increment;  ///< total; of the last solve
  double epsilon;
  Symmetric3<double> D_inverse;
  Matrix3d G;  ///< passes right sides on to the next cut
};

/// All cuts. Each thread has its own: solving them takes less time than waiting for who has.
struct ChainTop {
  std::vector<ChainCutState> cuts;  ///< as Chain::cuts
  int valid = 0;                    ///< of ChainSegment::ends
};

struct ChainWorkspace {
  ChainWorkspace();
  /// @param width  lanes side by side, 4 or 8; a divisor of the number of segments
  ChainWorkspace(const Model& model, const Chain& chain, int width, int threads);
  ChainWorkspace(ChainWorkspace&&) noexcept;
  ChainWorkspace& operator=(ChainWorkspace&&) noexcept;
  ~ChainWorkspace();

  std::vector<ChainSegment> segments;
  std::vector<ChainTop> tops;         ///< of each thread
  std::unique_ptr<ChainLanes> lanes;  ///< the places of all segments
};

}  // namespace tactus::rt
