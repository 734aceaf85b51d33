#include "rt/offline/multistep/first_order_steppers.h"
#include "rt/offline/integrator.h"
#include "tests/rt/offline/plain_systems.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace tactus::rt::offline;
using namespace tactus::tests;

namespace {

/// On a linear oscillator the first iteration is exact already.
constexpr Index3Solver::Settings kTight{1e-10, 50, 0};

}  // namespace

TEST_CASE("multistep and single-step runs on a nonlinear oscillator satisfy the same formula",
          "[rt][offline][linear]") {
  // The single-step form is the multistep form in vector spaces: after r points its run obeys the formula.
  const NonlinearOscillator system;
  const double h = 0.1;
  for (const int r : {2, 3, 4})
    for (const double rho : {0.0, 0.3, 0.6, 0.9})
      for (const bool single : {false, true}) {
        INFO("r " << r << ", rho_inf " << rho << ", single-step " << single);
        std::unique_ptr<Stepper> stepper;
        if (single)
          stepper = std::make_unique<SingleStepStepper>(system, system.pointAt(1, 0.5), r, rho, kTight);
        else
          stepper = std::make_unique<MultistepStepper>(system, system.pointAt(1, 0.5), r, rho, kTight);
        std::vector<MotionPoint> run = {stepper->point()};
        for (int k = 0; k < 40; ++k) {
          stepper->advance(h);
          run.push_back(stepper->point());
        }
        const MultistepCoefficients c = multistepCoefficients(r, rho);
        double worst = 0;
        for (std::size_t k = 2 * r; k < run.size(); ++k) {
          double x = -run[k].position[0] + c.beta[0] * h * run[k].velocity[0];
          double v = -run[k].velocity[0] + c.beta[0] * h * run[k].acceleration[0];
          for (int j = 1; j <= r; ++j) {
            x += c.alpha[j] * run[k - j].position[0] + c.beta[j] * h * run[k - j].velocity[0];
            v += c.alpha[j] * run[k - j].velocity[0] + c.beta[j] * h * run[k - j].acceleration[0];
          }
          worst = std::max({worst, std::abs(x), std::abs(v)});
        }
        CHECK(worst < 1e-11);  // steps are solved to 1e-10 of their last change, hence closer
      }
}
