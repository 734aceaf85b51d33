// The two substitutions of bodies on freedoms.
#include "rt/ali3p/tree/freedom_front.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/math/small_solve.h"

namespace tactus::rt {

namespace {

/// Everything of a solve that both substitutions use.
template <class T, int Freedoms>
struct FreedomSolve {
  static constexpr int kSize = Freedoms > 0 ? Freedoms : 1;
  const FreedomFront<T> front;
  const FreedomNumbers at;
  const Plan& plan;
  const PlanBatch& batch;
  double* const permuted;
  T sign;
  Three<T> arm;

  FreedomSolve(const Plan& the_plan, const PlanBatch& the_batch, const TreeFronts& fronts, double* values) noexcept
      : front(the_plan.nodes[static_cast<std::size_t>(the_batch.lanes[0])],
              const_cast<double*>(fronts.symmetric.data())),  // read only
        at(Freedoms, front.boundary),
        plan(the_plan),
        batch(the_batch),
        permuted(values),
        sign(front.get(front.numbers, at.sign)),
        arm(front.getThree(front.numbers, at.arm)) {}

  TACTUS_INLINE T own(int k) const noexcept { return front.get(permuted + batch.offset, k); }
  TACTUS_INLINE T row(int k) const noexcept { return front.get(permuted + batch.first_row, k); }
  TACTUS_INLINE Twist<T> ownTwist() const noexcept { return {{own(0), own(1), own(2)}, {own(3), own(4), own(5)}}; }
  TACTUS_INLINE T numbers(int i) const noexcept { return front.get(front.numbers, i); }
  TACTUS_INLINE Three<T> freedom(int i) const noexcept { return front.getThree(front.numbers, at.freedoms + 3 * i); }

  /// w: the motion that the right sides of the rows ask for, ali3p (42).
  TACTUS_INLINE Twist<T> particular() const noexcept {
    const Three<T> point = sign * Three<T>{row(0), row(1), row(2)};
    if constexpr (Freedoms == 3) return {point, {T(0.0), T(0.0), T(0.0)}};
    Three<T> rotation = row(3) * front.getThree(front.numbers, at.normals);
    for (int i = 1; i < 3 - Freedoms; ++i)
      rotation = rotation + row(3 + i) * front.getThree(front.numbers, at.normals + 3 * i);
    return {point + arm.cross(rotation), rotation};
  }

  /// A boundary unknown.
  TACTUS_INLINE T boundary(int c) const noexcept {
    if constexpr (FreedomFront<T>::kStride == 1) {
      return permuted[plan.boundary_offsets[static_cast<std::size_t>(batch.first_boundary + c / 4)]
                          .offset[static_cast<std::size_t>(c % 4)]];
    } else {
      const BoundaryOffsets& from = plan.boundary_offsets[static_cast<std::size_t>(batch.first_boundary + c)];
      const auto& s = from.offset;
      switch (from.kind) {
        case BoundaryOffsets::Kind::kBeside: return load(permuted + s[0]);
        case BoundaryOffsets::Kind::kShared: return Quad(permuted[s[0]]);
        default: return Quad(Quad::Vector{permuted[s[0]], permuted[s[1]], permuted[s[2]], permuted[s[3]]});
      }
    }
  }
  TACTUS_INLINE void addToBoundary(int c, const T& value) const noexcept {
    if constexpr (FreedomFront<T>::kStride == 1) {
      permuted[plan.boundary_offsets[static_cast<std::size_t>(batch.first_boundary + c / 4)]
                   .offset[static_cast<std::size_t>(c % 4)]] += value;
    } else {
      const BoundaryOffsets& to = plan.boundary_offsets[static_cast<std::size_t>(batch.first_boundary + c)];
      const auto& s = to.offset;
      switch (to.kind) {
        case BoundaryOffsets::Kind::kBeside: store(load(permuted + s[0]) + value, permuted + s[0]); break;
        case BoundaryOffsets::Kind::kShared: permuted[s[0]] += sumOf(value); break;
        default:
          for (int lane = 0; lane < kBatchLanes; ++lane)
            if (batch.has(lane)) permuted[s[static_cast<std::size_t>(lane)]] += value[lane];
          break;
      }
    }
  }

  TACTUS_INLINE void forward() const noexcept {
    const Twist<T> w = particular();
    const Twist<T> left = ownTwist() - ownTimes(front, w);
    const Three<T> moment = momentAbout(arm, left);
    T s[kSize];
    for (int i = 0; i < Freedoms; ++i) {
      s[i] = freedom(i).dot(moment);
      front.set(permuted + batch.scratch, i, s[i]);
    }
    // ali3p (46)
    if (front.parent_at >= 0) {
      const Twist<T> down = passDown(front.getThree(front.numbers, at.shift), left);
      TACTUS_UNROLL
      for (int k = 0; k < 6; ++k) {
        T sum = component(down, k);
        for (int i = 0; i < Freedoms; ++i)
          sum -= numbers(at.coupling + i * front.boundary + front.parent_at + k) * s[i];
        if constexpr (FreedomFront<T>::kStride == 1)
          permuted[batch.parent_offset + k * batch.parent_step] += sum;
        else
          addToBoundary(front.parent_at + k, sum);
      }
    }
    for (int c = 0; c < front.boundary && !front.isPure(); ++c) {
      if (front.isParent(c)) continue;
      T sum = -front.column(c).dot(w);
      for (int i = 0; i < Freedoms; ++i) sum -= numbers(at.coupling + i * front.boundary + c) * s[i];
      addToBoundary(c, sum);
    }
  }

  template <bool WithRows>
  TACTUS_INLINE void back() const noexcept {
    const Twist<T> y = ownTwist();
    Twist<T> x = particular(), load = y;
    T q[kSize];
    if constexpr (Freedoms > 0) {
      for (int i = 0; i < Freedoms; ++i) q[i] = front.get(permuted + batch.scratch, i);
      T pivot[kSize * kSize];
      for (int i = 0; i < Freedoms; ++i)
        for (int j = i; j < Freedoms; ++j) pivot[i * kSize + j] = numbers(at.pivot + i * kSize + j);
      solveLdlt<kSize>(pivot, kSize, q);
    }
    // ali3p (47)
    if (front.parent_at >= 0) {
      T of_parent[6];
      TACTUS_UNROLL
      for (int k = 0; k < 6; ++k) {
        if constexpr (FreedomFront<T>::kStride == 1)
          of_parent[k] = permuted[batch.parent_offset + k * batch.parent_step];
        else
          of_parent[k] = boundary(front.parent_at + k);
        for (int i = 0; i < Freedoms; ++i)
          q[i] -= numbers(at.coupling + i * front.boundary + front.parent_at + k) * of_parent[k];
      }
      x = x + carry(front.getThree(front.numbers, at.shift),
                    Twist<T>{{of_parent[0], of_parent[1], of_parent[2]}, {of_parent[3], of_parent[4], of_parent[5]}});
    }
    for (int c = 0; c < front.boundary && !front.isPure(); ++c) {
      if (front.isParent(c)) continue;
      const T z = boundary(c);
      for (int i = 0; i < Freedoms; ++i) q[i] -= numbers(at.coupling + i * front.boundary + c) * z;
      if constexpr (WithRows) load = load - z * front.column(c);
    }
    if constexpr (Freedoms > 0) {
      Three<T> rotation = q[0] * freedom(0);
      for (int i = 1; i < Freedoms; ++i) rotation = rotation + q[i] * freedom(i);
      x = x + turnAbout(arm, rotation);
    }
    TACTUS_UNROLL
    for (int k = 0; k < 6; ++k) front.set(permuted + batch.offset, k, component(x, k));
    if constexpr (!WithRows) return;
    // The load of the joint, and from it the multipliers: ali3p (48)
    load = load - ownTimes(front, x);
    const Three<T> point = sign * load.linear;
    front.set(permuted + batch.first_row, 0, point.x);
    front.set(permuted + batch.first_row, 1, point.y);
    front.set(permuted + batch.first_row, 2, point.z);
    const Three<T> moment = momentAbout(arm, load);
    for (int i = 0; i < 3 - Freedoms; ++i)
      front.set(permuted + batch.first_row, 3 + i, front.getThree(front.numbers, at.normals + 3 * i).dot(moment));
  }
};

}  // namespace

void forwardFreedoms(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  withFreedoms(node, [&]<int Freedoms>() noexcept {
    batch.alone() ? FreedomSolve<double, Freedoms>(plan, batch, fronts, permuted).forward()
                  : FreedomSolve<Quad, Freedoms>(plan, batch, fronts, permuted).forward();
  });
}

void backFreedoms(const Plan& plan, const PlanBatch& batch, bool with_rows, const TreeFronts& fronts,
                  double* permuted) noexcept {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  const auto solve = [with_rows](const auto& of) noexcept {
    with_rows ? of.template back<true>() : of.template back<false>();
  };
  withFreedoms(node, [&]<int Freedoms>() noexcept {
    batch.alone() ? solve(FreedomSolve<double, Freedoms>(plan, batch, fronts, permuted))
                  : solve(FreedomSolve<Quad, Freedoms>(plan, batch, fronts, permuted));
  });
}

}  // namespace tactus::rt
