#include "rt/ali3p/extrapolation.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("the reports of the parts of a step are summed up to the worst of them", "[rt][ali3p]") {
  StepReport whole, first, second;
  whole.iterations = first.iterations = second.iterations = 2;
  whole.factorizations = 1;
  first.factorizations = 2;
  second.limited = 3;
  whole.increment = 1e-3;
  first.increment = 1e-5;
  second.residual = std::numeric_limits<double>::quiet_NaN();
  const auto sum = [&] {
    StepReport all;
    for (const StepReport* part : {&whole, &first, &second}) addReport(*part, all);
    return all;
  };
  const StepReport all = sum();
  CHECK(all.status == TickStatus::kOk);
  CHECK(all.iterations == 6);
  CHECK(all.factorizations == 3);
  CHECK(all.limited == 3);
  CHECK(all.increment == 1e-3);
  CHECK(std::isnan(all.residual));
  whole.increment = std::numeric_limits<double>::quiet_NaN();  // of the first report: a finite one follows
  CHECK(std::isnan(sum().increment));
  first.status = TickStatus::kNotPositive;
  CHECK(sum().status == TickStatus::kNotPositive);
}

TEST_CASE("an extrapolation cancels the errors that fall with the second and the third power of the parts",
          "[rt][ali3p]") {
  const Model model = buildModel(randomTree(5, JointMix::kMixed, 3));
  const State exact = initialState(model).state;
  // Shares of two threads, one after the other: each combines its own values.
  for (const int order : {3, 4})
    for (const int threads : {1, 2}) {
      CAPTURE(order, threads);
      State divided[3] = {exact, exact, exact};
      for (std::size_t k = 0; k < exact.values().size(); ++k) {
        const double second = 1e-4 * std::sin(static_cast<double>(k)),
                     third = order == 4 ? 1e-4 * std::cos(3.0 * static_cast<double>(k)) : 0.0;
        for (int parts = 1; parts <= 3; ++parts)
          divided[parts - 1].values()[k] += second / (parts * parts) + third / (parts * parts * parts);
      }
      State& finest = divided[order - 2];
      for (int thread = 0; thread < threads; ++thread)
        extrapolate(order, divided, finest, Team{thread, threads, nullptr});
      for (std::size_t k = 0; k < exact.values().size(); ++k)
        CHECK(finest.values()[k] ==
              Approx(exact.values()[k]).epsilon(0).margin(1e-7));  // normalized quaternions: squares of 1e-4
      for (int i = 0; i < model.bodyCount(); ++i)
        CHECK(finest.p(i).norm() == Approx(1).epsilon(0).margin(1e-15));  // round-off
    }
}
