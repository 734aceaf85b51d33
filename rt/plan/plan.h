// Plan: the elimination tree over bodies and joints, laid out before the run as a static schedule.
//
// One step solves, several times with one factor, the symmetric quasidefinite system
//
//   [ W^-1   H^T ] [ x       ]   [ rhs of bodies ]
//   [ H    -eps  ] [ dlambda ] = [ rhs of rows   ]
//
// Its block LDL^T exists for every order of the nodes {bodies, joints}; no pivoting. Eliminating a body turns its
// mass into compliances between the rows of its joints; eliminating a joint merges the compounds it connects
// ([DCA3] Eqs. (36)-(39) are this step in another notation).
#pragma once

#include "rt/model/model.h"
#include "rt/plan/chain.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tactus::rt {

enum class NodeKind : std::uint8_t {
  kLeafBody,  ///< a body that is eliminated before all of its joints
  kJoint,     ///< the rows of a joint
  kHubBody,   ///< a body that is eliminated after its joints to leaf bodies
};

/// One elimination. Its front is a dense symmetric matrix over its own unknowns, then those of its boundary.
struct PlanNode {
  NodeKind kind;
  int element;                   ///< body or joint index
  int size;                      ///< own unknowns: 6 for a body, the rows of a joint
  int unknown;                   ///< first own unknown in the vector of all unknowns
  int parent;                    ///< position in Plan::nodes of the node that takes its update, or -1
  int boundary_size;             ///< unknowns of later nodes that this elimination touches
  int first_boundary;            ///< into Plan::boundary_unknowns, `boundary_size` entries
  int first_target;              ///< into Plan::targets, `boundary_size` entries
  int first_child, child_count;  ///< into Plan::children
  int first_block, block_count;  ///< into Plan::blocks: Jacobian blocks that this front assembles
  std::size_t front;             ///< offset of the front in Workspace::fronts; its parts: see rt/ali3p/front.h

  int side() const noexcept { return size + boundary_size; }
  /// Numbers of a row over the boundary, and of the own block: whole vectors of four.
  int width() const noexcept { return (boundary_size + 3) / 4 * 4; }
  int ownDoubles() const noexcept { return (size * size + 3) / 4 * 4; }
  std::size_t frontDoubles() const noexcept {
    return static_cast<std::size_t>(ownDoubles() + (size + boundary_size) * width());
  }
};

/// Places one side of a joint's Jacobian into the front that assembles it: that of the body or of the joint, whichever
/// is eliminated first.
struct PlanBlock {
  int first_row;  ///< of the joint, among all rows
  int rows;
  int side;      ///< 0: body_1 of the joint, 1: body_2
  int position;  ///< where the block's boundary unknowns begin in the front
};

struct Plan {
  int bodies = 0, rows = 0;
  std::vector<PlanNode> nodes;         ///< in order of elimination, children before parents
  std::vector<int> boundary_unknowns;  ///< unknowns of each boundary, rising in order of elimination
  std::vector<int> targets;            ///< where each boundary unknown lies in the parent's front
  std::vector<int> children;
  std::vector<PlanBlock> blocks;
  std::size_t front_doubles = 0;
  int largest_width = 0;  ///< of a boundary
  int hubs = 0;
  int largest_front = 0;
  int levels = 0;  ///< height of the tree
  double factor_flops = 0, solve_flops = 0;
  std::optional<Chain> chain;  ///< the mechanism as lanes, if steps shall go along them instead of the nodes

  /// Unknowns are ordered: 6 for each body (translation, rotation, world axes), then all rows.
  int unknowns() const noexcept { return 6 * bodies + rows; }
};

enum class HubRule : std::uint8_t {
  kNone,      ///< every body before its joints
  kHubsLast,  ///< bodies with five joints or more after their joints to other bodies
};

enum class LaneRule : std::uint8_t {
  kNone,    ///< every mechanism by the nodes of its tree
  kChains,  ///< a chain as lanes
};

/// Floating-point operations of one elimination, and of its share of one solve.
double factorFlops(const PlanNode& node) noexcept;
double solveFlops(const PlanNode& node) noexcept;

/// Lays out the elimination of a model under a rule for its hubs. compilePlan() in rt/ali3p/compile_plan.h chooses.
Plan layOutPlan(const Model& model, HubRule rule);

}  // namespace tactus::rt
