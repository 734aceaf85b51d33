// Scratch of a step along the segments of a Chain that does not depend on how many of them go side by side.
#pragma once

#include "rt/ali3p/segment_rows.h"
#include "rt/plan/chain.h"

#include <memory>
#include <vector>

namespace tactus::rt {

class ChainLanes;

/// What a segment shows to its neighbours, as rows: compliances between its two end joints and the motion that it would
/// have there without them; and what it adds to the monitor's numbers.
enum SegmentRow : int {
  kYLeft = 0,
  kYRight = kYLeft + 6,
  kYAcross = kYRight + 6,  ///< left by right
  // Traces of the compliances of its end bodies alone.
  kPhysicalLeft = kYAcross + 9,
  kPhysicalRight,
  kELeft,
  kERight = kELeft + 3,
  kViolation = kERight + 3,     ///< squared, of its joints, by level
  kIncrement = kViolation + 3,  ///< squared, scaled, largest of its bodies
  kLowestMinor,                 ///< of the pivots of its joints
  kDragPower,                   ///< W
  kLimited,                     ///< bodies whose geometric stiffness was limited
  kEnds,                        ///< see endRow()
  kSegmentRows = kEnds + 2 * 18
};

/// Motion of the end points of a segment at a level, as far as it was evaluated. Of two sets one is valid, see
/// ChainTop::valid; the other is being written while some may still read.
constexpr int endRow(int set, bool right, int level) noexcept {
  return kEnds + 18 * set + (right ? 9 : 0) + 3 * level;
}

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
struct ChainTop {
  std::vector<ChainCutState> states;  ///< as Chain::cuts; one more, whose x is zero
  SegmentRows cuts;
  int valid = 0;  ///< set of the ends of segments
};

struct ChainWorkspace {
  ChainWorkspace();
  /// @param width  lanes side by side, 4 or 8; a divisor of the number of segments
  ChainWorkspace(const Model& model, const Chain& chain, int width, int threads);
  ChainWorkspace(ChainWorkspace&&) noexcept;
  ChainWorkspace& operator=(ChainWorkspace&&) noexcept;
  ~ChainWorkspace();

  SegmentRows segments;
  std::vector<ChainTop> tops;         ///< of each thread
  std::unique_ptr<ChainLanes> lanes;  ///< the places of all segments
};

}  // namespace tactus::rt
