#include "rt/offline/multistep/coefficients.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt::offline;

TEST_CASE("the two-step method keeps its order conditions and its roots at infinity with uneven steps",
          "[rt][offline][linear]") {
  for (const double rho : {0.0, 0.3, 0.6, 1.0})
    for (const double w : {0.5, 0.8, 1.0, 1.25, 2.0}) {
      INFO("rho_inf " << rho << ", ratio " << w);
      const MultistepCoefficients k = twoStepCoefficients(rho, w);
      // With the new step as unit and t_k = 0, the earlier times are -1 and -1 - 1/w.
      const double t[] = {0, -1, -1 - 1 / w};
      for (int q = 0; q <= 2; ++q) {
        double sum = q == 0 ? -1 : 0;
        for (int j = 0; j <= 2; ++j) {
          if (j > 0) sum += k.alpha[j] * std::pow(t[j], q);
          if (q > 0) sum += k.beta[j] * q * std::pow(t[j], q - 1);
        }
        CHECK(std::abs(sum) < 1e-14);  // round-off of six terms
      }
      // beta_0 x^2 + beta_1 x + beta_2 has both roots at -rho_inf.
      CHECK(k.beta[1] == Approx(2 * rho * k.beta[0]).epsilon(0).margin(1e-14));
      CHECK(k.beta[2] == Approx(rho * rho * k.beta[0]).epsilon(0).margin(1e-14));
      if (w == 1.0) {
        const MultistepCoefficients even = multistepCoefficients(2, rho);
        // Round-off of two closed forms.
        CHECK(k.alpha[1] == Approx(even.alpha[1]).epsilon(0).margin(1e-14));
        CHECK(k.beta[0] == Approx(even.beta[0]));
      }
    }
}
