// Steady forces of tyres against their slip, for every law.
// Covers: rt/mechanics/tyres/laws.h, rt/model/elements/tyre_laws.h
#include "rt/mechanics/tyres/tyre_law.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"

#include "tests/rt/mechanics/tyres/one_wheel.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <set>
#include <variant>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("every tyre law: slope without slip, friction limit, symmetry, combined slip", "[rt][mechanics][tyres]") {
  for (TyreCase law : everyTyre()) {
    INFO(law.name);
    if (auto* magic = std::get_if<rt::MagicFormulaTyreSpec>(&law.grip)) magic->coefficients.erase("PHY1");
    const rt::Model model = rt::buildModel(wheel(law.grip, 0, 0));
    const rt::SlipTyre& t = only(model);
    const rt::SlipStiffness k = rt::slipStiffness(t, kLoad, 0);
    CHECK(k.longitudinal == Approx(law.longitudinal_stiffness));
    const double h = 1e-6;
    // The law bends in proportion to h; its second derivative is below 100.
    CHECK(rt::slipForce(t, {h, 0, 0, kLoad}).longitudinal / h == Approx(k.longitudinal).epsilon(1e-4));
    CHECK(rt::slipForce(t, {0, h, 0, kLoad}).lateral / h == Approx(k.lateral).epsilon(1e-4));

    // Driven, braked, to either side.
    const rt::SlipForce a = rt::slipForce(t, {0.05, 0.06, 0, kLoad}), b = rt::slipForce(t, {0.05, -0.06, 0, kLoad});
    CHECK(a.longitudinal > 0);
    CHECK(a.lateral > 0);
    CHECK(a.aligning < 0);  // turns the wheel out of its slip
    CHECK(b.lateral == Approx(-a.lateral));
    CHECK(b.aligning == Approx(-a.aligning));
    CHECK(rt::slipForce(t, {-0.05, 0.06, 0, kLoad}).longitudinal < 0);

    // The friction circle, about; no more force with both slips than with one.
    double largest = 0;
    for (double x = -1; x <= 1; x += 0.01)
      for (double y = -1; y <= 1; y += 0.05) {
        const rt::SlipForce f = rt::slipForce(t, {x, y, 0, kLoad});
        largest = rt::worst(largest, std::hypot(f.longitudinal, f.lateral));
      }
    // The Magic Formula weighs each force by the other slip: it leaves its ellipse a little.
    const bool combines = !std::holds_alternative<rt::MagicFormulaTyreSpec>(law.grip);
    CHECK(largest <= law.friction * (combines ? 1.0 : 1.1) * kLoad * (1 + 1e-12));
    CHECK(largest >= 0.89 * kLoad);  // 1 % coarse grid of slips
    CHECK(rt::slipForce(t, {0.05, 0.3, 0, kLoad}).longitudinal < rt::slipForce(t, {0.05, 0, 0, kLoad}).longitudinal);

    // On ice.
    CHECK(rt::slipForce(t, {0, 1, 0, kLoad, 0.1}).lateral < 0.12 * kLoad);
  }
}

TEST_CASE("the hash of a model counts the constants of the law that its tyre has", "[rt][mechanics][tyres]") {
  std::set<std::uint64_t> hashes;
  for (TyreCase law : everyTyre()) {
    hashes.insert(rt::buildModel(wheel(law.grip, 0, 0)).hash);
    std::visit(
        []<typename Grip>(Grip& grip) {
          if constexpr (requires { grip.coefficients; })
            grip.coefficients["PDY1"] *= 1.5;
          else
            grip.cornering_stiffness *= 1.5;
        },
        law.grip);
    hashes.insert(rt::buildModel(wheel(law.grip, 0, 0)).hash);
  }
  CHECK(hashes.size() == 2 * everyTyre().size());
}
