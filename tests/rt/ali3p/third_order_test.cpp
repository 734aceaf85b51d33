#include "rt/ali3p/third_order.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("the reports of three steps are summed up to the worst of them", "[rt][ali3p]") {
  StepReport whole, first, second;
  whole.iterations = first.iterations = second.iterations = 2;
  whole.factorizations = 1;
  first.factorizations = 2;
  second.limited = 3;
  whole.increment = 1e-3;
  first.increment = 1e-5;
  second.residual = std::numeric_limits<double>::quiet_NaN();
  const StepReport all = combineReports(whole, first, second);
  CHECK(all.status == TickStatus::kOk);
  CHECK(all.iterations == 6);
  CHECK(all.factorizations == 3);
  CHECK(all.limited == 3);
  CHECK(all.increment == 1e-3);
  CHECK(std::isnan(all.residual));
  first.status = TickStatus::kNotPositive;
  CHECK(combineReports(whole, first, second).status == TickStatus::kNotPositive);
}

TEST_CASE("an extrapolation cancels an error that quarters with the half steps", "[rt][ali3p]") {
  const Model model = buildModel(randomTree(5, JointMix::kMixed, 3));
  const State exact = initialState(model).state;
  // Shares of two threads, one after the other: each combines its own values.
  for (const int threads : {1, 2}) {
    State coarse = exact, fine = exact;
    for (std::size_t k = 0; k < exact.values().size(); ++k) {
      const double error = 1e-4 * std::sin(static_cast<double>(k));
      coarse.values()[k] += 4 * error;
      fine.values()[k] += error;
    }
    for (int thread = 0; thread < threads; ++thread) extrapolate(coarse, fine, Team{thread, threads, nullptr});
    for (std::size_t k = 0; k < exact.values().size(); ++k)
      CHECK(fine.values()[k] ==
            Approx(exact.values()[k]).epsilon(0).margin(1e-7));  // normalized quaternions: squares of 1e-4
    for (int i = 0; i < model.bodyCount(); ++i)
      CHECK(fine.p(i).norm() == Approx(1).epsilon(0).margin(1e-15));  // round-off
  }
}
