// The front of a body on freedoms: where its parts lie for a node alone and for a batch, and products with its mass.
#pragma once

#include "rt/ali3p/tree/freedom_elimination.h"
#include "rt/ali3p/tree/front.h"

#include <algorithm>
#include <type_traits>

namespace tactus::rt {

/// Calls f.template operator()<Freedoms>() for the freedoms of a node, 0 to 3.
template <class F>
TACTUS_INLINE auto withFreedoms(const PlanNode& node, F&& f) noexcept {
  switch (6 - node.rows) {
    case 0: return f.template operator()<0>();
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    default: return f.template operator()<3>();
  }
}

/// The front of a node alone (T = double), or of a batch (T = Quad).
template <class T>
struct FreedomFront {
  static constexpr int kStride = std::is_same_v<T, double> ? 1 : kBatchLanes;
  const int boundary, width, parent_at;
  double *const own, *const coupling, *const update, *const numbers;

  FreedomFront(const PlanNode& node, double* fronts) noexcept
      : boundary(node.boundary_size),
        width(node.width),
        parent_at(node.parent_at),
        own(fronts + firstLane(node.front)),
        coupling(fronts + firstLane(node.coupling)),
        update(fronts + firstLane(node.update)),
        numbers(fronts + firstLane(node.freedoms)) {}

  static std::size_t firstLane(std::size_t offset) noexcept { return offset / kStride * kStride; }

  TACTUS_INLINE static T get(const double* part, int i) noexcept {
    if constexpr (kStride == 1)
      return part[i];
    else
      return load(part + kStride * i);
  }
  TACTUS_INLINE static void set(double* part, int i, const T& value) noexcept {
    if constexpr (kStride == 1)
      part[i] = value;
    else
      store(value, part + kStride * i);
  }
  TACTUS_INLINE static Three<T> getThree(const double* part, int i) noexcept {
    return {get(part, i), get(part, i + 1), get(part, i + 2)};
  }
  TACTUS_INLINE static void setThree(double* part, int i, const Three<T>& v) noexcept {
    set(part, i, v.x);
    set(part, i + 1, v.y);
    set(part, i + 2, v.z);
  }

  /// Column c of the boundary in the coupling.
  TACTUS_INLINE Twist<T> column(int c) const noexcept {
    const auto at = [&](int k) noexcept { return get(coupling, k * width + c); };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }
  /// Whether the boundary is the carrying body alone.
  TACTUS_INLINE bool isPure() const noexcept { return boundary == (parent_at >= 0 ? 6 : 0); }
  TACTUS_INLINE bool isParent(int c) const noexcept { return parent_at >= 0 && c >= parent_at && c < parent_at + 6; }
  TACTUS_INLINE int placeOf(int a, int b) const noexcept { return std::min(a, b) * width + std::max(a, b); }
};

template <class T>
TACTUS_INLINE Symmetric6<T> readOwn(const FreedomFront<T>& front) noexcept {
  Symmetric6<T> M;
  TACTUS_UNROLL
  for (int c = 0; c < 6; ++c) TACTUS_UNROLL
  for (int r = c; r < 6; ++r) M.at(r, c) = front.get(front.own, c * 6 + r);
  return M;
}

/// M x of a front whose own block holds both triangles where it stands alone.
template <class T>
TACTUS_INLINE Twist<T> ownTimes(const FreedomFront<T>& front, const Twist<T>& x) noexcept {
  if constexpr (FreedomFront<T>::kStride == 1) {
    const double of[6] = {x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z};
    // Columns of six; beyond the last one lie other numbers of the front, which are not used.
    Quad high = Quad(of[0]) * load(front.own), low = Quad(of[0]) * load(front.own + 4);
    TACTUS_UNROLL
    for (int k = 1; k < 6; ++k) {
      high += Quad(of[k]) * load(front.own + 6 * k);
      low += Quad(of[k]) * load(front.own + 6 * k + 4);
    }
    return {{high[0], high[1], high[2]}, {high[3], low[0], low[1]}};
  } else {
    return readOwn(front).times(x);
  }
}

}  // namespace tactus::rt
