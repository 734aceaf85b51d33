// Heights and friction on a grid, and the plane that stands for the road under a wheel.
#include "rt/mechanics/road_surface.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using rt::Vector3d;

TEST_CASE("a grid of heights: through its points, smooth, exact for a plane, held beyond its edge", "[rt][mechanics]") {
  rt::SurfaceGrid grid{-1, 2, 0.5, 4, 3, {}};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 3; ++c) grid.values.push_back(std::sin(2.0 * r) + 0.3 * c * c);
  const auto value = [&](double x, double y) { return rt::smoothOn(grid, x, y).value; };
  CHECK(value(-0.5, 2.5) == Approx(std::sin(2.0) + 0.3));
  CHECK(value(0.5, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(value(9, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(rt::smoothOn(grid, 9, 3).by_along == 0);
  const double h = 1e-6;
  for (double x = -0.97; x < 0.49; x += 0.0313)
    for (double y = 2.03; y < 2.98; y += 0.0571) {
      const rt::GridValue g = rt::smoothOn(grid, x, y);
      // Truncation h^2 = 1e-12 times a third derivative, round-off 1e-16 / h.
      CHECK(g.by_along == Approx((value(x + h, y) - value(x - h, y)) / (2 * h)).epsilon(0).margin(1e-6));
      CHECK(g.by_across == Approx((value(x, y + h) - value(x, y - h)) / (2 * h)).epsilon(0).margin(1e-6));
    }
  CHECK(std::isfinite(value(std::nan(""), 2)));
  CHECK(rt::linearOn(grid, -0.75, 2) == Approx(0.5 * std::sin(2.0)));

  rt::Road road{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {}, 0.8, {0, 0, 1, 5, 5, {}}, {0, 0, 4, 2, 2, {1, 1, 0.5, 0.5}}, {}};
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) road.heights.values.push_back(0.1 * r - 0.05 * c);
  const rt::RoadPlane plane = rt::roadUnderWheel(road, 0.3, {2.2, 1.7, 1.6});
  const Vector3d normal = Vector3d(-0.1, 0.05, 1).normalized();
  CHECK((plane.normal - normal).norm() < 1e-12);  // round-off
  CHECK(plane.distance == Approx((0.6 - 0.22 + 0.085) * normal[2]));
  CHECK(plane.friction == Approx(0.8 * (1 - 0.5 * 2.2 / 4)));
}
