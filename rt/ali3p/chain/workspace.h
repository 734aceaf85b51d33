// ChainWorkspace: the scratch of a step along the segments of a Chain. Worthless after the step. Each member says who
// writes it and who reads it.
#pragma once

#include "rt/ali3p/chain/segment_rows.h"
#include "rt/mechanics/kinematics.h"
#include "rt/plan/chain.h"

#include <memory>
#include <vector>

namespace tactus::rt {

class ChainLanes;

/// The numbers of a segment that its neighbors and the monitor read, as rows: compliances between its two end joints,
/// the motion of the end points without joint forces, and its share of violations, increments and powers.
enum SegmentRow : int {
  // Written by a sweep up, read by solveInterfaces().
  kYLeft = 0,
  kYRight = kYLeft + 6,
  kYAcross = kYRight + 6,        ///< left by right
  kPhysicalLeft = kYAcross + 9,  ///< trace of the compliance of the left end body alone
  kPhysicalRight,                ///< trace of the compliance of the right end body alone
  kELeft,
  kERight = kELeft + 3,
  kLowestMinor = kERight + 3,  ///< of the pivots of its joints; read by ChainSolver
  kLimited,                    ///< bodies whose geometric stiffness was limited; read by ChainSolver
  kInertiaGain,                ///< largest of its bodies in the tangent to be formed; read by ChainSolver
  // Written where bodies have moved: predict(), load(), sweepDown(), finish().
  kViolation,                   ///< squared, of its joints, by level; read by squaredViolation()
  kIncrement = kViolation + 3,  ///< squared, scaled, largest of its bodies; read by squaredIncrement()
  kDragPower,                   ///< W; written by finish(), read by ChainSolver
  kEndsLeft,                    ///< motion of the end points, by level; read by solveInterfaces()
  kEndsRight = kEndsLeft + 9,
  kSegmentRows = kEndsRight + 9
};

/// Numbers of the interfaces, as rows. Multipliers act on x_left - x_right. Beyond the last interface stand zeros.
enum InterfaceRow : int {
  kLambda = 0,                     ///< total; written by loadMultipliers() and solveInterfaces(), read by sweeps
  kLambdaIncrement = kLambda + 3,  ///< of the last solve; written by solveInterfaces(), read by sweeps down
  kIncrementRight = kLambdaIncrement + 3,  ///< increment of the next interface, likewise
  kEpsilon = kIncrementRight + 3,          ///< written and read by solveInterfaces()
  kJoined,                                 ///< 1, or 0 where there is no joint; written by the constructor
  kInterfaceRows
};

/// A 3-vector padded to four lanes; lane 3 is unspecified.
using Column = Lanes<4>;

/// An interface and its factor in the block-tridiagonal system of all interfaces. The elimination runs from both ends,
/// so that the two halves need not wait for each other, and ends in the middle. Matrices by columns. Written and read
/// by solveInterfaces().
struct InterfaceBlock {
  Column D_inverse[3];           ///< while factoring: the block
  Column G[3], G_transposed[3];  ///< takes the right side of this interface to the next one towards the middle
  Column x;                      ///< right side, then solution
};

/// All interfaces. Each thread has a copy: solving them takes less time than waiting for another thread.
struct alignas(64) InterfaceSystem {
  std::vector<InterfaceBlock> blocks;  ///< as Chain::interfaces; one more, whose x is zero
  SegmentRows rows;                    ///< see InterfaceRow
  int buffer = 0;                      ///< index of the one of ChainWorkspace::buffers that this thread uses now
};

struct ChainWorkspace {
  ChainWorkspace();
  /// @param width  lanes side by side, 4 or 8; a divisor of the number of segments
  ChainWorkspace(const Model& model, const Chain& chain, int width, int threads);
  ChainWorkspace(ChainWorkspace&&) noexcept;
  ChainWorkspace& operator=(ChainWorkspace&&) noexcept;
  ~ChainWorkspace();

  /// Two buffers of SegmentRow. A sweep down and the next sweep up write into one buffer. After the barrier each thread
  /// reads it, solves the interfaces and continues with the other buffer, while other threads may still read the first.
  SegmentRows buffers[2];
  SegmentRows& segmentsFor(const InterfaceSystem& interfaces) noexcept { return buffers[interfaces.buffer]; }

  std::vector<InterfaceSystem> systems;  ///< one a thread
  std::unique_ptr<ChainLanes> lanes;     ///< the elements of all segments
  /// One a body; of those that an actuator loads. Written by ChainSolver::finish(), which reads them for the power.
  std::vector<BodyMotion> motions;
};

}  // namespace tactus::rt
