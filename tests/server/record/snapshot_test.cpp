// Covers: server/record/snapshot_message.cpp
#include "server/record/snapshot_message.h"

#include "server/wire/request_error.h"
#include "tests/server/record/recorded_run.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

v1::SessionSnapshot save(const RecordedRun& run) {
  rt::Snapshot newest(run.model);
  run.loop.ring().newest(newest);
  v1::SessionSnapshot message, traveled;
  writeSnapshot(newest, run.model, 0, message);
  // As it would go through a file.
  REQUIRE(traveled.ParseFromString(message.SerializeAsString()));
  return traveled;
}

Reason reasonOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const RequestError& error) { return error.reason(); }
  return Reason::kInternal;
}

}  // namespace

TEST_CASE("a restored session continues with the same bits, for every built-in model",
          "[server][record][determinism]") {
  std::vector<std::string> names;
  for (const BuiltInModel& model : builtInModels()) names.push_back(model.name);
  const std::string name = GENERATE_COPY(from_range(names));
  INFO(name);
  constexpr int kTicks = 150;

  // An input comes every third tick; the snapshot is taken while one is held.
  RecordedRun straight(name), first(name);
  straight.tick(2 * kTicks + 1);
  first.tick(kTicks + 1);
  const v1::SessionSnapshot saved = save(first);
  CHECK(saved.tick() == kTicks + 1);

  RecordedRun restored(name);
  restored.tick(17);  // whatever it did before
  restored.loop.restore(readSnapshot(saved, restored.model, restored.settings.period_ns));
  CHECK(rt::hashState(restored.loop.state()) == saved.state_hash());
  restored.input.sequence = first.input.sequence;
  restored.tick(kTicks);
  CHECK(restored.loop.state().tick == straight.loop.state().tick);
  CHECK(rt::hashState(restored.loop.state()) == rt::hashState(straight.loop.state()));

  // What the frames say of the input goes on too.
  rt::Snapshot a(straight.model), b(restored.model);
  straight.loop.ring().newest(a);
  restored.loop.ring().newest(b);
  CHECK(a.inputs == b.inputs);
  CHECK(a.header.input_first_tick == b.header.input_first_tick);
  CHECK(a.header.input_held == b.header.input_held);
}

TEST_CASE("a held input and its age are part of a snapshot", "[server][record][determinism]") {
  RecordedRun run;
  run.tick(40, 10);
  run.tick(5, 0);
  const rt::Snapshot snapshot = readSnapshot(save(run), run.model, run.settings.period_ns);
  CHECK(snapshot.header.input_first_tick == 40);
  CHECK(snapshot.header.input_sequence == 4);
  CHECK(snapshot.inputs[0] == std::sin(0.4));

  RecordedRun other;
  other.loop.restore(snapshot);
  other.tick(30, 0);
  run.tick(30, 0);
  CHECK(rt::hashState(other.loop.state()) == rt::hashState(run.loop.state()));
}

TEST_CASE("a restored session continues its script at the tick of the snapshot", "[server][record][determinism]") {
  const RecordedRun kit;
  std::vector<rt::ScriptedInput> script;
  for (int tick = 1; tick < 200; tick += 7) script.push_back({tick, {std::cos(0.1 * tick)}});
  const auto loopOf = [&] {
    rt::LoopOptions options;
    options.script = script;
    return std::make_unique<rt::TickLoop>(kit.model, kit.plan, kit.settings, kit.initial, options);
  };
  const auto straight = loopOf(), first = loopOf(), second = loopOf();
  for (int i = 0; i < 180; ++i) straight->tick();
  for (int i = 0; i < 100; ++i) first->tick();
  for (int i = 0; i < 140; ++i) second->tick();  // beyond the snapshot: the script goes back
  rt::Snapshot saved(kit.model);
  first->ring().newest(saved);
  second->restore(saved);
  for (int i = 0; i < 80; ++i) second->tick();
  CHECK(rt::hashState(second->state()) == rt::hashState(straight->state()));
}

TEST_CASE("a snapshot with any changed number is refused", "[server][record]") {
  RecordedRun run;
  run.tick(25);
  const v1::SessionSnapshot good = save(run);
  CHECK_NOTHROW(readSnapshot(good, run.model, run.settings.period_ns));
  const auto refusal = [&](const std::function<void(v1::SessionSnapshot&)>& change) {
    v1::SessionSnapshot bad = good;
    change(bad);
    return reasonOf([&] { readSnapshot(bad, run.model, run.settings.period_ns); });
  };
  using S = v1::SessionSnapshot;
  const Reason incompatible = Reason::kSnapshotIncompatible;
  CHECK(refusal([](S& s) { s.set_format(2); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_tick(26); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_tick(-1); }) == Reason::kValueOutOfRange);
  CHECK(refusal([](S& s) { s.set_input_sequence(99); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_input_first_tick(3); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_script_hash(1); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_state_hash(1); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_content_hash(1); }) == incompatible);
  CHECK(refusal([](S& s) { s.add_state(0); }) == incompatible);
  CHECK(refusal([](S& s) { s.add_inputs(0); }) == incompatible);
  CHECK(refusal([](S& s) { s.mutable_state()->RemoveLast(); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_inputs(0, 0.125); }) == incompatible);
  CHECK(refusal([](S& s) { s.set_inputs(0, 1e6); }) == Reason::kValueOutOfRange);
  CHECK(refusal([](S& s) { s.set_inputs(0, std::nan("")); }) == Reason::kNotFinite);
  for (int i = 0; i < good.state_size(); ++i) {
    CHECK(refusal([i](S& s) { s.set_state(i, std::nextafter(s.state(i), 1e300)); }) == incompatible);
    CHECK(refusal([i](S& s) { s.set_state(i, std::numeric_limits<double>::infinity()); }) == Reason::kNotFinite);
  }
}

TEST_CASE("a snapshot whose numbers were made up is refused where they could do harm", "[server][record]") {
  // Whoever computes the checksums anew reaches the checks of the numbers.
  RecordedRun run;
  run.tick(25);
  v1::SessionSnapshot good = save(run);
  rt::Model model = run.model;
  model.actuators[0].minimum = -2;
  model.actuators[0].maximum = 2;
  const auto fieldOf = [&](const std::function<void(v1::SessionSnapshot&)>& change) {
    v1::SessionSnapshot bad = good;
    change(bad);
    bad.set_state_hash(rt::hashState(bad.tick(), {bad.state().data(), static_cast<std::size_t>(bad.state_size())}));
    bad.set_content_hash(hashContent(bad));
    try {
      readSnapshot(bad, model, run.settings.period_ns);
    } catch (const RequestError& error) {
      CHECK(error.reason() == Reason::kValueOutOfRange);
      return error.field();
    }
    return std::string();
  };
  using S = v1::SessionSnapshot;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(fieldOf([](S&) {}).empty());
  CHECK(fieldOf([](S& s) { s.set_inputs(0, 3); }) == "snapshot.inputs[0]");
  CHECK(fieldOf([](S& s) { s.set_input_history(0, 3); }) == "snapshot.input_history[0]");
  CHECK(fieldOf([](S& s) { s.set_input_history(1, 3); }).empty());  // a slope
  // The ramps of earlier versions exceeded a limit by a rounding.
  CHECK(fieldOf([](S& s) { s.set_inputs(0, std::nextafter(2.0, 3.0)); }).empty());
  CHECK(fieldOf([](S& s) { s.set_input_history(0, std::nextafter(-2.0, -3.0)); }).empty());
  CHECK(fieldOf([](S& s) { s.set_inputs(0, 2 + 1e-12); }) == "snapshot.inputs[0]");  // 2000 roundings
  CHECK(fieldOf([](S& s) { s.set_inputs(0, -2 - 1e-12); }) == "snapshot.inputs[0]");
  CHECK(fieldOf([](S& s) { s.set_tick(kMost); }) == "snapshot.tick");
  // The period is that of the loop, whatever the snapshot says.
  const std::int64_t period_ns = run.settings.period_ns;
  CHECK(fieldOf([&](S& s) { s.set_tick(kMost / period_ns); }) == "snapshot.tick");
  CHECK(fieldOf([&](S& s) { s.set_tick(kMost / period_ns - 1); }).empty());
  CHECK(fieldOf([](S& s) { s.set_heard_tick(1000); }) == "snapshot.heard_tick");
  CHECK(fieldOf([](S& s) { s.set_heard_tick(-1); }) == "snapshot.heard_tick");
  CHECK(fieldOf([](S& s) { s.set_since_tick(1000); }) == "snapshot.since_tick");
  CHECK(fieldOf([](S& s) { s.set_since_tick(-1); }) == "snapshot.since_tick");
  CHECK(fieldOf([](S& s) { s.set_input_first_tick(1000); }) == "snapshot.input_first_tick");
  CHECK(fieldOf([](S& s) { s.set_input_first_tick(-1); }) == "snapshot.input_first_tick");
  // Of a session whose step to the next tick has failed.
  CHECK(fieldOf([](S& s) { s.set_heard_tick(s.tick() + 1); }).empty());
}

TEST_CASE("a snapshot of another session is refused with the field that differs", "[server][record]") {
  v1::SessionSnapshot here;
  here.mutable_build()->set_commit("abc");
  here.set_model_hash("0123456789abcdef");
  here.mutable_settings()->set_period_ns(1'000'000);
  here.mutable_settings()->set_gyroscopic_above(0.05);
  here.set_script_hash(7);
  CHECK_NOTHROW(requireSame(here, here));
  const auto field = [&](const std::function<void(v1::SessionSnapshot&)>& change) {
    v1::SessionSnapshot other = here;
    change(other);
    try {
      requireSame(other, here);
    } catch (const RequestError& error) {
      CHECK(error.reason() == Reason::kSnapshotIncompatible);
      return error.field();
    }
    return std::string();
  };
  using S = v1::SessionSnapshot;
  CHECK(field([](S& s) { s.set_model_hash("f"); }) == "snapshot.model_hash");
  CHECK(field([](S& s) { s.mutable_settings()->set_iterations(3); }) == "snapshot.settings");
  CHECK(field([](S& s) { s.mutable_settings()->set_period_ns(2'000'000); }) == "snapshot.settings");
  CHECK(field([](S& s) { s.mutable_settings()->set_gyroscopic_above(0.1); }) == "snapshot.settings");
  CHECK(field([](S& s) { s.mutable_settings()->clear_gyroscopic_above(); }) == "");  // of a version without it
  CHECK(field([](S& s) { s.set_script_hash(8); }) == "snapshot.script_hash");
  CHECK(field([](S& s) { s.mutable_build()->set_commit("abd"); }) == "snapshot.build");
  CHECK(field([](S& s) { s.mutable_build()->set_flags("-O1"); }) == "snapshot.build");
}
