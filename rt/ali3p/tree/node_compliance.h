// The compliance of the joints of a node. Apart from front.h, so that the kernels that need no joint do not depend on
// the Model.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Calls f(column, row, compliance) for the own block of joints; what is left out is zero.
/// @tparam Whole  both triangles, else the lower one
template <bool Whole, class F>
TACTUS_INLINE void forEachCompliance(const Model& model, const PlanNode& node, const TreeTangent& tangent,
                                     F&& f) noexcept {
  int first = 0;
  for (int i = 0; i < node.joint_count; ++i) {
    const Joint& joint = model.joints[static_cast<std::size_t>(node.element + i)];
    const int count = joint.row_count;
    if (joint.compliant()) {
      const Matrix6d& E = tangent.compliance[static_cast<std::size_t>(joint.law_index)];
      for (int k = 0; k < count; ++k)
        for (int r = Whole ? 0 : k; r < count; ++r) f(first + k, first + r, E(r, k));
    } else {
      const double* epsilon = tangent.epsilon.data() + joint.first_row;
      for (int k = 0; k < count; ++k) f(first + k, first + k, epsilon[k]);
    }
    first += count;
  }
}

}  // namespace tactus::rt
