// A tick allocates nothing, frees nothing and takes no lock, for every kind of mechanism.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/loop/reader_waker.h"
#include "rt/loop/tick_loop.h"
#include "rt/math/modal_parts.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"
#include "tests/support/mechanisms.h"
#include "tests/support/no_alloc_guard.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace tactus::rt;
using namespace tactus::tests;

/// A published mechanism with a force on its first body. One of composites alone brings its own force.
ModelSpec driven(ModelSpec spec) {
  if (spec.bodies.empty()) return spec;
  ActuatorSpec actuator;
  actuator.name = "push";
  BodyForceSpec force;
  force.body = spec.bodies.front().name;
  force.direction = Vector3d(0, 0, 1);
  actuator.kind = force;
  spec.actuators.push_back(actuator);
  return spec;
}

struct Rig {
  Model model;
  Plan plan = compilePlan(model);
  Settings settings = chooseSettings(model);
  State initial = initialState(model).state;

  explicit Rig(const ModelSpec& spec) : model(buildModel(driven(spec))) {}
};

/// A chain with every kind of row that has a law, a load of its own on a body, and third-order steps.
ModelSpec sprung() {
  ModelSpec spec = chain(4);
  TranslationalSpringSpec spring;
  spring.body_1 = kGroundName;
  spring.body_2 = spec.bodies[1].name;
  spring.point_1 = {1.5, 1, 0};
  spring.stiffness = 100;
  spring.damping = 1;
  BushingSpec bushing;
  bushing.body_1 = spec.bodies[0].name;
  bushing.body_2 = spec.bodies[1].name;
  bushing.point_1 = {0.5, 0, 0};
  bushing.point_2 = {-0.5, 0, 0};
  bushing.stiffness = bushing.damping = Eigen::MatrixXd::Identity(6, 6);
  RoadSpec road;
  road.name = "road";
  road.origin = {0, -0.2, 0};
  road.up = {0, 1, 0};
  road.along = {1, 0, 0};
  road.half_cylinders = {{3.5, 0.1}};
  road.heights = {0, -1, 0.5, 5, std::vector<double>(50, 0.01)};
  spec.roads = {road};
  spec.forces = {{"spring", "", spring},
                 {"bushing", "", bushing},
                 {"tyre", "", VerticalTyreSpec{"road", spec.bodies[3].name, Vector3d(0, 0, 0), 0.3, 1000, 10}},
                 {"air", "", BodyDragSpec{spec.bodies[3].name, 0.1, 0.1}}};
  DrivenDistanceSpec rod;
  rod.body_1 = kGroundName;
  rod.body_2 = spec.bodies[2].name;
  rod.point_1 = {2.5, 2, 0};
  spec.drives = {{"rod", "", rod, HarmonicSpec{2, 0.01, 2, 0}}};
  spec.solver.third_order = true;
  return spec;
}

/// Two mechanisms of one freedom each whose angles a coupler ties together.
ModelSpec coupled() {
  ModelSpec spec = together({ladder(1), ladder(1)});
  JointSpec coupler;
  coupler.name = "coupler";
  coupler.kind = CouplerSpec{{{"m0_foot_0", 1, false}, {"m1_foot_1", -1, false}}};
  spec.joints.push_back(coupler);
  return spec;
}

/// Five beam elements between ground and a body: a group of four and one alone.
ModelSpec flexible() {
  ModelSpec spec = freeBody(1.0);
  spec.bodies[0].position = {0.5, 0, 0};
  spec.bodies[0].velocity = spec.bodies[0].angular_velocity = Vector3d::Zero();
  BeamSpec beam;
  beam.points = {{Vector3d::Zero(), 0}, {{0.5, 0, 0}, 0}};
  beam.elements = 5;
  beam.stations = {{0, CircleSectionSpec{0.01}}};
  beam.material = BeamMaterialSpec{2e11, 0.3, 7800};
  beam.damping_time = 1e-4;
  beam.mounts = {{0, kGroundName}, {5, spec.bodies[0].name}};
  spec.composites = {{"arm", "", beam}};
  return spec;
}

/// A modal body of two masses with six springs between them, one body for six free modes, and a ball of ground.
ModelSpec modal() {
  ModelSpec spec;
  spec.name = "modal";
  spec.gravity = Vector3d(0, 0, -9.81);
  const Matrix3d inertia = Vector3d(2, 3, 3.5).asDiagonal();
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(12, 12), strain(6, 12);
  for (const Eigen::Index at : {0, 6}) mass.diagonal().segment<6>(at) << 20, 20, 20, 2 * inertia.diagonal();
  strain << -motionAt({1, 0, 0}), motionAt({-1, 0, 0});
  const Eigen::MatrixXd stiffness = 1e6 * strain.transpose() * strain;
  ModalBodySpec body;
  body.interfaces = {{"left", {-1, 0, 0}, 10, inertia}, {"right", {1, 0, 0}, 10, inertia}};
  body.stiffness.assign(stiffness.data(), stiffness.data() + stiffness.size());  // symmetric: rows are columns
  body.mass.assign(mass.data(), mass.data() + mass.size());
  body.modes = 6;
  body.damping_time = 1e-4;
  spec.composites = {{"flex", "", body}};
  spec.joints = {{"ball", "", kGroundName, "flex.left", SphericalSpec{{-1, 0, 0}, Vector3d::Zero()}}};
  spec.actuators.resize(1);
  spec.actuators[0].name = "push";
  spec.actuators[0].kind = BodyForceSpec{"flex.right", Vector3d::Zero(), Vector3d::UnitY(), Frame::kWorld};
  return spec;
}

/// Copies of a pendulum with drag: a forest.
ModelSpec pendulums(int count) {
  ModelSpec spec = together(std::vector<ModelSpec>(static_cast<std::size_t>(count), doublePendulum()));
  for (const BodySpec& body : spec.bodies)
    spec.forces.push_back({"air_" + body.name, "", BodyDragSpec{body.name, 0.1, 0.1}});
  return spec;
}

ModelSpec mechanism(int which) {
  switch (which) {
    case 0: return doublePendulum();
    case 1: return fourBar(FourBarReading::kUp);
    case 2: return chain(32);
    case 3: return ladder(3);
    case 4: return sprung();
    case 5: return rollingRig();
    case 6: return coupled();
    case 7: return flexible();
    case 8: return modal();
    case 9: return pendulums(4);
    default: return freeBody(2.0);
  }
}

}  // namespace

TEST_CASE("1000 ticks with inputs, losses, a safe state and changed parameters allocate nothing and take no lock",
          "[realtime]") {
  const Rig m(mechanism(GENERATE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
  // Made off the tick, taken by it; the one before stays where it is.
  auto heavier = std::make_shared<Model>(m.model);
  heavier->bodies[0].mass *= 1.01;
  CompiledModel first(heavier, 1, 1), second(heavier, 1, 2);
  LoopOptions options;
  options.script = {{500, std::vector<double>(m.model.actuators.size(), 0.01)}};
  options.miss_limit = 2;  // an input comes every third tick
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  ActuatorInput input(m.model);
  loop.warmUp();

  GuardCounts counts;
  {
    NoAllocGuard guard;
    for (std::uint64_t n = 1; n <= 1000; ++n) {
      input.sequence = n;
      input.values[0] = n % 2 == 0 ? 0.02 : -0.02;
      if (n % 3 == 0) loop.inputs().offer(input);
      if (n == 700) loop.requestSafeState();
      if (n == 800) loop.requestClear();
      if (n == 400) loop.models().offer(first);
      if (n == 900) loop.models().offer(second);
      loop.tick();
    }
    counts = guard.counts();
  }
  REQUIRE_FALSE(loop.faulted());
  CHECK(loop.state().tick == 1000);
  CHECK(loop.models().version() == 2);
  CHECK(loop.models().firstTick() == 900);
  CHECK(loop.stats().report().input_losses > 200);
  CHECK(loop.stats().report().inputs_left_aside > 30);
  CHECK(counts.allocations == 0);
  CHECK(counts.releases == 0);
  CHECK(counts.locks == 0);
  CHECK(counts.system_calls == 0);
}

TEST_CASE("ticks that two threads share allocate nothing", "[realtime]") {
  struct Shared {
    int order;
    ModelSpec spec;
  };
  const ModelSpec copies = together(std::vector<ModelSpec>(200, doublePendulum()));
  for (const auto& [order, spec] : {Shared{2, chain(520)}, Shared{2, copies}, Shared{3, fourBar(FourBarReading::kDown)},
                                    Shared{4, fourBar(FourBarReading::kDown)}}) {
    CAPTURE(order, spec.name);
    Rig m(spec);
    m.settings.setOrder(order);
    REQUIRE(maxThreads(m.plan, m.settings) >= 2);
    CHECK((order > 2 || m.plan.chain || m.plan.forest));
    LoopOptions options;
    options.threads = 2;
    TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
    loop.warmUp();

    GuardCounts counts;
    {
      NoAllocGuard guard(NoAllocGuard::Threads::kAll);
      for (int n = 0; n < 20; ++n) loop.tick();
      counts = guard.counts();
    }
    REQUIRE_FALSE(loop.faulted());
    CHECK(loop.state().tick == 20);
    CHECK(counts.allocations == 0);
    CHECK(counts.releases == 0);
  }
}

TEST_CASE("a paced run with readers, reports and resets beside it allocates nothing and takes no lock", "[realtime]") {
  const Rig m(doublePendulum());
  LoopOptions options;
  options.stop_tick = 1000;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  ReaderWaker waker(loop.ring());
  TickClock clock(m.settings.period_ns, {ClockMode::kScaled, 4, 20'000});
  loop.warmUp();

  // Readers and a writer that allocate as they like.
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int r = 0; r < 2; ++r) {
    others.emplace_back([&] {
      for (std::uint64_t index = 0; waker.waitNewer(index, std::chrono::nanoseconds(-1)) == WaitResult::kNewer;) {
        Snapshot snapshot;
        index = loop.ring().newest(snapshot);
        loop.stats().report();
      }
    });
  }
  others.emplace_back([&] {
    ActuatorInput input(m.model);
    for (; !done.load(); std::this_thread::yield()) {
      ++input.sequence;
      loop.inputs().offer(input);
      if (input.sequence % 1000 == 0) loop.stats().requestReset();
    }
  });

  GuardCounts counts;
  {
    NoAllocGuard guard;
    loop.run(clock, done);
    counts = guard.counts();
  }
  done = true;
  waker.close();
  for (std::thread& other : others) other.join();

  CHECK(loop.finished());
  CHECK(counts.allocations == 0);
  CHECK(counts.releases == 0);
  CHECK(counts.locks == 0);
  // One wake-up a publication, at most.
  CHECK(counts.system_calls <= 1000);
}

TEST_CASE("analyzing late ticks allocates nothing and takes no lock", "[realtime]") {
  const Rig m(chain(32));
  LoopOptions options;
  options.stop_tick = 200;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  // A grid so fine that every tick runs into the next point of it.
  TickClock clock(m.settings.period_ns, {ClockMode::kScaled, 1000, 0});
  const std::atomic<bool> stop{false};
  loop.warmUp();

  GuardCounts counts;
  {
    NoAllocGuard guard;
    loop.run(clock, stop);
    counts = guard.counts();
  }
  const TickStatsReport stats = loop.stats().report();
  CHECK(stats.overruns == 200);
  CHECK(stats.late_ticks[0] + stats.late_ticks[1] + stats.late_ticks[2] + stats.late_ticks[3] == 200);
  CHECK(stats.worst_late.tick > 0);
  CHECK(counts.forbidden() == 0);
}

TEST_CASE("a tick that fails allocates nothing and takes no lock", "[realtime]") {
  const Rig m(doublePendulum());
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  ActuatorInput input(m.model);
  input.sequence = 1;
  input.values[0] = std::numeric_limits<double>::max();
  loop.tick();
  loop.inputs().offer(input);

  GuardCounts counts;
  {
    NoAllocGuard guard;
    for (int n = 0; n < 10; ++n) loop.tick();
    counts = guard.counts();
  }
  CHECK(loop.faulted());
  CHECK(counts.forbidden() == 0);
}
