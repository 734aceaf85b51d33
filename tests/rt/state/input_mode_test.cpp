#include "rt/state/input_mode.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus::rt;

TEST_CASE("every input mode up to the last one has a word of its own", "[rt][state]") {
  std::set<std::string> words;
  const int count = static_cast<int>(kLastInputMode) + 1;
  for (int mode = 0; mode < count; ++mode) words.insert(toString(static_cast<InputMode>(mode)));
  CHECK(static_cast<int>(words.size()) == count);
  CHECK(words.count("unknown") == 0);
  CHECK(toString(static_cast<InputMode>(count)) == std::string("unknown"));
}

TEST_CASE("the mode of a session whose actuators differ is the one that prevails", "[rt][state]") {
  // The order of the enumerators is the order of prevalence.
  CHECK(InputMode::kFree < InputMode::kDriven);
  CHECK(InputMode::kDriven < InputMode::kHolding);
  CHECK(InputMode::kHolding < InputMode::kSafe);
  CHECK(InputMode::kSafe < InputMode::kExtrapolating);
  CHECK(InputMode::kExtrapolating < InputMode::kRamping);
}
