// Covers: rt/model/model.cpp, rt/model/elements/elements.h
#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <variant>

using namespace tactus::rt;

TEST_CASE("every kind of joint has a name of its own", "[rt][model]") {
  std::set<std::string> names;
  std::size_t count = 0;
  for (int kind = 0; kind < 256; ++kind) {
    const std::string name = toString(static_cast<JointKind>(kind));
    if (name == "unknown") continue;
    ++count;
    names.insert(name);
  }
  // Joints, springs, bushings and vertical tyres, and targets of drives.
  CHECK(count == std::variant_size_v<JointKinds> + 4 + std::variant_size_v<DriveTargets>);
  CHECK(names.size() == count);
}
