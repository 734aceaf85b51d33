// Covers: rt/loop/model_exchange.h, rt/loop/compiled_model.cpp
#include "rt/loop/model_exchange.h"

#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <memory>

using namespace tactus::rt;
using tactus::tests::LoopMechanism;

TEST_CASE("an offered model is used from the next tick on, and that tick is known", "[rt][loop]") {
  LoopMechanism m;
  auto heavier = std::make_shared<Model>(m.model);
  heavier->bodies[0].mass *= 2;
  CompiledModel next(heavier, 1, 5);
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.tick();
  loop.models().offer(next);
  CHECK(loop.models().version() == 0);
  loop.tick();
  CHECK(loop.models().version() == 5);
  CHECK(loop.models().firstTick() == 2);
  CHECK(loop.models().publicationBefore() == 2);  // the initial State and tick 1
  CHECK_FALSE(loop.models().withdraw());

  Snapshot snapshot;
  loop.ring().newest(snapshot);
  CHECK(snapshot.header.model_version == 5);
}

TEST_CASE("a model that is withdrawn in time is never used", "[rt][loop]") {
  LoopMechanism m;
  CompiledModel next(std::make_shared<Model>(m.model), 1, 1);
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.models().offer(next);
  CHECK(loop.models().withdraw());
  loop.tick();
  CHECK(loop.models().version() == 0);
}

TEST_CASE("between two runs a model is set at once, and null brings the initial one back", "[rt][loop]") {
  LoopMechanism m;
  CompiledModel first(std::make_shared<Model>(m.model), 1, 1), second(std::make_shared<Model>(m.model), 1, 2);
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.tick();
  loop.models().offer(first);
  loop.setModel(&second);
  CHECK(loop.models().version() == 2);
  CHECK(loop.models().firstTick() == 2);
  loop.tick();
  CHECK(loop.models().version() == 2);  // the offer was dropped
  loop.setModel(nullptr);
  CHECK(loop.models().version() == 0);
  CHECK(loop.models().firstTick() == 0);
  CHECK(loop.models().parts().model == &m.model);
}
