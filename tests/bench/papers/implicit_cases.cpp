#include "tests/bench/papers/implicit_cases.h"

#include <utility>

namespace tactus::bench {

std::vector<ImplicitCase> implicitCases() {
  using Methods = std::vector<std::pair<std::string, int>>;
  std::vector<ImplicitCase> all;
  for (const std::string rho_inf : {"0", "0.6"})
    for (const auto& [method, solves] : Methods{{"lms2", 1},
                                                {"ss2", 1},
                                                {"lms3", 1},
                                                {"ss3", 1},
                                                {"lms4", 1},
                                                {"ss4", 1},
                                                {"bathe", 2},
                                                {"msstc3", 3},
                                                {"msstc4", 4},
                                                {"msstc5", 5}})
      all.push_back({method, solves, rho_inf});
  for (const auto& [method, solves] : Methods{{"mssth3", 3}, {"mssth4", 4}, {"mssth5", 5}})
    all.push_back({method, solves, "0"});
  for (const auto& [method, solves] : Methods{{"esdirk32-4l", 3}, {"esdirk32-5l", 4}, {"esdirk43-6l", 5}})
    all.push_back({method, solves, ""});
  return all;
}

}  // namespace tactus::bench
