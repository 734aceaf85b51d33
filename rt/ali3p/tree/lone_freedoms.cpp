#include "rt/ali3p/tree/lone_freedoms.h"

#include "rt/ali3p/tree/freedom_front.h"
#include "rt/ali3p/tree/freedom_geometry.h"
#include "rt/ali3p/tree/front.h"
#include "rt/math/small_solve.h"

namespace tactus::rt {

namespace {

static_assert(sizeof(LoneNumbers<0>) <= kLoneNumbers * sizeof(double));
static_assert(sizeof(LoneNumbers<1>) <= kLoneNumbers * sizeof(double));
static_assert(sizeof(LoneNumbers<2>) <= kLoneNumbers * sizeof(double));
static_assert(sizeof(LoneNumbers<3>) <= kLoneNumbers * sizeof(double));

using Pair = __m128d;

TACTUS_INLINE Pair lowOf(const Quad& q) noexcept {
  return _mm256_castpd256_pd128(q.vector());
}
TACTUS_INLINE Pair highOf(const Quad& q) noexcept {
  return _mm256_extractf128_pd(q.vector(), 1);
}
/// Numbers 4 and 5 of a motion or a load, then zeros.
TACTUS_INLINE Quad loadLast(const double* six) noexcept {
  return Quad(Quad::Vector(_mm256_zextpd128_pd256(_mm_loadu_pd(six + 4))));
}
/// Three numbers, then zero.
TACTUS_INLINE Quad loadThree(const double* from) noexcept {
  return Quad(Quad::Vector(_mm256_blend_pd(_mm256_loadu_pd(from), _mm256_setzero_pd(), 8)));
}

/// A column of 4 Quads numbers.
template <int Quads>
struct Column {
  Quad q[Quads];

  TACTUS_INLINE static Column zero() noexcept {
    Column c;
    for (Quad& of : c.q) of = Quad(0.0);
    return c;
  }
  TACTUS_INLINE static Column from(const double* numbers) noexcept {
    Column c;
    for (int i = 0; i < Quads; ++i) c.q[i] = load(numbers + 4 * i);
    return c;
  }
  TACTUS_INLINE void to(double* numbers) const noexcept {
    for (int i = 0; i < Quads; ++i) store(q[i], numbers + 4 * i);
  }
  /// += factor column
  TACTUS_INLINE void add(const Quad& factor, const double* column) noexcept {
    for (int i = 0; i < Quads; ++i) q[i] += factor * load(column + 4 * i);
  }
  TACTUS_INLINE void add(const Quad& factor, const Column& column) noexcept {
    for (int i = 0; i < Quads; ++i) q[i] += factor * column.q[i];
  }
  TACTUS_INLINE void subtract(const Quad& factor, const Column& column) noexcept {
    for (int i = 0; i < Quads; ++i) q[i] -= factor * column.q[i];
  }
};

template <int Freedoms>
TACTUS_INLINE LoneNumbers<Freedoms>& numbersOf(TreeFronts& fronts, std::size_t at) noexcept {
  return *reinterpret_cast<LoneNumbers<Freedoms>*>(fronts.symmetric.data() + at);
}
template <int Freedoms>
TACTUS_INLINE const LoneNumbers<Freedoms>& numbersOf(const TreeFronts& fronts, std::size_t at) noexcept {
  return *reinterpret_cast<const LoneNumbers<Freedoms>*>(fronts.symmetric.data() + at);
}

/// Calls f.template operator()<Freedoms>() for the freedoms of a body.
template <class F>
TACTUS_INLINE auto withFreedoms(const LoneFreedoms& body, F&& f) noexcept {
  switch (body.freedoms) {
    case 0: return f.template operator()<0>();
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    default: return f.template operator()<3>();
  }
}

TACTUS_INLINE void put(const Twist<double>& t, double (&to)[8]) noexcept {
  to[0] = t.linear.x;
  to[1] = t.linear.y;
  to[2] = t.linear.z;
  to[3] = t.angular.x;
  to[4] = t.angular.y;
  to[5] = t.angular.z;
  to[6] = to[7] = 0;
}
TACTUS_INLINE Twist<double> twistOf(const double* six) noexcept {
  return {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}};
}
TACTUS_INLINE double sumOfProducts(const double* a, const double* b) noexcept {
  return sumOf(load(a) * load(b) + load(a + 4) * load(b + 4));
}

/// The updates of children that are no lone bodies, from the front of the body into its mass.
void addGathered(const Plan& plan, const LoneFreedoms& body, double (&mass)[6][8], double* fronts) noexcept {
  const PlanBatch& batch = plan.batches[static_cast<std::size_t>(body.batch)];
  if (batch.quads + batch.singles == 0) return;
  double* own = fronts + body.front;
  std::fill_n(own, 36, 0.0);
  gatherChildren(plan, batch, fronts);
  for (int c = 0; c < 6; ++c) {
    mass[c][c] += own[6 * c + c];
    for (int r = c + 1; r < 6; ++r) {
      mass[c][r] += own[6 * c + r];
      mass[r][c] += own[6 * c + r];
    }
  }
}

template <int Freedoms>
TACTUS_INLINE bool factorOne(const Plan& plan, const LoneFreedoms& body, const CarriedArms<double>& arms,
                             TreeFronts& fronts) noexcept {
  constexpr int kSize = std::max(Freedoms, 1), kQuads = LoneNumbers<Freedoms>::kWide / 4;
  using Wide = Column<kQuads>;
  LoneNumbers<Freedoms>& n = numbersOf<Freedoms>(fronts, body.numbers);
  FreedomGeometry<double, Freedoms> joint;
  joint.form(arms);
  n.sign = joint.sign;
  for (int i = 0; i < Freedoms; ++i) put(turnAbout(joint.arm, joint.freedom[i]), n.freedom[i]);
  for (int i = 0; i < 3 - Freedoms; ++i) put(turnAbout(joint.arm, joint.normal[i]), n.normal[i]);
  addGathered(plan, body, n.mass, fronts.symmetric.data());

  // M S, D^-1, and K^T = X^T M S D^-1 with -D^-1 below: ali3p (43), (44)
  double least = minimum(joint.least - kLeastVolume, 1.0);
  double U[kSize][8], K[kSize][4 * kQuads];
  if constexpr (Freedoms > 0) {
    double pivot[kSize * kSize], inverse[kSize][kSize];
    for (int i = 0; i < Freedoms; ++i) {
      Column<2> even = Column<2>::zero(), odd = Column<2>::zero();
      for (int j = 0; j < 6; j += 2) {
        even.add(spread(n.freedom[i] + j), n.mass[j]);
        odd.add(spread(n.freedom[i] + j + 1), n.mass[j + 1]);
      }
      for (int q = 0; q < 2; ++q) store(even.q[q] + odd.q[q], U[i] + 4 * q);
      for (int j = 0; j <= i; ++j) pivot[j * kSize + i] = sumOfProducts(n.freedom[j], U[i]);
    }
    least = minimum(least, factorLdlt<kSize>(pivot, kSize));
    for (int i = 0; i < Freedoms; ++i) {
      for (int j = 0; j < Freedoms; ++j) inverse[i][j] = i == j ? 1 : 0;
      solveLdlt<kSize>(pivot, kSize, inverse[i]);
    }
    for (int i = 0; i < Freedoms; ++i) {
      Twist<double> solved = inverse[i][0] * twistOf(U[0]);
      for (int j = 1; j < Freedoms; ++j) solved = solved + inverse[i][j] * twistOf(U[j]);
      double six[8];
      put(passDown(joint.shift, solved), six);
      for (int k = 0; k < 6; ++k) K[i][k] = six[k];
      for (int k = 0; k < 4 * kQuads - 6; ++k) K[i][6 + k] = k < Freedoms ? -inverse[i][k] : 0;
    }
  }
  // A = X^T - K^T S^T and its transpose
  const Three<double>& d = joint.shift;
  const Three<double> turned[3] = {{0, d.z, -d.y}, {-d.z, 0, d.x}, {d.y, -d.x, 0}};  // d x e_j
  Wide below[kSize];
  Column<2> freedom[kSize];
  for (int i = 0; i < Freedoms; ++i) {
    below[i] = Wide::from(K[i]);
    freedom[i] = Column<2>::from(n.freedom[i]);
  }
  Wide A[6];
  TACTUS_UNROLL
  for (int j = 0; j < 6; ++j) {
    Wide up = Wide::zero();
    Column<2> down = Column<2>::zero();
    const auto at = [j](int k) noexcept { return k == j ? 1.0 : 0.0; };
    if (j < 3) {
      up.q[0] = Quad(Quad::Vector{at(0), at(1), at(2), turned[j % 3].x});
      up.q[1] = Quad(Quad::Vector{turned[j % 3].y, turned[j % 3].z, 0, 0});
      down.q[0] = Quad(Quad::Vector{at(0), at(1), at(2), 0});
    } else {
      up.q[0] = Quad(Quad::Vector{0, 0, 0, at(3)});
      up.q[1] = Quad(Quad::Vector{at(4), at(5), 0, 0});
      down.q[0] = Quad(Quad::Vector{-turned[j % 3].x, -turned[j % 3].y, -turned[j % 3].z, at(3)});
      down.q[1] = up.q[1];
    }
    for (int i = 0; i < Freedoms; ++i) {
      up.subtract(spread(n.freedom[i] + j), below[i]);
      down.subtract(spread(K[i] + j), freedom[i]);
    }
    A[j] = up;
    up.to(n.up[j]);
    down.to(n.down[j]);
  }
  // A M = X^T N; with G it gives what the rows ask for, with X the update: ali3p (49)
  Wide AM[6];
  TACTUS_UNROLL
  for (int c = 0; c < 6; ++c) {
    AM[c] = Wide::zero();
    TACTUS_UNROLL
    for (int j = 0; j < 6; ++j) AM[c].add(spread(n.mass[c] + j), A[j]);
  }
  for (int c = 0; c < 3; ++c) {
    Wide column = Wide::zero();
    column.add(Quad(-joint.sign), AM[c]);
    column.to(n.up_rows[c]);
  }
  for (int i = 0; i < 3 - Freedoms; ++i) {
    Wide column = Wide::zero();
    TACTUS_UNROLL
    for (int c = 0; c < 6; ++c) column.subtract(spread(n.normal[i] + c), AM[c]);
    column.to(n.up_rows[3 + i]);
  }
  TACTUS_UNROLL
  for (int j = 0; j < 3; ++j) {
    // Column j of X behind the unit matrix: e_j x d.
    AM[3 + j].add(Quad(-turned[j].x), AM[0]);
    AM[3 + j].add(Quad(-turned[j].y), AM[1]);
    AM[3 + j].add(Quad(-turned[j].z), AM[2]);
  }
  if (body.carrier_mass > 0) {
    double* to = fronts.symmetric.data() + body.carrier_mass;
    for (int c = 0; c < 6; ++c)
      for (int q = 0; q < 2; ++q) store(load(to + 8 * c + 4 * q) + AM[c].q[q], to + 8 * c + 4 * q);
  } else {
    double* to = fronts.symmetric.data() + body.update;
    TACTUS_UNROLL
    for (int c = 0; c < 6; ++c) TACTUS_UNROLL
    for (int r = 0; r <= c; ++r) to[8 * r + c] = AM[c].q[r / 4][r % 4];
  }
  return least > 0;
}

template <int Freedoms>
TACTUS_INLINE void forwardOne(const LoneFreedoms& body, const LoneNumbers<Freedoms>& n, double* permuted) noexcept {
  using Wide = Column<LoneNumbers<Freedoms>::kWide / 4>;
  // ali3p (49): two sums that do not wait for each other
  const double *y = permuted + body.own, *c = permuted + body.row;
  Wide even = Wide::zero(), odd = Wide::zero();
  for (int k = 0; k < 6 - Freedoms; ++k) (k % 2 == 0 ? even : odd).add(spread(c + k), n.up_rows[k]);
  for (int k = 0; k < 6; ++k) (k % 2 == 0 ? even : odd).add(spread(y + k), n.up[k]);
  const Quad first = even.q[0] + odd.q[0], last = even.q[1] + odd.q[1];
  double* to = permuted + body.carrier;
  if (body.carrier_step == 1) {
    store(load(to) + first, to);
    _mm_storeu_pd(to + 4, _mm_loadu_pd(to + 4) + lowOf(last));
  } else {
    const int step = body.carrier_step;
    for (int k = 0; k < 4; ++k) to[step * k] += first[k];
    to[step * 4] += last[0];
    to[step * 5] += last[1];
  }
  double* scratch = permuted + body.scratch;
  if constexpr (Freedoms > 0) _mm_storeu_pd(scratch, highOf(last));
  if constexpr (Freedoms == 3) scratch[2] = (even.q[2] + odd.q[2])[0];
}

template <int Freedoms, bool WithRows>
TACTUS_INLINE void backOne(const LoneFreedoms& body, const LoneNumbers<Freedoms>& n, double* permuted) noexcept {
  constexpr int kNormals = 3 - Freedoms;
  double *own = permuted + body.own, *row = permuted + body.row;
  // ali3p (50): what the rows and the freedoms give, then the carrying body
  Column<2> odd = Column<2>::zero(), even = {{Quad(n.sign) * loadThree(row), Quad(0.0)}};
  for (int i = 0; i < kNormals; ++i) even.add(spread(row + 3 + i), n.normal[i]);
  for (int i = 0; i < Freedoms; ++i) odd.add(spread(permuted + body.scratch + i), n.freedom[i]);
  const double* carrier = permuted + body.carrier;
  for (int k = 0; k < 6; ++k) (k % 2 == 0 ? even : odd).add(spread(carrier + k * body.carrier_step), n.down[k]);
  const Quad first = even.q[0] + odd.q[0], last = even.q[1] + odd.q[1];
  Column<2> load_of_joint;
  if constexpr (WithRows) load_of_joint = {{load(own), loadLast(own)}};
  store(first, own);
  _mm_storeu_pd(own + 4, lowOf(last));
  if constexpr (WithRows) {
    // ali3p (48)
    Column<2> inertia = Column<2>::zero();
    for (int k = 0; k < 6; k += 2) {
      load_of_joint.subtract(spread(own + k), Column<2>::from(n.mass[k]));
      inertia.add(spread(own + k + 1), n.mass[k + 1]);
    }
    for (int q = 0; q < 2; ++q) load_of_joint.q[q] -= inertia.q[q];
    double multipliers[std::max(kNormals, 1)];
    for (int i = 0; i < kNormals; ++i)
      multipliers[i] = sumOf(load_of_joint.q[0] * load(n.normal[i]) + load_of_joint.q[1] * load(n.normal[i] + 4));
    const Quad point = Quad(n.sign) * load_of_joint.q[0];
    for (int k = 0; k < 3; ++k) row[k] = point[k];
    for (int i = 0; i < kNormals; ++i) row[3 + i] = multipliers[i];
  }
}

}  // namespace

void setLoneMasses(const Plan& plan, const PlanPart& part, double scale, const TreeTangent& tangent,
                   TreeFronts& fronts) noexcept {
  const double inverse = 1.0 / scale;
  const LoneFreedoms* const first = plan.lone.data() + part.first_lone;
  for (const LoneFreedoms* at = first; at != first + part.lone_count; ++at) {
    const LoneFreedoms& body = *at;
    const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(body.body)];
    double(*mass)[8] = reinterpret_cast<double(*)[8]>(fronts.symmetric.data() + body.numbers);
    const double m = t.m_hat * inverse;
    const Quad zero(0.0);
    store(Quad(Quad::Vector{m, 0, 0, 0}), mass[0]);
    store(Quad(Quad::Vector{0, m, 0, 0}), mass[1]);
    store(Quad(Quad::Vector{0, 0, m, 0}), mass[2]);
    for (int c = 0; c < 3; ++c) {
      store(zero, mass[c] + 4);
      store(Quad(Quad::Vector{0, 0, 0, t.J_hat(0, c) * inverse}), mass[3 + c]);
      store(Quad(Quad::Vector{t.J_hat(1, c) * inverse, t.J_hat(2, c) * inverse, 0, 0}), mass[3 + c] + 4);
    }
  }
}

bool factorLone(const Plan& plan, const LoneFreedoms& body, const TreeRows& rows, TreeFronts& fronts) noexcept {
  const CarriedArms<double> arms = rows.points.armsOf(body.joint);
  return withFreedoms(body, [&]<int Freedoms>() noexcept { return factorOne<Freedoms>(plan, body, arms, fronts); });
}

void forwardLone(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept {
  const LoneFreedoms* body = plan.lone.data() + run.first;
  for (const LoneFreedoms* const end = body + run.count; body != end; ++body)
    withFreedoms(*body, [&]<int Freedoms>() noexcept {
      forwardOne<Freedoms>(*body, numbersOf<Freedoms>(fronts, body->numbers), permuted);
    });
}

void backLone(const Plan& plan, const PlanRun& run, bool with_rows, const TreeFronts& fronts,
              double* permuted) noexcept {
  const LoneFreedoms* const begin = plan.lone.data() + run.first;
  for (const LoneFreedoms* body = begin + run.count; body-- != begin;)
    withFreedoms(*body, [&]<int Freedoms>() noexcept {
      const LoneNumbers<Freedoms>& n = numbersOf<Freedoms>(fronts, body->numbers);
      with_rows ? backOne<Freedoms, true>(*body, n, permuted) : backOne<Freedoms, false>(*body, n, permuted);
    });
}

}  // namespace tactus::rt
