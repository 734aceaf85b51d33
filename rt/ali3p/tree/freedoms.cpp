#include "rt/ali3p/tree/freedoms.h"

#include "rt/ali3p/tree/elimination.h"
#include "rt/ali3p/tree/freedom_front.h"

namespace tactus::rt {

namespace {

/// The elimination of a gathered front.
/// @returns the smallest pivot, or the volume of the normals if that is too small
template <int Freedoms, class T>
TACTUS_INLINE T eliminateFreedoms(const FreedomFront<T>& front, const CarriedArms<T>& arms) noexcept {
  constexpr int kSize = Freedoms > 0 ? Freedoms : 1;
  FreedomGeometry<T, Freedoms> joint;
  joint.form(arms);
  const FreedomNumbers at(Freedoms, front.boundary);
  front.set(front.numbers, at.sign, joint.sign);
  front.setThree(front.numbers, at.arm, joint.arm);
  front.setThree(front.numbers, at.shift, joint.shift);
  for (int i = 0; i < 3 - Freedoms; ++i) front.setThree(front.numbers, at.normals + 3 * i, joint.normal[i]);
  for (int i = 0; i < Freedoms; ++i) front.setThree(front.numbers, at.freedoms + 3 * i, joint.freedom[i]);

  const Symmetric6<T> M = readOwn(front);
  if constexpr (FreedomFront<T>::kStride == 1) {
    TACTUS_UNROLL
    for (int c = 0; c < 6; ++c) TACTUS_UNROLL
    for (int r = c + 1; r < 6; ++r) front.own[r * 6 + c] = M.at(r, c);
  }
  FreedomElimination<T, Freedoms> body;
  body.eliminate(joint, M);
  for (int i = 0; i < Freedoms; ++i)
    for (int j = i; j < Freedoms; ++j) front.set(front.numbers, at.pivot + i * kSize + j, body.pivot[i * kSize + j]);
  Twist<T> K[kSize];  // columns of K_a^T, ali3p (44)
  if (front.parent_at >= 0) {
    const Symmetric6<T> update = atCarrier(joint.shift, body.N);
    const int p = front.parent_at;
    TACTUS_UNROLL
    for (int i = 0; i < 6; ++i) {
      TACTUS_UNROLL
      for (int j = i; j < 6; ++j) front.set(front.update, (p + i) * front.width + p + j, update.at(i, j));
    }
    for (int i = 0; i < Freedoms; ++i) {
      K[i] = passDown(joint.shift, body.K[i]);
      TACTUS_UNROLL
      for (int k = 0; k < 6; ++k)
        front.set(front.numbers, at.coupling + i * front.boundary + p + k, component(K[i], k));
    }
  }
  // The other columns of the boundary, ali3p (45).
  for (int c = 0; c < front.boundary && !front.isPure(); ++c) {
    if (front.isParent(c)) continue;
    const Twist<T> F = front.column(c);
    const Three<T> moment = momentAbout(joint.arm, F);
    T of_freedoms[kSize], solved[kSize];
    for (int i = 0; i < Freedoms; ++i) of_freedoms[i] = solved[i] = joint.freedom[i].dot(moment);
    if constexpr (Freedoms > 0) solveLdlt<kSize>(body.pivot, kSize, solved);
    for (int i = 0; i < Freedoms; ++i) front.set(front.numbers, at.coupling + i * front.boundary + c, solved[i]);
    if (front.parent_at >= 0) {
      Twist<T> down = passDown(joint.shift, F);
      for (int i = 0; i < Freedoms; ++i) down = down - of_freedoms[i] * K[i];
      for (int k = 0; k < 6; ++k) front.set(front.update, front.placeOf(front.parent_at + k, c), component(down, k));
    }
    if constexpr (Freedoms > 0)
      for (int other = 0; other <= c; ++other) {
        if (front.isParent(other)) continue;
        T sum = front.get(front.update, other * front.width + c);
        for (int i = 0; i < Freedoms; ++i)
          sum -= front.get(front.numbers, at.coupling + i * front.boundary + other) * of_freedoms[i];
        front.set(front.update, other * front.width + c, sum);
      }
  }
  return body.least;
}

/// Masses and Jacobians of one lane, `stride` apart.
void assemble(const Plan& plan, const PlanNode& node, double scale, const TreeRows& rows, const TreeTangent& tangent,
              double* fronts) noexcept {
  const int stride = node.stride;
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(node.element)];
  const double inverse = 1.0 / scale;
  double* own = fronts + node.front;
  for (int k = 0; k < 3; ++k) {
    own[stride * (k * 6 + k)] = t.m_hat * inverse;
    for (int r = k; r < 3; ++r) own[stride * ((3 + k) * 6 + 3 + r)] = t.J_hat(r, k) * inverse;
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int k = 0; k < 6; ++k)
        fronts[node.coupling + static_cast<std::size_t>(stride * (k * node.width + block.position - 6 + row))] =
            rows.jacobian[static_cast<std::size_t>(block.first_row + row * block.step)].h[block.side][k];
  }
}

/// Zero in the own block; and in the coupling and the update if the boundary is more than the carrying body.
template <class T>
TACTUS_INLINE void clear(const FreedomFront<T>& front) noexcept {
  const T zero(0.0);
  double* const end = front.isPure() ? front.own + FreedomFront<T>::kStride * 36
                                     : front.update + FreedomFront<T>::kStride * front.boundary * front.width;
  if constexpr (FreedomFront<T>::kStride == 1)
    for (double* to = front.own; to < end; to += 4) store(Quad(0.0), to);
  else
    for (double* to = front.own; to < end; to += kBatchLanes) store(zero, to);
}

}  // namespace

bool factorFreedoms(const Plan& plan, const PlanBatch& batch, double scale, const TreeRows& rows,
                    const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  double* numbers = fronts.symmetric.data();
  const auto nodeIn = [&](int lane) noexcept -> const PlanNode& {
    return plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
  };
  const PlanNode& node = nodeIn(0);
  if (batch.alone()) {
    const FreedomFront<double> front(node, numbers);
    clear(front);
    assemble(plan, node, scale, rows, tangent, numbers);
    gatherChildren(plan, batch, numbers);
    const CarriedArms<double> arms = rows.points.armsOf(node.carrier);
    return withFreedoms(node, [&]<int Freedoms>() noexcept { return eliminateFreedoms<Freedoms>(front, arms) > 0; });
  }
  const FreedomFront<Quad> front(node, numbers);
  clear(front);
  for (int lane = 0; lane < kBatchLanes; ++lane)
    if (batch.has(lane)) assemble(plan, nodeIn(lane), scale, rows, tangent, numbers);
  gatherChildren(plan, batch, numbers);
  const CarriedArms<Quad> arms = rows.points.armsOfBatch(node.carrier);
  const Quad least =
      withFreedoms(node, [&]<int Freedoms>() noexcept { return eliminateFreedoms<Freedoms>(front, arms); });
  bool positive = true;
  for (int lane = 0; lane < kBatchLanes; ++lane) positive = (!batch.has(lane) || least[lane] > 0) && positive;
  return positive;
}

}  // namespace tactus::rt
