#include "rt/mechanics/primitive_lanes.h"

#include "rt/model/model.h"

namespace tactus::rt {

PrimitiveLanes::PrimitiveLanes(const Primitive& p) : kind(p.kind), count(0), any_compliant(false) {
  for (int lane = 0; lane < kLanes; ++lane) setLane(p, lane);
}

void PrimitiveLanes::setLane(const Primitive& p, int lane) {
  const auto at = static_cast<std::size_t>(lane);
  body_1[at] = p.body_1;
  body_2[at] = p.body_2;
  row[at] = p.row;
  const auto set = [lane](const Vector3d& from, Vector& to) {
    for (int k = 0; k < 3; ++k) to[k].set(lane, from[k]);
  };
  set(p.s_1, s_1);
  set(p.s_2, s_2);
  set(p.a_1, a_1);
  set(p.a_2, a_2);
  set(p.b_1, b_1);
  set(p.b_2, b_2);
  length.set(lane, p.length);
  moves_1.set(lane, p.body_1 == kGround ? 0.0 : 1.0);
  moves_2.set(lane, p.body_2 == kGround ? 0.0 : 1.0);
}

std::vector<bool> compliantRows(const Model& model) {
  std::vector<bool> compliant(static_cast<std::size_t>(model.rows), false);
  for (const Joint& joint : model.joints)
    for (int k = 0; k < joint.row_count; ++k)
      compliant[static_cast<std::size_t>(joint.first_row + k)] = joint.compliant();
  return compliant;
}

}  // namespace tactus::rt
