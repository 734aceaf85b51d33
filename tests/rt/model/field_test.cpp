#include "rt/model/field.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace tactus::rt;

namespace {

struct Gain {
  double value = 1;
  int passes = 2;

  static constexpr auto fields() {
    return std::tuple{Field{"value", &Gain::value, "N/m", within(0, 10), "force for each metre of error"},
                      Field{"passes", &Gain::passes, "", positive(), "passes of a step", true}};
  }
};

}  // namespace

TEST_CASE("a struct lists its fields once, and a visitor sees them in that order", "[rt][model]") {
  std::vector<std::string> names;
  forEachField<Gain>([&](const auto& field) { names.emplace_back(field.name); });
  CHECK(names == std::vector<std::string>{"value", "passes"});
  static_assert(std::get<1>(Gain::fields()).required);
}

TEST_CASE("a field reads and writes its member, and its default is the initial value", "[rt][model]") {
  Gain gain;
  const auto field = std::get<0>(Gain::fields());
  CHECK(field.of(gain) == 1);
  field.of(gain) = 4;
  CHECK(gain.value == 4);
}

TEST_CASE("a range accepts its bounds unless it excludes its minimum, and never NaN or infinity", "[rt][model]") {
  CHECK(within(0, 10).accepts(0));
  CHECK(within(0, 10).accepts(10));
  CHECK_FALSE(within(0, 10).accepts(std::nextafter(10.0, 11.0)));
  CHECK(notNegative().accepts(0));
  CHECK_FALSE(positive().accepts(0));
  CHECK(positive().accepts(std::numeric_limits<double>::denorm_min()));
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) CHECK_FALSE(anyFinite().accepts(value));
  CHECK(anyFinite().accepts(-1e300));
  CHECK_FALSE(anyFinite().bounded());
  CHECK(positive().bounded());
}
