// Forest: the bodies of a mechanism that are eliminated by the freedoms of the joint that carries them, in place of its
// rows. Which joints can do so, and the forests among which a plan chooses.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/joint.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// The joint that carries each body, or -1: the body is a root, or all of its joints stay rows. Empty: no body is
/// carried.
using Forest = std::vector<int>;

/// The determinant of the Gram matrix of the normals of a joint's rotation rows at the declared state, below which the
/// motion subspace counts as degenerate. For the joints of elements.h it is 1 at every consistent state.
inline constexpr double kLeastNormals = 0.25;

/// Whether a joint can be eliminated by its freedoms: rigid rows between two different bodies, a point, then up to
/// three dot-1 rows whose normals are independent at the declared state. A driven or compliant joint stays rows, and so
/// does a degenerate one: rows have a regularization, freedoms have none.
bool hasFreedoms(const Model& model, const Joint& joint);

enum class ForestRule : std::uint8_t {
  kTrees,     ///< what hangs on the rest of the mechanism by a single joint
  kSpanning,  ///< a spanning forest; the joints that close its loops stay rows
};

/// Of the joints with `least_rows` rows or more that have freedoms; joints with many rows come first, then those of the
/// file. Deterministic. Roots are ground, or the body with the most joints.
Forest findForest(const Model& model, ForestRule rule, int least_rows);

/// Bodies of a forest, children before the bodies that carry them: by depth, then in file order.
std::vector<int> carriedBodies(const Model& model, const Forest& forest);

/// The body that carries `body` by a joint, or kGround.
inline int carrierOf(const Joint& joint, int body) noexcept {
  return joint.body_1 == body ? joint.body_2 : joint.body_1;
}

}  // namespace tactus::rt
