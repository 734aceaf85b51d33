// Steps along a plan with freedoms against steps along a plan of rows alone.
#include "rt/ali3p/tree/freedoms.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace tactus;
using namespace tactus::tests;

namespace {

int carriedBodiesOf(const rt::Plan& plan) {
  return static_cast<int>(std::count_if(plan.nodes.begin(), plan.nodes.end(), [](const rt::PlanNode& node) {
    return node.kind == rt::NodeKind::kFreedomBody;
  }));
}

struct RunResult {
  rt::State state;
  std::vector<double> violations;
};

RunResult run(const rt::Model& model, const rt::Plan& plan, const rt::Settings& settings, int steps) {
  rt::Workspace ws(model, plan, 1);
  rt::State state = rt::initialState(model).state;
  const std::vector<double> input(model.actuators.size(), 0.0);
  RunResult result;
  for (int i = 0; i < steps; ++i) {
    const rt::StepReport report = rt::step(model, plan, settings, input, state, ws);
    REQUIRE(report.status == rt::TickStatus::kOk);
    result.violations = {report.constraint_position, report.constraint_velocity};
  }
  result.state = state;
  return result;
}

}  // namespace

TEST_CASE("steps by freedoms are those by rows", "[rt][ali3p]") {
  int carried = 0;
  for (const bool gyroscopic : {false, true})
    for (const bool third_order : {false, true})
      for (const rt::ModelSpec& spec : {randomTree(9, JointMix::kHinged, 4), randomTree(8, JointMix::kMixed, 5),
                                        randomLoop(5, 1, 3), hubWithLoops(3, 5)}) {
        CAPTURE(spec.name, gyroscopic, third_order);
        const rt::Model model = rt::buildModel(spec);
        rt::Settings settings = rt::chooseSettings(model, 1'000'000, 3);
        settings.gyroscopic_tangent = gyroscopic;
        settings.third_order = third_order;
        const rt::Forest forest = rt::findForest(model, rt::ForestRule::kSpanning, 3);
        const rt::Plan plan = rt::layOutPlan(model, rt::HubRule::kNone, forest);
        carried += carriedBodiesOf(plan);
        const RunResult rows = run(model, rt::compilePlan(model, rt::LaneRule::kNone, rt::FreedomRule::kNone), settings, 50);
        const RunResult freedoms = run(model, plan, settings, 50);
        for (int i = 0; i < model.bodyCount(); ++i) {
          // The rows have a compliance of 1e-8 of that of their bodies, of which the iterations leave the square.
          CHECK((rows.state.view().r(i) - freedoms.state.view().r(i)).norm() < 1e-8);
          CHECK((rows.state.view().v(i) - freedoms.state.view().v(i)).norm() < 1e-6);
        }
        for (std::size_t level = 0; level < 2; ++level)
          CHECK(freedoms.violations[level] < std::max(2 * rows.violations[level], 1e-10));
      }
  CHECK(carried > 0);
}
