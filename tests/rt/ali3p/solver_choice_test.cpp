#include "rt/ali3p/solver_choice.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("a chain steps along its lanes unless the gyroscopic tangent is formed", "[rt][ali3p]") {
  rt::Settings plain, gyroscopic;
  gyroscopic.gyroscopic_tangent = true;
  const rt::Model model = rt::buildModel(chain(9));
  const rt::Plan lanes = rt::compilePlan(model), tree = rt::compilePlan(model, rt::LaneRule::kNone);
  CHECK(rt::solverFor(lanes, plain) == rt::SolverKind::kChain);
  CHECK(rt::solverFor(lanes, gyroscopic) == rt::SolverKind::kTree);
  CHECK(rt::solverFor(tree, plain) == rt::SolverKind::kTree);
}
