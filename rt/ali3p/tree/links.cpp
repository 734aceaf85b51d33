#include "rt/ali3p/tree/links.h"

#include "rt/ali3p/tree/elimination.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/node_compliance.h"
#include "rt/math/six.h"

#include <algorithm>

namespace tactus::rt {

namespace {

constexpr int kRows = 6;
/// Numbers in a row of the update of a link joint, and of a body between two.
constexpr int kWidth = 8, kBodyWidth = 2 * kRows;

using Pair = __m128d;

/// Six numbers in registers, four and two: their products and sums are fused.
struct SixLanes {
  Quad four;
  Pair two;

  TACTUS_INLINE static SixLanes load(const double* from) noexcept { return {rt::load(from), _mm_loadu_pd(from + 4)}; }
  TACTUS_INLINE void store(double* to) const noexcept {
    rt::store(four, to);
    _mm_storeu_pd(to + 4, two);
  }
  /// += factor row
  TACTUS_INLINE void add(const double* factor, const double* row) noexcept {
    const __m256d f = _mm256_broadcast_sd(factor);
    four += Quad(f) * rt::load(row);
    two += _mm256_castpd256_pd128(f) * _mm_loadu_pd(row + 4);
  }
  /// -= factor row
  TACTUS_INLINE void subtract(const double* factor, const double* row) noexcept {
    const __m256d f = _mm256_broadcast_sd(factor);
    four -= Quad(f) * rt::load(row);
    two -= _mm256_castpd256_pd128(f) * _mm_loadu_pd(row + 4);
  }
  TACTUS_INLINE SixLanes operator+(const SixLanes& b) const noexcept { return {four + b.four, two + b.two}; }
};

const PlanNode& nodeAt(const Plan& plan, int index) noexcept {
  return plan.nodes[static_cast<std::size_t>(index)];
}

template <class Numbers>
TACTUS_INLINE const Numbers& numbersOf(const TreeFronts& fronts, std::size_t at) noexcept {
  return *reinterpret_cast<const Numbers*>(fronts.symmetric.data() + at);
}
template <class Numbers>
TACTUS_INLINE Numbers& numbersOf(TreeFronts& fronts, std::size_t at) noexcept {
  return *reinterpret_cast<Numbers*>(fronts.symmetric.data() + at);
}

/// rows[i][k] = columns[k] at lane i, for the first `Count` lanes.
template <int Count>
TACTUS_INLINE void storeRows(const Quad (&columns)[kRows], double (*rows)[kRows]) noexcept {
  Quad::Vector square[4] = {columns[0].vector(), columns[1].vector(), columns[2].vector(), columns[3].vector()};
  transpose(square);
  const Quad::Vector a = columns[4].vector(), b = columns[5].vector();
  const Quad::Vector even = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pair last[4] = {_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd), _mm256_extractf128_pd(even, 1),
                        _mm256_extractf128_pd(odd, 1)};
  TACTUS_UNROLL
  for (int i = 0; i < Count; ++i) {
    store(Quad(square[i]), rows[i]);
    _mm_storeu_pd(rows[i] + 4, last[i]);
  }
}

}  // namespace

void factorLinkBody(const Plan& plan, const PlanNode& node, const TreeRows& rows, const TreeTangent& tangent,
                    TreeFronts& fronts) noexcept {
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(node.element)];
  auto& numbers = numbersOf<LinkBodyNumbers>(fronts, node.link);
  double* const update = fronts.symmetric.data() + node.update;
  const double* jacobian = rows.jacobian.front().h[0];
  const int* offsets = plan.row_offsets.data() + node.first_row_offset;
  const Quad mass(t.w_mass);
  TACTUS_UNROLL
  for (int c = 0; c < kBodyWidth; c += 4) {
    const double* const sides[4] = {jacobian + offsets[c], jacobian + offsets[c + 1], jacobian + offsets[c + 2],
                                    jacobian + offsets[c + 3]};
    Quad h[kRows], l[kRows];
    gather(sides, h);
    for (int k = 0; k < 3; ++k) {
      l[k] = mass * h[k];
      l[3 + k] = t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5];
    }
    for (int k = 0; k < kRows; ++k) store(l[k], numbers.forward[k] + c);
    storeRows<4>(l, numbers.back + c);
    // U of ali3p (18) for the columns that are complete: rows up to the last of these.
    TACTUS_UNROLL
    for (int i = 0; i < c + 4; ++i) {
      const double* h_i = jacobian + offsets[i];
      Quad sum = -(spread(h_i) * l[0]);
      TACTUS_UNROLL
      for (int k = 1; k < kRows; ++k) sum -= spread(h_i + k) * l[k];
      store(sum, update + i * kBodyWidth + c);
    }
  }
}

bool factorLink(const Plan& plan, const PlanNode& node, const Model& model, const TreeTangent& tangent,
                TreeFronts& fronts) noexcept {
  const Front front(fronts.symmetric.data(), node);
  const double* const of_body = fronts.symmetric.data() + nodeAt(plan, node.link_body).update;
  auto& numbers = numbersOf<LinkNumbers>(fronts, node.link);
  // Minus the own block, a column after the other; what lies above the diagonal has no meaning.
  alignas(32) double m[kRows * kRows] = {};
  forEachCompliance<false>(model, node, tangent,
                           [&](int k, int r, double compliance) noexcept { m[k * kRows + r] = compliance; });
  const auto subtract = [&m](const double* update, int width) noexcept {
    TACTUS_UNROLL
    for (int k = 0; k < kRows; ++k) {
      Six column = Six::load(m + k * kRows);
      column -= Six::load(update + k * width);
      column.store(m + k * kRows);
    }
  };
  subtract(of_body, kBodyWidth);
  if (node.link_joint >= 0) subtract(fronts.symmetric.data() + nodeAt(plan, node.link_joint).update, kWidth);
  const double min_pivot = factorLdlt<kRows>(m, kRows);
  const auto at = [&m](int k, int r) noexcept { return m[k * kRows + r]; };
  // The coupling and the update of the body: in its rows, behind those of this joint.
  const auto fromBody = [&of_body](int row, int c) noexcept {
    const double* from = of_body + row * kBodyWidth + kRows + c;
    return c == 0 ? load(from) : Quad(_mm256_zextpd128_pd256(_mm_loadu_pd(from)));
  };
  alignas(32) double Y[kRows * kWidth];
  for (int c = 0; c < kWidth; c += 4) {
    Quad y[kRows];
    for (int k = 0; k < kRows; ++k) y[k] = fromBody(k, c);
    substituteLower<kRows>(at, y);
    for (int k = 0; k < kRows; ++k) store(y[k], Y + k * kWidth + c);
  }
  // U and L^T of ali3p (17)
  TACTUS_UNROLL
  for (int i = 0; i < kRows; ++i) {
    Quad l[kRows];
    for (int k = 0; k < kRows; ++k) l[k] = -m[k * kRows + k] * spread(Y + k * kWidth + i);
    TACTUS_UNROLL
    for (int c = Front::firstColumn(i); c < kWidth; c += 4) {
      Quad sum = fromBody(kRows + i, c);
      for (int k = 0; k < kRows; ++k) sum -= l[k] * load(Y + k * kWidth + c);
      store(sum, front.update_block + i * kWidth + c);
    }
  }
  Quad low[kRows], high[kRows];
  const auto solve = [&](int c, Quad(&z)[kRows]) noexcept {
    for (int k = 0; k < kRows; ++k) z[k] = m[k * kRows + k] * load(Y + k * kWidth + c);
    substituteUpper<kRows>(at, z);
  };
  solve(0, low);
  solve(4, high);
  storeRows<4>(low, numbers.back);
  storeRows<2>(high, numbers.back + 4);
  for (int k = 0; k < kRows; ++k) {
    store(-low[k], numbers.coupling[k]);
    _mm_storeu_pd(numbers.coupling[k] + 4, _mm256_castpd256_pd128((-high[k]).vector()));
  }
  // -S^-1, column by column of the unit matrix; its rows and columns are the same.
  const auto invert = [&](int first, Quad(&z)[kRows]) noexcept {
    for (int k = 0; k < kRows; ++k) z[k] = Quad(0.0);
    for (int k = first; k < std::min(kRows, first + 4); ++k) z[k].set(k - first, -1.0);
    substituteLower<kRows>(at, z);
    for (int k = 0; k < kRows; ++k) z[k] *= Quad(m[k * kRows + k]);
    substituteUpper<kRows>(at, z);
  };
  invert(0, low);
  invert(4, high);
  for (int k = 0; k < kRows; ++k) {
    store(low[k], numbers.inverse[k]);
    _mm_storeu_pd(numbers.inverse[k] + 4, _mm256_castpd256_pd128(high[k].vector()));
  }
  // Read by countTinyPivots(); a solve does not need the factors.
  for (int k = 0; k < kRows; ++k) front.setOwn(k, k, m[k * kRows + k]);
  return min_pivot > 0;
}

void forwardLinks(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept {
  const LinkPlace* const places = plan.links.data() + run.first;
  for (int i = 0; i < run.count; ++i) {
    const LinkPlace& place = places[i];
    const auto& numbers = numbersOf<LinkNumbers>(fronts, place.numbers);
    const double* w = permuted + place.own;
    // ali3p (19), as two sums: the link waits for the one before.
    SixLanes to = SixLanes::load(permuted + place.near), rest{Quad(0.0), _mm_setzero_pd()};
    TACTUS_UNROLL
    for (int k = 0; k < kRows; k += 2) {
      to.subtract(w + k, numbers.coupling[k]);
      rest.subtract(w + k + 1, numbers.coupling[k + 1]);
    }
    (to + rest).store(permuted + place.near);
  }
}

void backLinks(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept {
  const LinkPlace* const places = plan.links.data() + run.first;
  for (int i = run.count - 1; i >= 0; --i) {
    const LinkPlace& place = places[i];
    const auto& numbers = numbersOf<LinkNumbers>(fronts, place.numbers);
    const double *w = permuted + place.own, *x = permuted + place.near;
    // ali3p (20), as two sums: that of the boundary waits for the link before.
    SixLanes own{Quad(0.0), _mm_setzero_pd()}, boundary = own;
    TACTUS_UNROLL
    for (int k = 0; k < kRows; ++k) own.add(w + k, numbers.inverse[k]);
    TACTUS_UNROLL
    for (int k = 0; k < kRows; k += 2) {
      own.add(x + k, numbers.back[k]);
      boundary.add(x + k + 1, numbers.back[k + 1]);
    }
    (own + boundary).store(permuted + place.own);
  }
}

void forwardLinkBodies(const Plan& plan, const PlanRun& run, const TreeTangent& tangent, const TreeFronts& fronts,
                       double* permuted) noexcept {
  const LinkPlace* const places = plan.links.data() + run.first;
  for (int i = 0; i < run.count; ++i) {
    const LinkPlace& place = places[i];
    const auto& numbers = numbersOf<LinkBodyNumbers>(fronts, place.numbers);
    double *w = permuted + place.own, *near = permuted + place.near, *far = permuted + place.far;
    Quad sum[3];
    TACTUS_UNROLL
    for (int c = 0; c < 3; ++c) sum[c] = spread(w) * load(numbers.forward[0] + 4 * c);
    TACTUS_UNROLL
    for (int k = 1; k < kRows; ++k) TACTUS_UNROLL
    for (int c = 0; c < 3; ++c) sum[c] += spread(w + k) * load(numbers.forward[k] + 4 * c);
    store(load(near) - sum[0], near);  // ali3p (19)
    storePairs(loadPairs(near + 4, far) - sum[1], near + 4, far);
    store(load(far + 2) - sum[2], far + 2);
    const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(place.body)];
    const Vector3d rotation = t.w_J * Vector3d(w[3], w[4], w[5]);
    for (int k = 0; k < 3; ++k) w[k] *= t.w_mass;
    for (int k = 0; k < 3; ++k) w[3 + k] = rotation[k];
  }
}

void backLinkBodies(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept {
  const LinkPlace* const places = plan.links.data() + run.first;
  for (int i = run.count - 1; i >= 0; --i) {
    const LinkPlace& place = places[i];
    const auto& numbers = numbersOf<LinkBodyNumbers>(fronts, place.numbers);
    const double *near = permuted + place.near, *far = permuted + place.far;
    SixLanes x = SixLanes::load(permuted + place.own);
    TACTUS_UNROLL
    for (int k = 0; k < kRows; ++k) x.subtract(near + k, numbers.back[k]);  // ali3p (20)
    TACTUS_UNROLL
    for (int k = 0; k < kRows; ++k) x.subtract(far + k, numbers.back[kRows + k]);
    x.store(permuted + place.own);
  }
}

}  // namespace tactus::rt
