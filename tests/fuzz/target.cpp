#include "tests/fuzz/target.h"

namespace tactus::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (const auto& part :
         {textTargets(), modelTargets(), recordTargets(), requestTargets(), importTargets(), fileTargets()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Target& target(std::string_view name) {
  for (const Target& each : targets())
    if (name == each.name) return each;
  throw Broken("no fuzz target has this name; fuzzer.cpp prints them for --target=list");
}

}  // namespace tactus::fuzz
