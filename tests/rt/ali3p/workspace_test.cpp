// Nothing in a workspace survives a step: filled with NaN between steps, it gives the same bits.
// Covers: rt/ali3p/chain/workspace.cpp, rt/ali3p/forest/workspace.cpp, rt/ali3p/tree/workspace.cpp
#include "rt/ali3p/workspace.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"

#include "rt/ali3p/step.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <malloc.h>

#include <algorithm>
#include <limits>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
void fill(std::vector<T>& elements) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  auto* numbers = reinterpret_cast<double*>(elements.data());
  std::fill_n(numbers, elements.size() * sizeof(T) / sizeof(double), kNaN);
}

void fill(rt::State& state) {
  std::fill(state.values().begin(), state.values().end(), kNaN);
}

void fill(rt::TreeConditions& conditions) {
  fill(conditions.input);
  fill(conditions.drives);
  fill(conditions.displacements);
  fill(conditions.internal_states);
  conditions.internal_dt = kNaN;
}

void fill(const rt::Model& model, rt::TreeWorkspace& ws) {
  fill(ws.iterate.motions);
  fill(ws.iterate.rotations);
  fill(ws.iterate.lambda);
  fill(ws.conditions);
  const rt::RowJacobian zeros = ws.rows.jacobian.back();
  fill(ws.rows.jacobian);
  ws.rows.jacobian.back() = zeros;  // constant
  for (rt::PointJoints& joints : ws.rows.points.groups())
    for (rt::PointJoints::Vector* vector : {&joints.arm_1, &joints.arm_2, joints.turned_1, joints.turned_1 + 1,
                                            joints.turned_2, joints.turned_2 + 1, joints.normal, joints.normal + 1})
      vector->setConstant(rt::PointJoints::Scalar(kNaN));
  fill(ws.rows.phi);
  fill(ws.rows.rates);
  fill(ws.rows.gamma);
  for (rt::Matrix6d* matrix : {&ws.rows.law.K, &ws.rows.law.C}) matrix->setConstant(kNaN);
  for (rt::Vector6d* vector : {&ws.rows.law.rest, &ws.rows.law.preload}) vector->setConstant(kNaN);
  ws.rows.law.minimum_stiffness = 1e12;  // N/m; a comparison with NaN would hide it
  fill(ws.loads.bodies);
  fill(ws.tangent.stiffness);
  fill(ws.tangent.bodies);
  fill(ws.tangent.compliance_scale);
  fill(ws.tangent.epsilon);
  fill(ws.tangent.compliance);
  fill(ws.tangent.elastic_share);
  fill(ws.tangent.rigidity);
  for (const rt::Joint& joint : model.joints)  // constant of rigid rows
    for (int row = joint.first_row; row < joint.first_row + joint.row_count && !joint.compliant(); ++row)
      ws.tangent.rigidity[static_cast<std::size_t>(row)] = 1;
  ws.tangent.unsymmetric = !ws.tangent.unsymmetric;
  fill(ws.fronts.symmetric);
  fill(ws.fronts.square);
  fill(ws.unknowns.values);
  fill(ws.unknowns.permuted);
}

/// The lower body of a double pendulum carries a wheel far above its road, whose tyre is slack, before a stiffer rope.
rt::ModelSpec wheelInTheAir() {
  rt::ModelSpec spec = doublePendulum();
  spec.name = "wheel_in_the_air";
  rt::VerticalTyreSpec tyre;
  tyre.road = "road";
  tyre.body = spec.bodies.back().name;
  tyre.radius = 0.4;
  tyre.stiffness = 2e5;
  tyre.damping = 300;
  rt::TranslationalSpringSpec rope;
  rope.body_1 = "ground";
  rope.body_2 = spec.bodies.front().name;
  rope.point_1 = {3, 3, 3};
  rope.stiffness = 1e6;
  rope.law.only = rt::SpringSide::kPull;
  rope.free_length = 1;
  spec.forces = {{"tyre", "", tyre}, {"rope", "", rope}};
  spec.roads = {{"road", "", {0, 0, -50}, {0, 0, 1}, {1, 0, 0}, {}, 1, {}, {}, {}}};
  return spec;
}

/// All rows but those that the constructor sets once; ground and what lies beyond the last segment are constant, too.
void fill(const rt::Chain& chain, int rows, int constant_row, rt::SegmentRows& numbers) {
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < chain.segments && row != constant_row; ++i) *numbers.at(row, i) = kNaN;
}

void fill(const rt::Chain& chain, rt::ChainWorkspace& ws) {
  for (rt::SegmentRows& buffer : ws.buffers) fill(chain, rt::kSegmentRows, -1, buffer);
  for (rt::InterfaceSystem& system : ws.systems) {
    fill(chain, rt::kInterfaceRows, rt::kJoined, system.rows);
    const rt::InterfaceBlock last = system.blocks.back();
    fill(system.blocks);
    system.blocks.back().x = last.x;  // constant: zero
    system.buffer = 1 - system.buffer;
  }
  fill(ws.motions);
}

/// All but the world as a body and as a child, which stand behind what units pass to the trunk.
void fill(rt::ForestWorkspace& ws) {
  fill(ws.nodes);
  fill(ws.motions);
  constexpr std::size_t kLine = sizeof(rt::ForestLine);
  constexpr std::size_t kConstant =
      (sizeof(rt::ForestPassed) + kLine - 1) / kLine + (sizeof(rt::ForestBody) + kLine - 1) / kLine;
  auto* numbers = reinterpret_cast<double*>(ws.passed.data());
  std::fill_n(numbers, (ws.passed.size() - kConstant) * kLine / sizeof(double), kNaN);
  for (rt::ForestShare& share : ws.shares) {
    fill(share.trunk);
    fill(share.conditions);
    fill(share.loads.bodies);
    fill(share.motions);
    fill(share.added);
    share.side = 1 - share.side;
  }
}

void fill(const rt::Model& model, const rt::Plan& plan, rt::SolverWorkspace& ws) {
  fill(model, ws.tree);
  for (rt::TreeWorkspace& of_thread : ws.tree.of_threads) {
    fill(model, of_thread);
    for (std::vector<double>& squares : of_thread.squares) fill(squares);
    of_thread.alone = !of_thread.alone;
  }
  for (rt::TreeExchange::Side& side : ws.tree.exchange.sides) {
    fill(side.ports);
    for (std::vector<double>& squares : side.squares) fill(squares);
  }
  fill(ws.tree.exchange.updates);
  fill(ws.tree.exchange.motions);
  fill(ws.tree.exchange.lambda);
  if (plan.chain) fill(*plan.chain, ws.chain);
  if (plan.forest) fill(ws.forest);
}

/// Everything that a step may not rely on.
void fill(const rt::Model& model, const rt::Plan& plan, rt::Workspace& ws) {
  fill(model, plan, ws.solver);
  if (ws.beside) fill(model, plan, *ws.beside);
  rt::Extrapolation& x = ws.extrapolation;
  for (rt::State* state : {&ws.next, &x.coarser[0], &x.coarser[1], &x.between[0], &x.between[1], &x.between[2]})
    fill(*state);
  fill(x.inputs);
  x.beside = rt::StepReport{};
  x.beside.status = rt::TickStatus::kNotPositive;
}

}  // namespace

TEST_CASE("a workspace filled with NaN between steps gives the same bits", "[rt][ali3p][determinism]") {
  rt::Settings plain = settingsFor(1e-3), third_order = plain, gyroscopic = plain;
  third_order.third_order = true;
  gyroscopic.gyroscopic_tangent = true;
  int forests = 0;
  for (const rt::ModelSpec& spec :
       {doublePendulum(), randomTree(9, JointMix::kMixed, 4), hubWithLoops(4, 7), rollingRig(), wheelInTheAir(),
        randomChain(9, 2, 3), randomChain(40, 2, 3), randomForest(30, 4), randomTree(400, JointMix::kHinged, 5),
        hubWithLoops(40, 7)})  // the last two in units
    for (const rt::Settings& settings : {plain, third_order, gyroscopic})
      for (const int threads : {1, 2}) {
        CAPTURE(spec.name, settings.third_order, settings.gyroscopic_tangent, threads);
        const rt::Model model = rt::buildModel(spec);
        const rt::FreedomRule freedoms = threads == 2 ? rt::FreedomRule::kCheapest : rt::FreedomRule::kNone;
        rt::Plan plan = rt::compilePlan(model, rt::LaneRule::kAll, freedoms);
        // Forests go by groups however few bodies these have.
        if (threads == 2 && !plan.chain) plan.forest = rt::findForestGroups(model, plan);
        forests += plan.forest ? 1 : 0;
        rt::State kept = rt::initialState(model).state, filled = kept;
        rt::Workspace ws(model, plan, threads), poisoned(model, plan, threads);
        const std::vector<double> input(model.actuators.size(), 0.5);
        for (int tick = 0; tick < 5; ++tick) {
          fill(model, plan, poisoned);
          const rt::StepReport a = rt::step(model, plan, settings, input, kept, ws);
          const rt::StepReport b = rt::step(model, plan, settings, input, filled, poisoned);
          REQUIRE(a.status == rt::TickStatus::kOk);
          CHECK(a == b);
          REQUIRE(rt::hashState(kept) == rt::hashState(filled));
        }
      }
  CHECK(forests >= 6);  // two mechanisms with every setting
}

TEST_CASE("the lanes of a chain rely on nothing that was in their memory", "[rt][ali3p][determinism]") {
  // The working numbers of lanes are not initialized: fresh memory full of NaN takes the place of a fill.
  const rt::Model model = rt::buildModel(randomChain(40, 2, 3));
  const rt::Plan plan = rt::compilePlan(model);
  const rt::Settings settings = settingsFor(1e-3);
  rt::State kept = rt::initialState(model).state, fresh = kept;
  rt::Workspace ws(model, plan);
  for (int tick = 0; tick < 5; ++tick) {
    mallopt(M_PERTURB, 0x100);  // new memory has all bits set: NaN
    rt::Workspace perturbed(model, plan);
    mallopt(M_PERTURB, 0);
    REQUIRE(rt::step(model, plan, settings, {}, kept, ws).status == rt::TickStatus::kOk);
    REQUIRE(rt::step(model, plan, settings, {}, fresh, perturbed).status == rt::TickStatus::kOk);
    REQUIRE(rt::hashState(kept) == rt::hashState(fresh));
  }
}

TEST_CASE("threads of a workspace share lane groups, or have a second solver workspace", "[rt][ali3p]") {
  const rt::Model tree = rt::buildModel(randomTree(9, JointMix::kMixed, 4)), line = rt::buildModel(chain(600));
  const rt::Plan tree_plan = rt::compilePlan(tree), line_plan = rt::compilePlan(line);
  const rt::Workspace one(tree, tree_plan), two(tree, tree_plan, 4), shared(line, line_plan, 2);
  CHECK(one.threads == 1);
  CHECK_FALSE(one.barrier);
  CHECK(two.threads == 2);
  CHECK(two.barrier);
  CHECK(two.beside);
  CHECK(shared.threads == 2);
  CHECK(shared.barrier);
  CHECK_FALSE(shared.beside);
  CHECK(shared.solver.chain.systems.size() == 2);
}
