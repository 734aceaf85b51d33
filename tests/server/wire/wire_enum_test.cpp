// Covers: rt/word.h
#include "server/wire/wire_enum.h"

#include "server/session/lifecycle.h"
#include "server/session/session_setup.h"

#include "tactus/v1/simulation.pb.h"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;

namespace {

template <class Proto, class Value, std::size_t N>
void checkRoundTrip(const rt::Word<Value> (&words)[N]) {
  const WireEnum<Proto, Value> values(words);
  for (const rt::Word<Value>& word : words) {
    INFO(word.text);
    CHECK(values.toProto(word.value) != Proto());
    CHECK(values.fromProto(values.toProto(word.value)) == word.value);
  }
  CHECK_FALSE(values.fromProto(0));
  CHECK_FALSE(values.fromProto(1000));
}

}  // namespace

TEST_CASE("every enumeration that users see has the same words on the wire", "[server][wire]") {
  checkRoundTrip<v1::ClockMode>(kClockChoices);
  checkRoundTrip<v1::OverrunPolicy>(rt::kOverrunPolicies);
  checkRoundTrip<v1::SessionState>(kSessionStates);
  checkRoundTrip<v1::ParticipantRule>(kParticipantRules);
  checkRoundTrip<v1::InputMode>(rt::kInputModes);
}

TEST_CASE("the wire keeps the numbers of enumerators", "[server][wire]") {
  const WireEnum<v1::OverrunPolicy, rt::OverrunPolicy> policies(rt::kOverrunPolicies);
  CHECK(policies.toProto(rt::OverrunPolicy::kCatchUp) == v1::OVERRUN_POLICY_CATCH_UP);
  CHECK(policies.fromProto(2) == rt::OverrunPolicy::kSkip);
  const WireEnum<v1::ClockMode, ClockChoice::Mode> clocks(kClockChoices);
  CHECK(clocks.toProto(ClockChoice::Mode::kRealTime) == v1::CLOCK_MODE_REAL_TIME);
  CHECK(clocks.toProto(ClockChoice::Mode::kExternal) == v1::CLOCK_MODE_EXTERNAL);
}

TEST_CASE("a word that one side lacks is an error", "[server][wire]") {
  using Policies = WireEnum<v1::OverrunPolicy, rt::OverrunPolicy>;
  const rt::Word<rt::OverrunPolicy> fewer[] = {{rt::OverrunPolicy::kStop, "stop"}};
  CHECK_THROWS_AS(Policies(fewer), std::logic_error);
  std::vector<rt::Word<rt::OverrunPolicy>> more(std::begin(rt::kOverrunPolicies), std::end(rt::kOverrunPolicies));
  more.push_back({static_cast<rt::OverrunPolicy>(99), "hope"});
  CHECK_THROWS_AS(Policies(more), std::logic_error);
}

TEST_CASE("a list of words reads as people write it", "[server][wire]") {
  const rt::Word<int> words[] = {{1, "stop"}, {2, "skip"}, {3, "slip"}};
  CHECK(rt::wordList(words) == "stop, skip or slip");
  CHECK(rt::fromWord(words, "skip") == 2);
  CHECK_FALSE(rt::fromWord(words, "jump"));
  CHECK(std::string(rt::wordOf(words, 4)) == "unknown");
}
