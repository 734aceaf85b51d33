// Authority and loss: exact ticks and values, and a saved InputState that continues with the same bits.
#include "rt/loop/input_guard.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"

#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace {

using namespace tactus::rt;
using tactus::tests::LoopMechanism;
using tactus::tests::pushedBody;

constexpr std::int64_t kMillisecond = 1'000'000;

/// The pushed body; its first actuator has the range, the safe value and the loss that are given.
ModelSpec lossyBody(const InputLossSpec& loss, std::optional<double> safe = {}) {
  ModelSpec spec = pushedBody();
  spec.actuators[0].minimum = -10;
  spec.actuators[0].maximum = 10;
  spec.actuators[0].safe = safe;
  spec.actuators[0].on_loss = loss;
  return spec;
}

ActuatorInput inputOf(std::uint64_t sequence, double push, double lift = 0.5) {
  ActuatorInput input;
  input.sequence = sequence;
  input.values = {push, lift};
  return input;
}

/// A guard that is told of an input at some ticks, and what it made of each tick.
struct Watch {
  Model model;
  InputGuard guard;
  std::int64_t tick = 0;

  explicit Watch(const ModelSpec& spec, std::int64_t miss_limit = 3)
      : model(buildModel(spec)), guard(model, kMillisecond, miss_limit) {}

  double next(const std::optional<ActuatorInput>& input = {}) {
    ++tick;
    if (input) guard.take(*input, tick);
    REQUIRE(guard.decide(tick));
    return guard.values()[0];
  }
  InputMode mode() const { return guard.state().mode; }
};

bool sameBits(const InputState& a, const InputState& b) {
  return a.sequence == b.sequence && a.first_tick == b.first_tick && a.mode == b.mode && a.groups == b.groups &&
         a.values == b.values && a.from == b.from && a.slope == b.slope;
}

}  // namespace

TEST_CASE("no controller is lost before its first input", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kZero}));
  for (int n = 0; n < 100; ++n) CHECK(watch.next() == 0.25);
  CHECK(watch.mode() == InputMode::kFree);
}

TEST_CASE("a controller is lost in the tick in which the number of missing inputs reaches the limit", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kZero}), 3);
  CHECK(watch.next(inputOf(1, 5)) == 5);
  CHECK(watch.next() == 5);
  CHECK(watch.next() == 5);
  CHECK(watch.mode() == InputMode::kDriven);
  CHECK(watch.next() == 0);
  CHECK(watch.mode() == InputMode::kSafe);
  CHECK(watch.guard.state().groups[0].since_tick == 4);
}

TEST_CASE("an actuator that a controller does not drive keeps what a script has given it", "[rt][loop]") {
  Model model = buildModel(pushedBody());
  InputGuard guard(model, kMillisecond, 3);
  ActuatorInput input = inputOf(1, 2, 9);
  input.driven = {1, 0};
  REQUIRE(guard.take(input, 1));
  REQUIRE(guard.decide(1));
  const double lift = model.actuators[1].initial;
  CHECK(std::vector<double>(guard.values().begin(), guard.values().end()) == std::vector<double>{2, lift});
  const std::vector<double> scripted = {5, 6};
  REQUIRE(guard.takeScripted(scripted, 2));
  REQUIRE(guard.decide(2));
  input.sequence = 2;
  REQUIRE(guard.take(input, 3));
  REQUIRE(guard.decide(3));
  CHECK(std::vector<double>(guard.values().begin(), guard.values().end()) == std::vector<double>{2, 6});
}

TEST_CASE("a held value ends with the next input", "[rt][loop]") {
  Watch watch(lossyBody({}));
  watch.next(inputOf(1, 5));
  for (int n = 0; n < 10; ++n) CHECK(watch.next() == 5);
  CHECK(watch.mode() == InputMode::kHolding);
  CHECK(watch.next(inputOf(2, -4)) == -4);
  CHECK(watch.mode() == InputMode::kDriven);
}

TEST_CASE("a ramp lasts its time, ends exactly on the safe value, and only clear() leaves it", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kDefault, 0.004}, -2.0));
  watch.next(inputOf(1, 6));
  watch.next();
  watch.next();
  CHECK(watch.next() == 4);
  CHECK(watch.mode() == InputMode::kRamping);
  CHECK_FALSE(watch.guard.take(inputOf(2, 9), watch.tick));
  CHECK(watch.next(inputOf(3, 9)) == 2);
  CHECK(watch.next() == 0);
  CHECK(watch.next() == -2);
  CHECK(watch.mode() == InputMode::kSafe);
  for (int n = 0; n < 10; ++n) CHECK(watch.next(inputOf(4, 9)) == -2);
  CHECK(watch.guard.values()[1] == 0.5);  // holds

  watch.guard.clear();
  CHECK(watch.next() == -2);
  CHECK(watch.mode() == InputMode::kFree);
  CHECK(watch.next(inputOf(5, 9)) == 9);
  CHECK(watch.mode() == InputMode::kDriven);
}

TEST_CASE("an extrapolation continues the last two inputs in range, and the next loss action follows", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kExtrapolate, 0, 4, LossAction::kZero}));
  watch.next(inputOf(1, 5));
  watch.next();
  watch.next(inputOf(2, 7));  // 1 a tick
  CHECK(watch.next() == 7);
  CHECK(watch.next() == 7);
  CHECK(watch.next() == 8);
  CHECK(watch.mode() == InputMode::kExtrapolating);
  CHECK(watch.next() == 9);
  CHECK(watch.next() == 10);
  CHECK(watch.next() == 10);  // the end of the range
  CHECK(watch.next() == 0);
  CHECK(watch.mode() == InputMode::kSafe);

  SECTION("an input in time ends it") {
    Watch in_time(lossyBody({LossAction::kExtrapolate, 0, 4, LossAction::kZero}));
    in_time.next(inputOf(1, 5));
    for (int n = 0; n < 4; ++n) in_time.next();
    CHECK(in_time.mode() == InputMode::kExtrapolating);
    CHECK(in_time.next(inputOf(2, 1)) == 1);
    CHECK(in_time.mode() == InputMode::kDriven);
    // The first input after a loss has no slope.
    for (int n = 0; n < 3; ++n) in_time.next();
    CHECK(in_time.next() == 1);
  }
}

TEST_CASE("huge inputs extrapolate and ramp to finite values in range", "[rt][loop]") {
  const double huge = std::numeric_limits<double>::max();
  ModelSpec spec = pushedBody();
  spec.actuators[0].safe = -huge;
  spec.actuators[0].on_loss = {LossAction::kExtrapolate, 0.005, 5, LossAction::kRamp};
  Watch watch(spec, 1);
  watch.next(inputOf(1, -huge));
  watch.next(inputOf(2, huge));
  for (int n = 0; n < 12; ++n) CHECK(std::isfinite(watch.next()));
  CHECK(watch.next() == -huge);
}

TEST_CASE("a fault is demanded in the tick of the loss and changes no value", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kFault}), 2);
  watch.next(inputOf(1, 5));
  watch.next();
  CHECK_FALSE(watch.guard.decide(++watch.tick));
  CHECK(watch.guard.values()[0] == 5);
}

TEST_CASE("a requested safe state takes every actuator to its safe value", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kFault, 0.002}, 1.0), 3);
  watch.next(inputOf(1, 5));
  watch.guard.command(watch.tick + 1);
  watch.guard.command(watch.tick + 1);  // no effect
  CHECK(watch.next(inputOf(2, 7)) == 3);
  CHECK(watch.mode() == InputMode::kRamping);
  CHECK(watch.guard.values()[1] == 0);  // at once, to its default
  CHECK(watch.next() == 1);
  CHECK(watch.mode() == InputMode::kSafe);
  // Silence is no loss there.
  for (int n = 0; n < 20; ++n) CHECK(watch.next() == 1);
}

TEST_CASE("without a miss limit missing inputs are no loss", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kZero}), 0);
  watch.next(inputOf(1, 5));
  for (int n = 0; n < 1000; ++n) CHECK(watch.next() == 5);
  CHECK(watch.mode() == InputMode::kDriven);
}

TEST_CASE("a script needs no controller, and its end is no loss", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kZero}));
  watch.next(inputOf(1, 5));
  const std::vector<double> scripted = {2, 3};
  CHECK(watch.guard.takeScripted(scripted, ++watch.tick));
  REQUIRE(watch.guard.decide(watch.tick));
  for (int n = 0; n < 20; ++n) CHECK(watch.next() == 2);
  CHECK(watch.mode() == InputMode::kFree);
  watch.guard.command(watch.tick + 1);
  CHECK_FALSE(watch.guard.takeScripted(scripted, watch.tick + 1));
}

TEST_CASE("restored at any tick, the guard continues with the same bits, in 2000 random runs", "[rt][loop]") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&random](int limit) { return static_cast<int>(random() % static_cast<std::uint64_t>(limit)); };
    InputLossSpec loss;
    loss.action = static_cast<LossAction>(below(5));  // all but the fault
    loss.ramp_time = 1e-3 * below(9);
    if (loss.action == LossAction::kExtrapolate) {
      loss.extrapolate_ticks = 1 + below(6);
      loss.then = static_cast<LossAction>(below(4));
    }
    const ModelSpec spec = lossyBody(loss, below(2) == 0 ? std::nullopt : std::optional<double>(below(19) - 9));
    const int miss_limit = below(6), cut = below(60);

    // What happens at each tick.
    struct Event {
      bool command, clear;
      std::optional<ActuatorInput> input;
    };
    std::vector<Event> events(60);
    for (std::size_t n = 0; n < events.size(); ++n) {
      events[n] = {below(40) == 0, below(25) == 0, {}};
      if (below(3) == 0) events[n].input = inputOf(n + 1, below(21) - 10);
    }
    const Model model = buildModel(spec);
    const auto run = [&](InputGuard& guard, std::size_t first, std::size_t last) {
      for (std::size_t n = first; n < last; ++n) {
        const auto tick = static_cast<std::int64_t>(n) + 1;
        if (events[n].command) guard.command(tick);
        if (events[n].clear) guard.clear();
        if (events[n].input) guard.take(*events[n].input, tick);
        REQUIRE(guard.decide(tick));
        for (const double value : guard.values()) REQUIRE(std::isfinite(value));
        REQUIRE(std::abs(guard.values()[0]) <= 10);
      }
    };
    InputGuard whole(model, kMillisecond, miss_limit), front(model, kMillisecond, miss_limit),
        back(model, kMillisecond, miss_limit);
    run(whole, 0, events.size());
    run(front, 0, static_cast<std::size_t>(cut));
    back.restore(front.state());
    run(back, static_cast<std::size_t>(cut), events.size());
    REQUIRE(sameBits(whole.state(), back.state()));
  }
}

TEST_CASE("a loop counts losses and publishes the mode in each Snapshot", "[rt][loop]") {
  LoopMechanism m;
  const Model model = buildModel(lossyBody({LossAction::kRamp, 0.004}, 0.0));
  LoopOptions options;
  options.miss_limit = 2;
  TickLoop loop(model, m.plan, m.settings, m.initial, options);
  const auto tick = [&loop] {
    REQUIRE(loop.tick() == TickStatus::kOk);
    Snapshot snapshot;
    loop.ring().newest(snapshot);
    return snapshot;
  };
  CHECK(tick().header.input_mode == InputMode::kFree);
  loop.inputs().offer(inputOf(1, 4));
  CHECK(tick().header.input_mode == InputMode::kDriven);
  CHECK(tick().header.input_mode == InputMode::kDriven);
  Snapshot lost = tick();
  CHECK(lost.header.input_mode == InputMode::kRamping);
  CHECK(lost.header.input_first_tick == 2);
  CHECK(lost.inputs[0] == 3);

  // Restored from the middle of the ramp, another loop continues with the same bits.
  const State state = loop.state();
  const InputState inputs = loop.inputState();
  TickLoop other(model, m.plan, m.settings, m.initial, options);
  other.restore(state, inputs);
  loop.inputs().offer(inputOf(2, 9));
  for (int n = 0; n < 5; ++n) {
    tick();
    REQUIRE(other.tick() == TickStatus::kOk);
  }
  CHECK(hashState(loop.state()) == hashState(other.state()));
  CHECK(sameBits(loop.inputState(), other.inputState()));

  TickStatsReport stats = loop.stats().report();
  CHECK(stats.input_losses == 1);
  CHECK(stats.safe_entries == 1);
  CHECK(stats.inputs_left_aside == 1);
  loop.requestClear();
  loop.inputs().offer(inputOf(3, 9));
  CHECK(tick().inputs[0] == 9);
  loop.requestSafeState();
  CHECK(tick().header.input_mode == InputMode::kRamping);
  stats = loop.stats().report();
  CHECK(stats.input_losses == 1);
  CHECK(stats.safe_entries == 2);

  // A reset forgets all of it.
  loop.reset(m.initial);
  CHECK(tick().header.input_mode == InputMode::kFree);
}

TEST_CASE("a loss that is a fault keeps the last good state", "[rt][loop]") {
  LoopMechanism m;
  const Model model = buildModel(lossyBody({LossAction::kFault}));
  LoopOptions options;
  options.miss_limit = 4;
  TickLoop loop(model, m.plan, m.settings, m.initial, options);
  loop.inputs().offer(inputOf(1, 3));
  for (int n = 0; n < 4; ++n) CHECK(loop.tick() == TickStatus::kOk);
  const std::uint64_t good = hashState(loop.state());
  CHECK(loop.tick() == TickStatus::kInputLost);
  CHECK(loop.faulted());
  CHECK(hashState(loop.state()) == good);
  Snapshot snapshot;
  loop.ring().newest(snapshot);
  CHECK(snapshot.header.faulted);
  CHECK(snapshot.header.tick == 4);
}

TEST_CASE("a new controller resumes its groups after a loss, but not after a command", "[rt][loop]") {
  Watch watch(lossyBody({}, 1));
  watch.next(inputOf(1, 5));
  for (int i = 0; i < 3; ++i) watch.next();
  CHECK(watch.mode() == InputMode::kSafe);
  CHECK(watch.guard.state().modes[0] == InputMode::kSafe);
  watch.guard.resume(0);  // no group
  CHECK(watch.next(inputOf(2, 7)) == 1);
  watch.guard.resume(1);
  CHECK(watch.next(inputOf(3, 7)) == 7);
  CHECK(watch.mode() == InputMode::kDriven);
  CHECK(watch.guard.state().modes[0] == InputMode::kDriven);
  watch.guard.command(watch.tick + 1);
  watch.next();
  watch.guard.resume(1);
  CHECK(watch.next(inputOf(4, 7)) == 1);
  CHECK(watch.mode() == InputMode::kSafe);
}

TEST_CASE("no input counts as missing before the tick from which misses count", "[rt][loop]") {
  Watch watch(lossyBody({}, 1));
  watch.next(inputOf(1, 5));
  watch.next();
  watch.next();
  watch.guard.countMissesFrom(watch.tick);
  watch.next();
  watch.next();
  CHECK(watch.mode() == InputMode::kDriven);
  watch.next();  // the third one that is missing since then
  CHECK(watch.mode() == InputMode::kSafe);
}

TEST_CASE("two inputs of one tick have no slope, and the extrapolation after them is the last value", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kExtrapolate, 0, 2, LossAction::kHold}));
  watch.next(inputOf(1, 1));
  const double second = GENERATE(5.0, 2.0);  // 2: zero divided by zero
  watch.guard.take(inputOf(2, 2), watch.tick + 1);
  watch.next(inputOf(3, second));
  CHECK(watch.guard.state().slope[0] == 0);
  for (int tick = 0; tick < 6; ++tick) CHECK(watch.next() == second);
}

TEST_CASE("a ramp that is restored before its beginning stays between its ends", "[rt][loop]") {
  Watch watch(lossyBody({LossAction::kDefault, 0.004}, 1.0));
  watch.next(inputOf(1, 5));
  watch.guard.command(watch.tick + 1);
  watch.next();
  InputState state = watch.guard.state();
  state.groups[0].since_tick = 1'000'000;
  watch.guard.restore(state);
  const double value = watch.next();
  CHECK(value >= 1);
  CHECK(value <= 5);
}

TEST_CASE("rounding does not take a ramp beyond its two ends", "[rt][loop]") {
  std::mt19937 dice(20183);
  std::uniform_real_distribution<double> values(-10, 10);
  for (int round = 0; round < 40; ++round) {
    const double safe = values(dice), from = round % 2 == 0 ? safe : values(dice);
    Watch watch(lossyBody({LossAction::kDefault, 0.5}, safe));
    watch.next(inputOf(1, from));
    watch.guard.command(watch.tick + 1);
    double lowest = from, highest = from;
    do {
      const double value = watch.next();
      lowest = std::min(lowest, value);
      highest = tactus::rt::worst(highest, value);
    } while (watch.mode() == InputMode::kRamping);
    CHECK(watch.mode() == InputMode::kSafe);
    CHECK(lowest == std::min(from, safe));
    CHECK(highest == std::max(from, safe));
  }
}
