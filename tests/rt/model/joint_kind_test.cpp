// Covers: rt/model/model.cpp, rt/model/elements/elements.h
#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <type_traits>
#include <variant>

using namespace tactus::rt;

namespace {

template <typename... Specs>
std::size_t kindsWithRows(const std::variant<Specs...>*) {
  const auto has = []<typename Spec>(std::type_identity<Spec>) {
    return requires {
      Spec::kNumber;
    };
  };
  return (static_cast<std::size_t>(has(std::type_identity<Specs>())) + ...);
}

}  // namespace

TEST_CASE("every kind of joint has a name of its own", "[rt][model]") {
  std::set<std::string> names;
  std::size_t count = 0;
  for (int kind = 0; kind < 256; ++kind) {
    const std::string name = toString(static_cast<JointKind>(kind));
    if (name == "unknown") continue;
    ++count;
    names.insert(name);
  }
  // Joints, force elements that are rows, and targets of drives.
  CHECK(count == std::variant_size_v<JointKinds> + kindsWithRows(static_cast<const ForceKinds*>(nullptr)) +
                     std::variant_size_v<DriveTargets>);
  CHECK(names.size() == count);
}
