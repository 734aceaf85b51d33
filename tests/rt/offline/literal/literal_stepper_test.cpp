// Covers: rt/offline/literal/literal_chain.cpp
#include "rt/mechanics/initial_state.h"
#include "tests/rt/offline/bricard.h"
#include "tests/rt/offline/method_run.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

TEST_CASE("the literal form of ALi3p refuses all but open chains of spherical joints", "[rt][offline][mechanism]") {
  for (const rt::ModelSpec& spec : {fourBar(FourBarReading::kDown), bricard(), ladder(2), freeBody(1)}) {
    INFO(spec.name);
    const rt::Model model = rt::buildModel(spec);
    CHECK_THROWS_WITH(
        integrate({model, rt::initialState(model).state, {}, 0.01, 0.1, {}, nullptr, {}}, "ali3p-literal"),
        Catch::Contains("ali3p-literal takes open chains on ground: "));
  }
  // The step of the server solves the same equations: the two differ far below the error of the rule, 1e-4 m.
  const rt::Model model = rt::buildModel(chain(8));
  const Trajectory literal = runOn(model, {}, "ali3p-literal", 0.01, 0.5, {"alpha=1e10"}),
                   own = runOn(model, {}, "ali3p", 0.01, 0.5);
  const auto tipOf = [&model](const Trajectory& run) {
    return rt::Vector3d(rt::StateView(rt::StateLayout(model), run.samples.back().state.data()).r(7));
  };
  CHECK((tipOf(literal) - tipOf(own)).norm() < 1e-5);  // m; the error of the rule is 1e-4
  CHECK(literal.statistics.newton_iterations == 150);
}
