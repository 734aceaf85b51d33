#include "rt/offline/core/option.h"

#include <catch2/catch.hpp>

using namespace tactus::rt::offline;
using Catch::Matchers::Contains;

namespace {

const std::vector<Option> kOptions = {number("rho_inf", "0.6", 0, 1, "damping"), integer("passes", 2, 1, 9, "passes"),
                                      boolean("full", false, "all"), choice("kind", "a", {"a", "b"}, "which")};

OptionValues parse(const std::vector<std::string>& settings) {
  return OptionValues("sample", kOptions, settings);
}

}  // namespace

TEST_CASE("options have their defaults until they are set", "[rt][offline]") {
  const OptionValues values = parse({"rho_inf=0.25", "full=true"});
  CHECK(values.number("rho_inf") == 0.25);
  CHECK(values.given("rho_inf"));
  CHECK(values.integer("passes") == 2);
  CHECK_FALSE(values.given("passes"));
  CHECK(values.boolean("full"));
  CHECK(values.choice("kind") == "a");
}

TEST_CASE("a flag is true, false, 1 or 0", "[rt][offline]") {
  for (const char* word : {"full=true", "full=1"}) CHECK(parse({word}).boolean("full"));
  for (const char* word : {"full=false", "full=0"}) {
    CHECK_FALSE(parse({word}).boolean("full"));
    CHECK(parse({word}).given("full"));
  }
  for (const char* word : {"full=2", "full=True", "full=", "full=1.0"})
    CHECK_THROWS_WITH(parse({word}), Contains("true or false"));
}

TEST_CASE("a wrong option is refused, and the error names what is valid", "[rt][offline]") {
  CHECK_THROWS_WITH(parse({"rho_imf=0"}), Contains("no option 'rho_imf'") && Contains("'rho_inf'"));
  CHECK_THROWS_WITH(parse({"xyz=0"}), Contains("it has rho_inf, passes, full, kind"));
  CHECK_THROWS_WITH(parse({"rho_inf"}), Contains("not KEY=VALUE"));
  CHECK_THROWS_WITH(parse({"rho_inf=1.5"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"rho_inf=nan"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"rho_inf=0.5x"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"passes=2.5"}), Contains("whole number, 1 ... 9"));
  CHECK_THROWS_WITH(parse({"full=yes"}), Contains("true or false"));
  CHECK_THROWS_WITH(parse({"kind=c"}), Contains("a, b"));
}
