#include "rt/plan/runs.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("runs hold every batch once, in order", "[rt][plan]") {
  for (const ModelSpec& spec : {hubWithLoops(3, 4), cantileverOfBushings(7), equalArms(5)}) {
    CAPTURE(spec.name);
    const Plan plan = compilePlan(buildModel(spec));
    std::size_t batch = 0, link = 0, lone = 0;
    for (const PlanRun& run : plan.runs) {
      if (run.kind == PlanRun::Kind::kLone) {
        CHECK(run.first == static_cast<int>(lone));
        lone += static_cast<std::size_t>(run.count);
        batch += static_cast<std::size_t>(run.count);  // a lone body is a batch of one as well
        continue;
      }
      const bool of_links = run.kind != PlanRun::Kind::kBatches;
      CHECK(run.first == static_cast<int>(of_links ? link : batch));
      for (int i = 0; i < run.count; ++i, ++batch) {
        const PlanNode& node = plan.nodes[static_cast<std::size_t>(plan.batches[batch].lanes[0])];
        CHECK((node.link > 0) == of_links);
        if (of_links) CHECK(plan.links[link++].numbers == node.link);
      }
    }
    CHECK(batch == plan.batches.size());
    CHECK(link == plan.links.size());
    CHECK(lone == plan.lone.size());
  }
}

TEST_CASE("the work of a line of six-row joints grows with its length alone, and nearly all of it is links",
          "[rt][plan]") {
  for (const int n : {8, 64}) {
    CAPTURE(n);
    const Plan plan = compilePlan(buildModel(cantileverOfBushings(n)));
    // Two bodies have one joint to eliminate; the joint where both ends meet is none of a line.
    CHECK(static_cast<int>(plan.links.size()) >= 2 * n - 4);
    CHECK(plan.largest_front == 18);
    // Of a body 2 6^2 + 4 6 12 operations a solve, of a joint 2 6^2 + 4 6 6; of a factorization d^3/3 + 2 d^2 b + d b
    // (b + 1).
    CHECK(plan.solve_flops <= 576.0 * n);
    CHECK(plan.factor_flops <= 2628.0 * n);
    CHECK(plan.runs.size() <= 8);  // a run is one loop: no dispatch node by node
  }
}
