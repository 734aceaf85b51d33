#include "server/wire/tick_input.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus;
using namespace tactus::server;

namespace {

v1::TickInput inputOf(std::uint64_t sequence, std::initializer_list<double> values) {
  v1::TickInput input;
  input.set_sequence(sequence);
  for (const double value : values) input.add_values(value);
  return input;
}

struct Refusal {
  std::string name;
  v1::TickInput input;
  Reason reason;
  std::string field;
};

}  // namespace

TEST_CASE("values go to the actuators in the order of the stream", "[server][wire]") {
  const auto model = tests::makePuck();
  InputReader reader(*model, {"push_y", "push_x"});
  rt::ActuatorInput input(*model);
  REQUIRE(reader.read(inputOf(7, {-3, 2}), input).ok());
  CHECK(input.sequence == 7);
  CHECK(input.values == std::vector<double>{2, -3});
}

TEST_CASE("actuators that the stream does not drive keep their values", "[server][wire]") {
  const auto model = tests::makePuck();
  InputReader reader(*model, {"push_y"});
  rt::ActuatorInput input(*model);
  input.values = {4, 5};
  REQUIRE(reader.read(inputOf(1, {6}), input).ok());
  CHECK(input.values == std::vector<double>{4, 6});
}

TEST_CASE("an invalid value refuses the whole input and names the field", "[server][wire]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto model = tests::makePuck();
  InputReader reader(*model, {"push_x", "push_y"});
  rt::ActuatorInput input(*model);
  REQUIRE(reader.read(inputOf(5, {1, 2}), input).ok());

  const std::vector<Refusal> refusals = {
      {"NaN first", inputOf(6, {nan, 0}), Reason::kNotFinite, "values[0]"},
      {"NaN last", inputOf(6, {0, nan}), Reason::kNotFinite, "values[1]"},
      {"infinite", inputOf(6, {0, inf}), Reason::kNotFinite, "values[1]"},
      {"minus infinite", inputOf(6, {-inf, 0}), Reason::kNotFinite, "values[0]"},
      {"above the range", inputOf(6, {std::nextafter(10.0, 11.0), 0}), Reason::kValueOutOfRange, "values[0]"},
      {"below the range", inputOf(6, {-1e308, 0}), Reason::kValueOutOfRange, "values[0]"},
      {"too few", inputOf(6, {1}), Reason::kRequestInvalid, "values"},
      {"too many", inputOf(6, {1, 2, 3}), Reason::kRequestInvalid, "values"},
      {"none", inputOf(6, {}), Reason::kRequestInvalid, "values"},
      {"an old sequence", inputOf(5, {1, 2}), Reason::kRequestInvalid, "sequence"},
      {"no sequence", inputOf(0, {1, 2}), Reason::kRequestInvalid, "sequence"},
  };
  for (const Refusal& refusal : refusals) {
    INFO(refusal.name);
    const InputVerdict verdict = reader.read(refusal.input, input);
    REQUIRE_FALSE(verdict.ok());
    const RequestError error = reader.explain(verdict);
    CHECK(error.reason() == refusal.reason);
    CHECK(error.field() == refusal.field);
    CHECK(input.sequence == 5);
    CHECK(input.values == std::vector<double>{1, 2});
  }

  // A refusal does not use up its number.
  CHECK(reader.read(inputOf(6, {-10, 1e308}), input).ok());
}

TEST_CASE("a refused value and its range are shown with the digits that they need", "[server][wire]") {
  const auto model = tests::makePuck();
  InputReader reader(*model, {"push_x"});
  rt::ActuatorInput input(*model);
  const RequestError error = reader.explain(reader.read(inputOf(1, {10.1}), input));
  CHECK(std::string(error.what()).find("\"push_x\" = 10.1 is out of range") != std::string::npos);
  CHECK(error.hint() == "from -10 to 10");
}

TEST_CASE("the smallest numbers are accepted unchanged", "[server][wire]") {
  const auto model = tests::makePuck();
  InputReader reader(*model, {"push_x", "push_y"});
  rt::ActuatorInput input(*model);
  const double denormal = std::numeric_limits<double>::denorm_min();
  REQUIRE(reader.read(inputOf(1, {denormal, -0.0}), input).ok());
  CHECK(input.values[0] == denormal);
  CHECK(std::signbit(input.values[1]));
}

TEST_CASE("each input must be an actuator and appear once", "[server][wire]") {
  const auto model = tests::makePuck();
  try {
    InputReader(*model, {"push_x", "push_z"});
    FAIL("accepted an unknown actuator");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kSignalUnknown);
    CHECK(error.field() == "inputs[1]");
    CHECK_THAT(error.hint(), Catch::StartsWith("push_"));
  }
  CHECK_THROWS_AS(InputReader(*model, {"body.r.x"}), RequestError);
  CHECK_THROWS_WITH(InputReader(*model, {"push_x", "push_x"}), Catch::Contains("twice"));
}
