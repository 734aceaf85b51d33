// Covers: rt/math/where_below.h
#include "rt/math/dual.h"

#include "rt/math/lanes.h"

#include <catch2/catch.hpp>

#include <cmath>

using tactus::rt::Dual;

namespace {

/// Every operation of Dual once.
template <class T>
T sample(T x, T y) {
  using std::sqrt;
  T z = x * y - x / (y + T(2));
  z += sqrt(x * x + y * y);
  z *= x;
  z /= y;
  return -z;
}

}  // namespace

TEST_CASE("duals have the derivatives of what they compute, and duals of duals the second ones", "[rt][math]") {
  const double x = 0.7, y = -1.3;
  Dual<double, 2> u(x), v(y);
  u.d[0] = v.d[1] = 1;
  const Dual<double, 2> z = sample(u, v);
  CHECK(z.value == Approx(sample(x, y)).epsilon(1e-15));  // the same operations
  const double h = 1e-5;
  // Truncation and round-off of central differences, of order 1e-10.
  CHECK(z.d[0] == Approx((sample(x + h, y) - sample(x - h, y)) / (2 * h)).epsilon(1e-8));
  CHECK(z.d[1] == Approx((sample(x, y + h) - sample(x, y - h)) / (2 * h)).epsilon(1e-8));

  using Inner = Dual<double, 1>;
  Dual<Inner, 2> p{Inner(x)}, q{Inner(y)};
  p.d[0] = q.d[1] = Inner(1);
  q.value.d[0] = 1;
  const Dual<Inner, 2> w = sample(p, q);
  const auto slopes = [](double at_x, double at_y) {
    Dual<double, 2> a(at_x), b(at_y);
    a.d[0] = b.d[1] = 1;
    return sample(a, b);
  };
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(w.d[k].value == Approx(z.d[k]).epsilon(1e-14));  // round-off
    const double difference = (slopes(x, y + h).d[k] - slopes(x, y - h).d[k]) / (2 * h);
    CHECK(w.d[k].d[0] == Approx(difference).epsilon(1e-8));  // as above
  }
}

TEST_CASE("a choice by a value takes the derivatives of what it chooses, lane by lane", "[rt][math]") {
  using tactus::rt::whereBelow;
  CHECK(whereBelow(0.9, 1.0, 2.0, 3.0) == 2);
  CHECK(whereBelow(1.0, 1.0, 2.0, 3.0) == 3);
  using Quad = tactus::rt::Lanes<4>;
  Quad x(0.0);
  x.set(2, 5);
  const Quad chosen = whereBelow(x, 1.0, Quad(2.0), Quad(3.0));
  for (int lane = 0; lane < 4; ++lane) CHECK(chosen[lane] == (lane == 2 ? 3 : 2));
  Dual<Quad, 1> y(x), a(Quad(1.0)), b(Quad(4.0));
  a.d[0] = Quad(10.0);
  b.d[0] = Quad(20.0);
  const Dual<Quad, 1> z = whereBelow(y, 1.0, a, b);
  for (int lane = 0; lane < 4; ++lane) {
    CHECK(z.value[lane] == (lane == 2 ? 4 : 1));
    CHECK(z.d[0][lane] == (lane == 2 ? 20 : 10));
  }
}
