// The elements of a Chain as lanes: each lane of a vector holds a segment, so that one sequence of vector operations
// works on several segments. Segments that share vectors are a lane group. Storage is
// [lane group][station][quantity][lane].
//
// Two sweeps make a solve. Up: merges the elements of each segment into one compound. Down: finds the multipliers
// inside the segments from those at their ends, moves the bodies, and evaluates what the next solve needs. Between the
// sweeps the compounds of all segments meet in interfaces.h.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/state/state.h"

#include <memory>

namespace tactus::rt {

/// The tangent that a sweep up works with.
enum class TangentUse {
  kKept,       ///< the one last formed
  kTried,      ///< the one last formed; restoreBeta() may follow
  kPredicted,  ///< to be formed where the bodies have been predicted
  kMoved,      ///< to be formed where the bodies are now, while their positions are being solved
  kPlaced      ///< to be formed where the bodies are, once their positions are solved: without inertiaGain()
};

/// The kernels of all lane groups, behind one interface for every width. Results are the same for every width, because
/// no operation combines lanes.
class ChainLanes {
 public:
  virtual ~ChainLanes() = default;

  /// Segments of a lane group.
  virtual int width() const noexcept = 0;

  /// Loads the motion of the bodies of a lane group from State as it stands, and evaluates what a velocity projection
  /// needs.
  /// @rt no allocation, no throw, fixed work
  virtual void load(const ChainContext& context, int lane_group, const State& from,
                    const InterfaceSystem& interfaces) noexcept = 0;

  /// Predicts the end of the step from State, and evaluates what the first Newton solve needs.
  /// @rt no allocation, no throw, fixed work
  /// @source [DCA3] section 3.1
  virtual void predict(const ChainContext& context, int lane_group, const State& from,
                       const InterfaceSystem& interfaces) noexcept = 0;

  /// Merges the elements of a lane group's segments for one solve.
  /// @param with_bodies  the bodies have a right side; else only the rows have one
  /// @param leak         factor of eps lambda on the right side, ali3p (15); only with a new tangent
  /// @rt no allocation, no throw, fixed work except for bodies whose geometric stiffness has to be limited
  /// @source [DCA3] Eqs. (36)-(39) with six increments a body; rt/doc/ali3p.md section 10
  virtual void sweepUp(const ChainContext& context, int lane_group, TangentUse tangent, bool with_bodies, double leak,
                       const InterfaceSystem& interfaces) noexcept = 0;

  /// Restores LaneIterate::beta of the joints inside a lane group's segments to the value before a sweep up with
  /// kTried, which can then be done once more.
  /// @rt no allocation, no throw, fixed work
  virtual void restoreBeta(int lane_group) noexcept = 0;

  /// Applies the solution at level `solved`, position or velocity, to a lane group and evaluates what a solve at level
  /// `next` needs.
  /// @rt no allocation, no throw, fixed work
  virtual void sweepDown(const ChainContext& context, int lane_group, Level solved, Level next,
                         const InterfaceSystem& interfaces) noexcept = 0;

  /// Applies the solution of the accelerations, the last one; writes the lane group's bodies and inner multipliers to
  /// State; sums up the power of its drags.
  /// @rt no allocation, no throw, fixed work
  virtual void finish(const ChainContext& context, int lane_group, const InterfaceSystem& interfaces,
                      State& to) noexcept = 0;

  /// Motion of one body except for R: orientation of the principal axes, position, velocities after finish().
  struct Motion {
    Vector4d p;
    Vector3d r, v, omega_w;
  };
  virtual Motion motionAt(int segment, int station) const noexcept = 0;
};

/// The elements of a chain in four or eight lanes.
/// @throws Error if this machine cannot run the width
std::unique_ptr<ChainLanes> makeChainLanes(const Chain& chain, int width);

/// The widest lanes that the number of segments and this machine allow.
int widestLanes(const Chain& chain) noexcept;

// One function a width; each is compiled for its own instruction set.
std::unique_ptr<ChainLanes> makeFourLanes(const Chain& chain);
std::unique_ptr<ChainLanes> makeEightLanes(const Chain& chain);

}  // namespace tactus::rt
