// Cross-sections of beams against handbooks and against sums over their area.
#include "rt/model/elements/beam_section.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;

namespace {

constexpr double kRounding = 1e-13;  // of sums of a few products

const BeamMaterialSpec kSteel{207e9, 0.3, 7800};

Eigen::Matrix<double, 6, 1> stiffnessOf(const BeamSectionKinds& section, const BeamMaterialSpec& material) {
  return propertiesOf(section, material).stiffness.diagonal();
}

/// Largest relative difference.
double away(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return ((a - b).array() / b.array()).abs().maxCoeff();
}

}  // namespace

TEST_CASE("cross-sections by dimensions have the stiffness of handbooks", "[rt][model][beam]") {
  using V = Eigen::Matrix<double, 6, 1>;
  // The bars of the flexible four-bar, the blade of lateral buckling and the rotating shaft: four digits are printed.
  CHECK(away(stiffnessOf(RectangleSectionSpec{0.016, 0.016}, kSteel), V(52.99e6, 16.98e6, 16.98e6, 733.5, 1131, 1131)) <
        1e-3);
  const BeamMaterialSpec aluminium{73e9, 0.3, 2700};
  CHECK(away(stiffnessOf(RectangleSectionSpec{0.01, 0.1}, aluminium), V(73e6, 23.4e6, 23.4e6, 876.9, 60833, 608.33)) <
        1e-3);
  CHECK(away(stiffnessOf(CircleSectionSpec{0.012}, aluminium), V(33.02e6, 11.26e6, 11.26e6, 914.5, 1188.9, 1188.9)) <
        1e-3);
  const BeamMaterialSpec tube_steel{210e9, 0.3, 7800};
  const SectionProperties tube = propertiesOf(TubeSectionSpec{0.05, 0.045}, tube_steel);
  CHECK(away(tube.stiffness.diagonal(), V(313.4e6, 64.24e6, 64.24e6, 272.7e3, 354.5e3, 354.5e3)) < 1e-3);
  CHECK(tube.mass == Approx(11.640).epsilon(1e-4));
  CHECK(away(tube.inertia, Vector3d(0.026335, 0.013167, 0.013167)) < 1e-4);

  // A box and an I of unit modulus, by hand.
  const BeamMaterialSpec unit{1, 0, 1};
  const double G = 0.5;
  CHECK(away(stiffnessOf(BoxSectionSpec{0.2, 0.1, 0.01}, unit),
             V(0.2 * 0.1 - 0.18 * 0.08, G * 2 * 0.01 * 0.19, G * 2 * 0.01 * 0.09,
               G * 4 * std::pow(0.19 * 0.09, 2) * 0.01 / (2 * (0.19 + 0.09)),
               (0.2 * std::pow(0.1, 3) - 0.18 * std::pow(0.08, 3)) / 12,
               (0.1 * std::pow(0.2, 3) - 0.08 * std::pow(0.18, 3)) / 12)) < kRounding);
  CHECK(away(stiffnessOf(ISectionSpec{0.1, 0.2, 0.01, 0.006}, unit),
             V(2 * 0.1 * 0.01 + 0.18 * 0.006, G * 2 * 0.1 * 0.01 * 5 / 6, G * 0.19 * 0.006,
               G * (2 * 0.1 * 1e-6 + 0.19 * std::pow(0.006, 3)) / 3,
               (0.1 * std::pow(0.2, 3) - 0.094 * std::pow(0.18, 3)) / 12,
               (2 * 0.01 * std::pow(0.1, 3) + 0.18 * std::pow(0.006, 3)) / 12)) < kRounding);
}

TEST_CASE("a channel has the moments of its area and the shear center of a handbook", "[rt][model][beam]") {
  // Its area as squares of a sixth of the walls, each with its own moments: exact. Inches: web 6 and flanges 4
  // between the middles of walls of 0.15, whose shear center lies 1.600 in behind the web (F. P. Beer, E. R. Johnston,
  // Mechanics of Materials, thin-walled members).
  const double side = 0.025, wall = 0.15;
  const double width = 4 + wall / 2, height = 6 + wall;
  const auto nearest = [side](double length) { return std::lround(length / side); };
  double area = 0, first = 0, second_y = 0, second_z = 0;
  for (long i = 0; i < nearest(width); ++i)
    for (long j = 0; j < nearest(height); ++j) {
      const double y = (static_cast<double>(i) + 0.5) * side, z = (static_cast<double>(j) + 0.5) * side;
      if (y > wall && z > wall && z < height - wall) continue;
      const double cell = side * side;
      area += cell;
      first += cell * y;
      second_y += cell * (y * y + cell / 12);
      second_z += cell * ((z - height / 2) * (z - height / 2) + cell / 12);
    }
  const double centroid = first / area;

  const double E = 30e6, nu = 0.25, G = E / (2 * (1 + nu)), density = 7e-4;
  const SectionProperties channel = propertiesOf(ChannelSectionSpec{width, height, wall, wall}, {E, nu, density});
  const auto& K = channel.stiffness;
  constexpr double kSum = 1e-9;  // round-off of ten thousand cells
  CHECK(K(0, 0) == Approx(E * area).epsilon(kSum));
  CHECK(K(4, 4) == Approx(E * second_z).epsilon(kSum));
  CHECK(K(5, 5) == Approx(E * (second_y - area * centroid * centroid)).epsilon(kSum));
  CHECK(K(1, 1) == Approx(G * 2 * width * wall * 5 / 6).epsilon(kSum));
  CHECK(K(2, 2) == Approx(G * 6 * wall).epsilon(kSum));
  CHECK(K(2, 3) / K(2, 2) == Approx(-(1.6 + centroid - wall / 2)).epsilon(kSum));
  CHECK(K(3, 2) == K(2, 3));
  CHECK(K(3, 3) - K(2, 3) * K(2, 3) / K(2, 2) == Approx(G * (4 + 4 + 6) * std::pow(wall, 3) / 3).epsilon(kSum));
  CHECK(channel.mass == Approx(density * area).epsilon(kSum));
  CHECK(away(channel.inertia, density / E * Vector3d(K(4, 4) + K(5, 5), K(4, 4), K(5, 5))) < kRounding);
}
