#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

bool sameStructure(const Model& a, const Model& b) noexcept {
  const auto equal = [](const auto& left, const auto& right, auto&& same) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
  };
  return a.rows == b.rows && a.displacements == b.displacements && a.body_names == b.body_names &&
         a.joint_names == b.joint_names && a.actuator_names == b.actuator_names && a.sensor_names == b.sensor_names &&
         a.internal_states == b.internal_states && a.drives.size() == b.drives.size() &&
         a.drags.size() == b.drags.size() && a.slip_tyres.size() == b.slip_tyres.size() &&
         a.frictions.size() == b.frictions.size() && a.powertrains.size() == b.powertrains.size() &&
         a.springs.size() == b.springs.size() &&
         equal(a.joints, b.joints,
               [](const Joint& x, const Joint& y) {
                 return x.kind == y.kind && x.body_1 == y.body_1 && x.body_2 == y.body_2 &&
                        x.first_row == y.first_row && x.row_count == y.row_count && x.displacement == y.displacement &&
                        x.law == y.law && x.law_index == y.law_index;
               }) &&
         equal(a.primitives, b.primitives,
               [](const Primitive& x, const Primitive& y) { return x.kind == y.kind && x.row == y.row; }) &&
         equal(a.extra_body_pairs, b.extra_body_pairs,
               [](const BodyPair& x, const BodyPair& y) { return x.body_1 == y.body_1 && x.body_2 == y.body_2; }) &&
         equal(a.compliant_laws, b.compliant_laws, [](const CompliantLaw& x, const CompliantLaw& y) {
           return x.rows == y.rows && x.tyre == y.tyre && x.spring == y.spring;
         });
}

}  // namespace tactus::rt
