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

  Symmetric6<T> N = readOwn(front);
  if constexpr (FreedomFront<T>::kStride == 1) {
    TACTUS_UNROLL
    for (int c = 0; c < 6; ++c) TACTUS_UNROLL
    for (int r = c + 1; r < 6; ++r) front.own[r * 6 + c] = N.m[r][c];
  }
  // M S, D and its factors, D^-1 S^T M: ali3p (43)
  Twist<T> U[kSize], V[kSize];
  T pivot[kSize * kSize];
  T least = minimum(joint.least - T(kLeastVolume), T(1.0));
  if constexpr (Freedoms > 0) {
    for (int i = 0; i < Freedoms; ++i) U[i] = N.times(turnAbout(joint.arm, joint.freedom[i]));
    for (int i = 0; i < Freedoms; ++i) {
      const Three<T> moment = momentAbout(joint.arm, U[i]);
      for (int j = i; j < Freedoms; ++j) pivot[i * kSize + j] = joint.freedom[j].dot(moment);
    }
    least = minimum(least, factorLdlt<kSize>(pivot, kSize));
    for (int i = 0; i < Freedoms; ++i)
      for (int j = i; j < Freedoms; ++j) front.set(front.numbers, at.pivot + i * kSize + j, pivot[i * kSize + j]);
    TACTUS_UNROLL
    for (int r = 0; r < 6; ++r) {
      T y[kSize];
      for (int i = 0; i < Freedoms; ++i) y[i] = component(U[i], r);
      T z[kSize];
      for (int i = 0; i < Freedoms; ++i) z[i] = y[i];
      solveLdlt<kSize>(pivot, kSize, z);
      for (int i = 0; i < Freedoms; ++i) {
        T* to = r < 3 ? &V[i].linear.x : &V[i].angular.x;
        to[r % 3] = z[i];
      }
    }
    // N, ali3p (43)
    TACTUS_UNROLL
    for (int c = 0; c < 6; ++c) TACTUS_UNROLL
    for (int r = c; r < 6; ++r)
      for (int i = 0; i < Freedoms; ++i) N.m[r][c] -= component(U[i], r) * component(V[i], c);
  }
  if (front.parent_at >= 0) {
    // X^T N X, ali3p (44): [A, B; B^T, C] becomes [A, B', C'] with B' = B - A [d] and C' = C - B^T [d] + [d] B'.
    const Three<T>& d = joint.shift;
    Three<T> row[3], b[3];
    for (int i = 0; i < 3; ++i) row[i] = Three<T>{N.at(i, 0), N.at(i, 1), N.at(i, 2)}.cross(d);
    Three<T> of_b[3];  // columns of B
    for (int j = 0; j < 3; ++j) of_b[j] = {N.m[3 + j][0], N.m[3 + j][1], N.m[3 + j][2]};
    b[0] = {of_b[0].x - row[0].x, of_b[0].y - row[1].x, of_b[0].z - row[2].x};  // columns of B'
    b[1] = {of_b[1].x - row[0].y, of_b[1].y - row[1].y, of_b[1].z - row[2].y};
    b[2] = {of_b[2].x - row[0].z, of_b[2].y - row[1].z, of_b[2].z - row[2].z};
    const Three<T> turned[3] = {d.cross(b[0]), d.cross(b[1]), d.cross(b[2])};
    const Three<T> crossed[3] = {of_b[0].cross(d), of_b[1].cross(d), of_b[2].cross(d)};
    double* to = front.update;
    const int p = front.parent_at, width = front.width;
    const auto write = [&](int i, int j, const T& value) noexcept { front.set(to, (p + i) * width + p + j, value); };
    TACTUS_UNROLL
    for (int i = 0; i < 3; ++i) {
      TACTUS_UNROLL
      for (int j = i; j < 3; ++j) write(i, j, N.at(i, j));
    }
    for (int j = 0; j < 3; ++j) {
      write(0, 3 + j, b[j].x);
      write(1, 3 + j, b[j].y);
      write(2, 3 + j, b[j].z);
    }
    write(3, 3, N.m[3][3] - crossed[0].x + turned[0].x);
    write(3, 4, N.m[4][3] - crossed[0].y + turned[1].x);
    write(3, 5, N.m[5][3] - crossed[0].z + turned[2].x);
    write(4, 4, N.m[4][4] - crossed[1].y + turned[1].y);
    write(4, 5, N.m[5][4] - crossed[1].z + turned[2].y);
    write(5, 5, N.m[5][5] - crossed[2].z + turned[2].z);
    for (int i = 0; i < Freedoms; ++i) {
      V[i] = passDown(d, V[i]);
      TACTUS_UNROLL
      for (int k = 0; k < 6; ++k)
        front.set(front.numbers, at.coupling + i * front.boundary + p + k, component(V[i], k));
    }
  }
  // The other columns of the boundary, ali3p (45).
  for (int c = 0; c < front.boundary && !front.isPure(); ++c) {
    if (front.isParent(c)) continue;
    const Twist<T> F = front.column(c);
    const Three<T> moment = momentAbout(joint.arm, F);
    T of_freedoms[kSize], solved[kSize];
    for (int i = 0; i < Freedoms; ++i) of_freedoms[i] = solved[i] = joint.freedom[i].dot(moment);
    if constexpr (Freedoms > 0) solveLdlt<kSize>(pivot, kSize, solved);
    for (int i = 0; i < Freedoms; ++i) front.set(front.numbers, at.coupling + i * front.boundary + c, solved[i]);
    if (front.parent_at >= 0) {
      Twist<T> down = passDown(joint.shift, F);
      for (int i = 0; i < Freedoms; ++i) down = down - of_freedoms[i] * V[i];
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
  return least;
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
    const CarriedArms<double> arms = rows.carried.armsOf(node.carrier);
    return withFreedoms(node, [&]<int Freedoms>() noexcept { return eliminateFreedoms<Freedoms>(front, arms) > 0; });
  }
  const FreedomFront<Quad> front(node, numbers);
  clear(front);
  for (int lane = 0; lane < kBatchLanes; ++lane)
    if (batch.has(lane)) assemble(plan, nodeIn(lane), scale, rows, tangent, numbers);
  gatherChildren(plan, batch, numbers);
  const CarriedArms<Quad> arms = rows.carried.armsOfBatch(node.carrier);
  const Quad least =
      withFreedoms(node, [&]<int Freedoms>() noexcept { return eliminateFreedoms<Freedoms>(front, arms); });
  bool positive = true;
  for (int lane = 0; lane < kBatchLanes; ++lane) positive = (!batch.has(lane) || least[lane] > 0) && positive;
  return positive;
}

}  // namespace tactus::rt
