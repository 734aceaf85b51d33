// The work of ten mechanisms as the plan counts it: no change of the plan may make one of them slower unnoticed.
#include "server/models/built_in_models.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"
#include "tests/support/plan_operations.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace tactus;

namespace {

/// A model of the program, or a mechanism of tests/bench/cases.
rt::Model modelNamed(const std::string& name) {
  const bool is_case = name.find(".json") != std::string::npos;
  const std::string path = std::string(TACTUS_SOURCE_DIR) + "/tests/bench/cases/" + name;
  return rt::buildModel(server::openModel(is_case ? path : name).spec);
}

int carriedBodiesOf(const rt::Plan& plan) {
  return static_cast<int>(std::count_if(plan.nodes.begin(), plan.nodes.end(), [](const rt::PlanNode& node) {
    return node.kind == rt::NodeKind::kFreedomBody;
  }));
}

struct Case {
  const char* name;
  int carried;        ///< bodies that are eliminated by the freedoms of their joints
  double operations;  ///< at most
};

constexpr Case kCases[] = {
    {"arm7.json", 7, 11'190},        {"humanoid30.json", 29, 17'690}, {"tree1000.json", 1000, 435'320},
    {"small100.json", 300, 114'480}, {"ladder50.json", 0, 241'740},   {"ring100.json", 0, 73'540},
    {"vehicle17.json", 12, 11'920},  {"sedan", 14, 18'400},           {"hmmwv", 4, 16'620},
    {"bricard", 0, 21'320},
};

}  // namespace

TEST_CASE("a step of ten mechanisms has no more operations than before", "[server][plan]") {
  for (const Case& c : kCases) {
    const rt::Plan plan = rt::compilePlan(modelNamed(c.name));
    CAPTURE(c.name, carriedBodiesOf(plan), tests::operationsInBatches(plan));
    CHECK(carriedBodiesOf(plan) == c.carried);
    CHECK(tests::operationsInBatches(plan) <= c.operations);
  }
}
