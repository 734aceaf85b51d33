// The Magic Formula: what the laws of tyres do not share.
#include "rt/mechanics/tyres/magic_formula.h"
#include "rt/model/model.h"

#include "rt/mechanics/tyres/tyre_law.h"
#include "tests/rt/mechanics/tyres/one_wheel.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("a mirrored tyre of the Magic Formula has the mirror image of the forces", "[rt][mechanics][tyres]") {
  rt::ModelSpec spec = wheel(magicFormula(), 0, 0);
  const rt::Model left = rt::buildModel(spec);
  std::get<rt::SlipTyreSpec>(spec.forces[0].kind).mirrored = true;
  const rt::Model right = rt::buildModel(spec);
  const rt::SlipForce a = rt::slipForce(only(left), {0.02, 0.03, 0.05, 3000}),
                      b = rt::slipForce(only(right), {0.02, -0.03, -0.05, 3000});
  CHECK(a.longitudinal == Approx(b.longitudinal));
  CHECK(a.lateral == Approx(-b.lateral));
  CHECK(a.aligning == Approx(-b.aligning));
  CHECK(rt::slipForce(only(left), {0, 0, 0, 3000}).lateral != Approx(0).margin(1));  // the coefficients have a side
}

namespace {

/// One line of tests/reference/magic_formula.csv.
struct Published {
  std::string tyre;
  double load, ratio, angle, camber, longitudinal, lateral, aligning;  ///< forces: NaN where not given
};

std::vector<Published> published() {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/reference/magic_formula.csv");
  REQUIRE(file);
  std::vector<Published> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> f;
    std::stringstream stream(line + ",");
    for (std::string field; std::getline(stream, field, ',');) f.push_back(field);
    const auto value = [&f](std::size_t i) { return f[i].empty() ? std::nan("") : std::strtod(f[i].c_str(), nullptr); };
    rows.push_back({f[0], value(1), value(2), value(3), value(4), value(5), value(6), value(7)});
  }
  return rows;
}

rt::Model oneWheel(const rt::MagicFormulaTyreSpec& grip, double nominal_load, double radius) {
  rt::ModelSpec spec = wheel(grip, 0, 0);
  auto& tyre = std::get<rt::SlipTyreSpec>(spec.forces[0].kind);
  tyre.nominal_load = nominal_load;
  tyre.radius = radius;
  spec.bodies[0].position[2] = radius - kLoad / kStiffness;
  return rt::buildModel(spec);
}

}  // namespace

TEST_CASE("a published tyre has the forces of the published equations at every slip, load and camber",
          "[rt][mechanics][tyres]") {
  const rt::Model full = oneWheel(bookTyre(false), 4000, 0.313), centered = oneWheel(bookTyre(true), 4000, 0.313);
  int compared = 0;
  for (const Published& row : published()) {
    if (row.tyre == "1987") continue;
    const bool is_full = row.tyre == "book";
    // The published angle counts against the force.
    const rt::SlipForce found = rt::slipForce(only(is_full ? full : centered),
                                              {row.ratio, -std::tan(row.angle), std::sin(row.camber), row.load});
    INFO(row.tyre << ' ' << row.load << ' ' << row.ratio << ' ' << row.angle << ' ' << row.camber);
    // N and N m: nine printed digits of forces up to 7 kN, and the 1e-6 N that keep quotients finite.
    CHECK(found.longitudinal == Approx(row.longitudinal).epsilon(1e-8).margin(1e-4));
    CHECK(found.lateral == Approx(row.lateral).epsilon(1e-8).margin(1e-4));
    CHECK(found.aligning == Approx(row.aligning).epsilon(1e-8).margin(1e-4));
    ++compared;
  }
  CHECK(compared == 450);
}

TEST_CASE("the tyre of the paper of 1987 has its forces along and across", "[rt][mechanics][tyres]") {
  // At each load the formula of 1987 is that of today with its own peak, slope and curvature.
  int compared = 0;
  for (const Published& row : published()) {
    if (row.tyre != "1987") continue;
    const double F = row.load / 1000;
    const bool along = !std::isnan(row.longitudinal);
    const double peak = (along ? -21.3 * F + 1144 : -22.1 * F + 1011) * F;                              // N
    const double slope = along ? 100 * (49.6 * F * F + 226 * F) / std::exp(0.069 * F)                   // N
                               : 180 / std::acos(-1.0) * 1078 * std::sin(1.82 * std::atan(0.208 * F));  // N/rad
    rt::MagicFormulaTyreSpec tyre;
    if (along) {
      tyre.coefficients = {{"PCX1", 1.65},
                           {"PDX1", peak / row.load},
                           {"PKX1", slope / row.load},
                           {"PEX1", -0.006 * F * F + 0.056 * F + 0.486},
                           {"PCY1", 1},
                           {"PDY1", 1},
                           {"PKY1", -10},
                           {"PKY2", 2}};
    } else {
      // The lateral slope is PKY1 F_z0 sin(2 atan(1 / PKY2)), here with PKY2 = 1.
      tyre.coefficients = {{"PCX1", 1},
                           {"PDX1", 1},
                           {"PKX1", 10},
                           {"PCY1", 1.30},
                           {"PDY1", peak / row.load},
                           {"PKY1", -slope / row.load},
                           {"PKY2", 1},
                           {"PEY1", -0.354 * F + 0.707}};
    }
    const rt::Model model = oneWheel(tyre, row.load, 0.3);
    INFO(row.load << ' ' << row.ratio << ' ' << row.angle);
    // Print counts the angle itself.
    const rt::SlipForce found = rt::slipForce(only(model), {row.ratio, row.angle, 0, row.load});
    // N: as above.
    if (along) CHECK(found.longitudinal == Approx(row.longitudinal).epsilon(1e-7).margin(1e-3));
    if (!along) CHECK(found.lateral == Approx(row.lateral).epsilon(1e-7).margin(1e-3));
    ++compared;
  }
  CHECK(compared == 40);
}

TEST_CASE("the Magic Formula counts slip against the speed of the wheel's center", "[rt][mechanics][tyres]") {
  CHECK(rt::MagicFormulaLaw::speed(3, 5) == 5);
}

TEST_CASE("far from the measurements the slip stiffnesses of the Magic Formula stay above zero",
          "[rt][mechanics][tyres]") {
  rt::MagicFormulaTyreSpec grip = magicFormula();
  grip.coefficients["PKX1"] = 20;
  grip.coefficients["PKX2"] = -12;
  grip.coefficients["PKY3"] = 2;
  const rt::Model model = oneWheel(grip, 3000, 0.3);
  for (const double load : {3000.0, 6000.0, 8100.0, 20000.0})
    for (const double camber : {0.0, 0.5, 0.9}) {
      CAPTURE(load, camber);
      // Braked: the road pushes backward. Turned to one side: it pushes to the other.
      const rt::SlipForce braked = rt::slipForce(only(model), {-0.02, 0, 0, load});
      const rt::SlipForce right = rt::slipForce(only(model), {0, 0.02, camber, load});
      const rt::SlipForce left = rt::slipForce(only(model), {0, -0.02, camber, load});
      CHECK(braked.longitudinal < 0);
      CHECK((right.lateral - left.lateral) * (rt::slipForce(only(model), {0, 0.02, 0, 3000}).lateral -
                                              rt::slipForce(only(model), {0, -0.02, 0, 3000}).lateral) >
            0);
    }
}
