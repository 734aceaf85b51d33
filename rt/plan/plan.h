// Plan: the elimination tree over bodies and joints, laid out before the run as a static schedule.
//
// One step solves, several times with one factor, the symmetric quasidefinite system
//
//   [ W^-1   H^T ] [ x       ]   [ rhs of bodies ]
//   [ H    -eps  ] [ dlambda ] = [ rhs of rows   ]
//
// Its block LDL^T exists for every order of the nodes {bodies, joints}; no pivoting. Eliminating a body turns its
// mass into compliances between the rows of its joints; eliminating a joint merges the compounds that it connects.
// [DCA3] Eqs. (36)-(39) are this elimination in another notation.
#pragma once

#include "rt/plan/chain.h"
#include "rt/plan/forest.h"
#include "rt/plan/forest_groups.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tactus::rt {

struct Model;

/// Nodes of one shape that are eliminated side by side.
inline constexpr int kBatchLanes = 4;

enum class NodeKind : std::uint8_t {
  kLeafBody,  ///< a body that is eliminated before all of its joints
  kJoint,     ///< the rows of a joint
  kHubBody,  ///< a body that is eliminated after its joints to leaf bodies, or after bodies on freedoms that it carries
  kFreedomBody,  ///< a body with all rows of the joint that carries it, by the freedoms of the joint
};

/// One elimination. Its front is a dense symmetric matrix over its own unknowns, then those of its boundary.
struct PlanNode {
  NodeKind kind;
  int element;                   ///< body index, or that of the first joint
  int joint_count;               ///< joints whose rows it eliminates: one, or several of one row each
  int size;                      ///< own unknowns: 6 for a body, the rows of a joint
  int unknown;                   ///< first own unknown in the vector of all unknowns
  int part;                      ///< into Plan::parts
  int parent;                    ///< position in Plan::nodes of the node that takes its update, or -1
  int boundary_size;             ///< unknowns of later nodes that this elimination touches
  int first_boundary;            ///< into Plan::boundary_unknowns, `boundary_size` entries
  int first_target;              ///< into Plan::targets, `boundary_size` entries
  int first_child, child_count;  ///< into Plan::children
  int first_block, block_count;  ///< into Plan::blocks: Jacobian blocks that this front assembles
  int first_row_offset;          ///< of a leaf body, into Plan::row_offsets, `width` entries
  std::size_t front;             ///< offset of the front in TreeFronts::symmetric, see rt/ali3p/tree/front.h
  std::size_t coupling, update;  ///< offsets of two parts of the front there
  std::size_t back;              ///< and of L for the back substitution, where backWidth() is above zero
  std::size_t square_front;      ///< offset of the unsymmetric front in TreeFronts::square
  int stride;                    ///< from one number of the front to the next: 1, or kBatchLanes in a batch
  int width;                     ///< numbers of a row over the boundary; whole vectors for a node alone
  int link_body, link_joint;     ///< children of a link: a joint alone of six rows in a line of such joints, whose
                                 ///< children are the body before it, which meets it and the next joint, and the joint
                                 ///< behind that body, or -1. Both are -1 for a node that is no link
  std::size_t link;              ///< of a link, or of a leaf body alone between two joints of six rows: offset of the
                                 ///< numbers of rt/ali3p/tree/links.h in TreeFronts::symmetric, else 0
  // Of a body on freedoms, else zero or -1. Its rows are no unknowns of the front.
  int carrier;           ///< the joint
  int rows;              ///< of the joint
  int row_unknown;       ///< the first of them in the vector of all unknowns
  int body_side;         ///< of the body in the rows: 0 if it is body_1 of the joint, else 1
  int parent_at;         ///< where the six unknowns of the carrying body begin in the boundary; -1 on ground
  std::size_t freedoms;  ///< offset of the numbers of FreedomNumbers in TreeFronts::symmetric

  int side() const noexcept { return size + boundary_size; }
  std::size_t frontDoubles() const noexcept {
    return update - front + static_cast<std::size_t>(stride * boundary_size * width);
  }
  /// Numbers of a row of L for the back substitution of a node alone, see Front::back_block; zero if it has none.
  static constexpr int backWidth(int size) noexcept { return size > 2 ? (size + 3) / 4 * 4 : 0; }
  int backWidth() const noexcept { return kind != NodeKind::kFreedomBody && stride == 1 ? backWidth(size) : 0; }
  /// A body on freedoms alone that meets nothing but the body that carries it.
  bool isLone() const noexcept {
    return kind == NodeKind::kFreedomBody && stride == 1 && boundary_size == 6 && parent_at == 0;
  }
  /// Numbers of a row of the unsymmetric front: own unknowns, then whole vectors of the boundary.
  int squareWidth() const noexcept { return size + (boundary_size + 3) / 4 * 4; }
  std::size_t squareDoubles() const noexcept { return static_cast<std::size_t>(side() * squareWidth()); }
};

/// Nodes that are eliminated together: one alone, or two to four of one shape in lanes (see rt/plan/batches.h).
struct PlanBatch {
  std::array<int, kBatchLanes> lanes;  ///< nodes; an empty lane repeats the node of another lane, without effect
  int filled;                          ///< bit l is set if lane l has a node of its own
  int offset;          ///< of the first own unknown; own unknowns of a batch are stored lane beside lane
  int first_boundary;  ///< into Plan::boundary_offsets: an entry for each boundary unknown; for a node
                       ///< alone an entry for four boundary unknowns, padded to PlanNode::width with
                       ///< an unused offset
  int first_addition;  ///< into Plan::additions
  int quads, singles;  ///< additions of four numbers, then of one
  int first_row;       ///< of bodies on freedoms: offset of the first row of their joints, lanes beside each other
  int parent_offset, parent_step;  ///< of a body on freedoms alone: where the six unknowns of the carrying body are
  int scratch;  ///< and of as many numbers as the joints have freedoms, which a solve keeps on its way down

  bool alone() const noexcept { return filled == 1; }
  bool has(int lane) const noexcept { return (filled >> lane & 1) != 0; }
};

/// Where the lanes of a batch find one of their boundary unknowns, or a node alone four of its boundary unknowns.
struct BoundaryOffsets {
  enum class Kind : std::uint8_t {
    kBeside,  ///< side by side from offset[0] on, empty lanes included
    kShared,  ///< all four lanes have offset[0]
    kHalves,  ///< of a full batch: lanes 0 and 1 have offset[0], lanes 2 and 3 offset[2]
    kApart,   ///< each lane has its own offset
    kPairs,   ///< of a node alone: two side by side from offset[0] on, two from offset[2] on
  };
  Kind kind;
  std::uint8_t count;  ///< of a node alone: boundary unknowns among the four, the others are padding
  std::array<int, kBatchLanes> offset;
};

/// Where a link, or a body between two joints of six rows, finds its unknowns: six from each offset on.
struct LinkPlace {
  int own;
  int near, far;        ///< of the boundary, six unknowns each; a link has no far ones
  int body;             ///< of the Model, or -1
  std::size_t numbers;  ///< PlanNode::link
};

/// What the kernels of a body on freedoms read that is alone and meets nothing but the body that carries it
/// (rt/ali3p/tree/lone_freedoms.h).
struct LoneFreedoms {
  int own, row;               ///< offset of its six unknowns, and of the rows of its joint
  int carrier, carrier_step;  ///< offset of the six unknowns of the carrying body, and from one to the next
  int scratch;                ///< offset of as many numbers as the joint has freedoms
  int freedoms;               ///< of the joint
  int joint, body, batch;     ///< of the Model; of the Plan
  std::size_t numbers;        ///< of LoneNumbers in TreeFronts::symmetric
  std::size_t carrier_mass;   ///< there: mass of the carrying body if that is one of them, too, else 0
  std::size_t front, update;  ///< there: of the front
};

/// Batches that follow each other and go through one kernel in a solve.
struct PlanRun {
  enum class Kind : std::uint8_t { kBatches, kLinks, kLinkBodies, kLone };
  Kind kind;
  int first, count;  ///< into Plan::batches, Plan::links or Plan::lone
};

/// A part of the tree: a unit, which is some of its subtrees, or the trunk, which is all that lies above the units.
/// Units do not meet each other, so that each can be a thread's own. What a unit gives to unknowns of the trunk it sums
/// up in ports, numbers of its own, and the ports of all units are added in the order of the units: whoever computes a
/// unit, the bits are the same. See rt/plan/units.h.
struct PlanPart {
  int first_batch, batch_count;    ///< Plan::batches
  int first_run, run_count;        ///< Plan::runs
  int first_lone, lone_count;      ///< Plan::lone
  int first_move, move_count;      ///< Plan::moves
  int first_port, port_count;      ///< of a unit, Plan::ports
  int port_offset;                 ///< of a unit: of its first port in the vector of a solve
  int first_update, update_count;  ///< of a unit, Plan::updates
  double cost;                     ///< operations of one factorization and five solves
};

/// One to six unknowns of a body or of the rows of a joint, in a batch those of each lane; and their place in the
/// vector of a solve, where they lie one behind the other, or lane beside lane.
struct PlanMove {
  std::array<int, kBatchLanes> unknowns;  ///< the first one of each lane, -1 in an empty lane; of a node alone one
  int offset, count;
  bool in_lanes, of_body;
};

/// Numbers of TreeFronts::symmetric that follow each other.
struct FrontSpan {
  std::size_t first, count;
};

/// Places one side of the Jacobian of a node's joints into the front that assembles it: the front of the body or of the
/// joint, whichever is eliminated first.
struct PlanBlock {
  int first_row;  ///< of the Jacobian: first row of the joint, or behind all rows that of an extra body pair
  int rows;
  int step;      ///< from one row to the next in the Jacobian
  int side;      ///< 0: body_1 of the joint or pair, 1: body_2
  int position;  ///< where the block's boundary unknowns begin in the front
};

/// Moves one number of TreeFronts::symmetric, or four neighbors: from a child's update to the front of its parent.
struct FrontAddition {
  int from, to;
};

struct Plan {
  int bodies = 0, rows = 0;
  std::vector<PlanNode> nodes;     ///< in order of elimination, children before parents
  std::vector<PlanBatch> batches;  ///< the nodes in lanes, in order of elimination
  std::vector<PlanRun> runs;       ///< all batches, in order
  std::vector<LinkPlace> links;    ///< of the runs of links and of link bodies
  std::vector<LoneFreedoms> lone;  ///< of the runs of bodies on freedoms that are alone
  std::vector<PlanPart> parts;     ///< the units, then the trunk; without units the trunk is all of the plan
  std::vector<PlanMove> moves;     ///< all unknowns once, part by part
  std::vector<int> ports;          ///< of each port: offset of its unknown of the trunk
  std::vector<FrontSpan> updates;  ///< of each unit: what fronts of the trunk add from its fronts
  std::vector<int> part_of_body, part_of_joint;  ///< into `parts`; of a joint: that of the node with its rows
  std::vector<int> boundary_unknowns;            ///< unknowns of each boundary, rising in order of elimination
  std::vector<int> boundary_places;  ///< of each of them: its offset, or that of the port that stands for it
  std::vector<BoundaryOffsets> boundary_offsets;
  std::vector<int> offsets;  ///< of each unknown: its place in the vector of a solve, where lanes lie side by side
  std::vector<int> unused;   ///< offsets without an unknown, in empty lanes
  int permuted_size = 0;     ///< numbers of that vector
  bool in_place = false;     ///< every node stands alone: the offset of an unknown is its index
  std::vector<int> targets;  ///< where each boundary unknown lies in the parent's front
  std::vector<FrontAddition> additions;  ///< `targets` as sums: of each batch, in the order of its children
  std::vector<int> row_offsets;  ///< of each boundary row: offset of a leaf body's side in the Jacobian, in numbers
  std::vector<int> children;
  std::vector<PlanBlock> blocks;
  std::size_t front_doubles = 0, square_doubles = 0;
  int hubs = 0;
  int largest_front = 0;
  int levels = 0;  ///< height of the tree
  double factor_flops = 0, solve_flops = 0;
  std::optional<Chain> chain;          ///< the mechanism as lanes, if steps may go along lanes instead of nodes
  std::optional<ForestGroups> forest;  ///< the same of a mechanism whose joints all carry a body by their freedoms

  int units() const noexcept { return static_cast<int>(parts.size()) - 1; }
  const PlanPart& trunk() const noexcept { return parts.back(); }

  /// Unknowns are ordered: 6 for each body (translation, rotation, world axes), then all rows.
  int unknowns() const noexcept { return 6 * bodies + rows; }
};

enum class HubRule : std::uint8_t {
  kNone,      ///< every body before its joints
  kHubsLast,  ///< bodies with five joints or more after their joints to other bodies
};

enum class LaneRule : std::uint8_t {
  kNone,  ///< every mechanism by the nodes of its tree
  kAll,   ///< a chain or a forest as lanes
};

enum class FreedomRule : std::uint8_t {
  kNone,      ///< every joint by its rows
  kCheapest,  ///< bodies by the freedoms of their joints where that costs less
};

enum class UnitRule : std::uint8_t {
  kNone,   ///< the plan is one part
  kUnits,  ///< units for threads, where a mechanism is large and falls into subtrees
};

/// Numbers of a body on freedoms behind its front, see FreedomNumbers in rt/ali3p/tree/freedoms.h and, of one alone,
/// LoneNumbers in rt/ali3p/tree/lone_freedoms.h.
std::size_t freedomNumbers(const PlanNode& node) noexcept;

/// Numbers of a body on freedoms that is alone, at most: LoneNumbers in rt/ali3p/tree/lone_freedoms.h.
inline constexpr std::size_t kLoneNumbers = 244;

/// Numbers of a link or a link body behind all fronts: LinkNumbers and LinkBodyNumbers in rt/ali3p/tree/links.h.
inline constexpr std::size_t kLinkNumbers = 3 * 6 * 6, kLinkBodyNumbers = 2 * 6 * 12;

/// Floating-point operations of one elimination, and of its share of one solve.
double factorFlops(const PlanNode& node) noexcept;
double solveFlops(const PlanNode& node) noexcept;

/// Lays out the elimination of a model under a rule for its hubs. compilePlan() in rt/ali3p/compile_plan.h chooses.
/// @param forest  the bodies that are eliminated by the freedoms of a joint, see rt/plan/forest.h; empty: none
/// @param units   whether the tree is divided for threads, which may cost one thread a twentieth of its operations
Plan layOutPlan(const Model& model, HubRule rule, const Forest& forest = {}, UnitRule units = UnitRule::kNone);

}  // namespace tactus::rt
