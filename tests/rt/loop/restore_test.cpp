#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;
using tactus::tests::LoopMechanism;
using tactus::tests::newest;

namespace {

LoopOptions scripted() {
  LoopOptions options;
  for (std::int64_t tick = 1; tick < 60; tick += 7)
    options.script.push_back({tick, {std::sin(static_cast<double>(tick)), 0.5}});
  options.stop_tick = 60;
  return options;
}

}  // namespace

TEST_CASE("a restored loop continues as if it had never stopped", "[rt][loop]") {
  LoopMechanism m;
  TickLoop straight(m.model, m.plan, m.settings, m.initial, scripted());
  TickLoop first(m.model, m.plan, m.settings, m.initial, scripted());
  TickLoop other(m.model, m.plan, m.settings, m.initial, scripted());
  for (int i = 0; i < 25; ++i) first.tick();
  for (int i = 0; i < 60; ++i) other.tick();
  CHECK(other.finished());

  // Back in time: the script too, and the end is ahead again.
  ActuatorInput waiting(m.model);
  waiting.sequence = 9;
  other.inputs().offer(waiting);
  other.restore(newest(first));
  CHECK_FALSE(other.finished());
  CHECK(newest(other).header.tick == 25);
  CHECK(newest(other).header.input_first_tick == newest(first).header.input_first_tick);
  for (int i = 0; i < 50; ++i) straight.tick();
  for (int i = 0; i < 25; ++i) other.tick();
  CHECK(hashState(other.state()) == hashState(straight.state()));
  CHECK(newest(other).inputs == newest(straight).inputs);
  CHECK(hashState(newest(other).header.tick, newest(other).state) == hashState(other.state()));
}

TEST_CASE("the epoch of a publication counts how often the state was set", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  CHECK(newest(loop).header.epoch == 1);
  loop.tick();
  CHECK(newest(loop).header.epoch == 1);
  loop.restore(newest(loop));
  CHECK(newest(loop).header.epoch == 2);
  loop.tick();
  loop.reset(m.initial);
  CHECK(newest(loop).header.epoch == 3);
}
