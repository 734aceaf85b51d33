// Scratch of a step along the segments of a Chain that does not depend on how many of them go side by side.
#pragma once

#include "rt/ali3p/chain/segment_rows.h"
#include "rt/plan/chain.h"

#include <memory>
#include <vector>

namespace tactus::rt {

class ChainLanes;

/// What a segment shows to its neighbours, as rows: compliant_laws between its two end joints and the motion that it
/// would have there without them; and what it adds to the monitor's numbers.
enum SegmentRow : int {
  kYLeft = 0,
  kYRight = kYLeft + 6,
  kYAcross = kYRight + 6,  ///< left by right
  // Traces of the compliant_laws of its end bodies alone.
  kPhysicalLeft = kYAcross + 9,
  kPhysicalRight,
  kELeft,
  kERight = kELeft + 3,
  kViolation = kERight + 3,     ///< squared, of its joints, by level
  kIncrement = kViolation + 3,  ///< squared, scaled, largest of its bodies
  kLowestMinor,                 ///< of the pivots of its joints
  kDragPower,                   ///< W
  kLimited,                     ///< bodies whose geometric stiffness was limited
  kEndsLeft,                    ///< motion of the end points, as far as it was evaluated, by level
  kEndsRight = kEndsLeft + 9,
  kSegmentRows = kEndsRight + 9
};

/// Of the cuts, as rows. Multipliers: of x_left - x_right. Beyond the last cut stand zeros.
enum CutRow : int {
  kLambda = 0,                             ///< total
  kLambdaIncrement = kLambda + 3,          ///< of the last solve
  kIncrementRight = kLambdaIncrement + 3,  ///< that of the next cut
  kEpsilon = kIncrementRight + 3,
  kJoined,  ///< 1, or 0 where there is no joint
  kCutRows
};

/// Three numbers in a register; the fourth place holds no matter what.
using Column = Lanes<4>;

/// A cut and its factor in the block-tridiagonal system of all cuts. It is eliminated from both ends, so that the two
/// halves need not wait for each other; what is left is solved in the middle. Matrices by columns.
struct ChainCutState {
  Column D_inverse[3];           ///< while factoring: the block
  Column G[3], G_transposed[3];  ///< takes the right side of this cut to the next one towards the middle
  Column x;                      ///< right side, then solution
};

/// All cuts. Each thread has its own: solving them takes less time than waiting for who has.
struct alignas(64) ChainTop {
  std::vector<ChainCutState> states;  ///< as Chain::cuts; one more, whose x is zero
  SegmentRows cuts;
  int set = 0;  ///< of the segments, that this thread is at
};

struct ChainWorkspace {
  ChainWorkspace();
  /// @param width  lanes side by side, 4 or 8; a divisor of the number of segments
  ChainWorkspace(const Model& model, const Chain& chain, int width, int threads);
  ChainWorkspace(ChainWorkspace&&) noexcept;
  ChainWorkspace& operator=(ChainWorkspace&&) noexcept;
  ~ChainWorkspace();

  /// What a sweep down and the sweep up behind it show goes into one set; once all have met, each thread reads it,
  /// solves the cuts and goes on with the other set, while others may still read.
  SegmentRows sets[2];
  SegmentRows& segmentsFor(const ChainTop& top) noexcept { return sets[top.set]; }

  std::vector<ChainTop> tops;         ///< of each thread
  std::unique_ptr<ChainLanes> lanes;  ///< the places of all segments
};

}  // namespace tactus::rt
