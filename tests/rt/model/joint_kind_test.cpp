#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus::rt;

TEST_CASE("every kind of joint has a name of its own", "[rt][model]") {
  std::set<std::string> names;
  const int count = static_cast<int>(JointKind::kDrivenTravel) + 1;
  for (int kind = 0; kind < count; ++kind) names.insert(toString(static_cast<JointKind>(kind)));
  CHECK(static_cast<int>(names.size()) == count);
  CHECK(names.count("unknown") == 0);
  CHECK(toString(static_cast<JointKind>(count)) == std::string("unknown"));
}
