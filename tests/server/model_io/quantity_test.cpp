// Covers: server/model_io/field_units.cpp
#include "server/model_io/quantity.h"

#include "server/model_io/field_units.h"
#include "server/model_io/model_file.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <set>

using namespace tactus::server;

TEST_CASE("a number with a unit is a number in the unit of the field", "[server][model_io][units]") {
  constexpr double kPi = std::numbers::pi;
  struct Row {
    const char *text, *unit;
    double value;
  };
  const Row rows[] = {
      {"12 mm", "m", 0.012},
      {"30 deg", "rad", kPi / 6},
      {"30deg", "rad", kPi / 6},
      {"5 kN/m", "N/m", 5000},
      {"2 N s/mm", "N s/m", 2000},
      {"1 N*s/m", "N s/m", 1},
      {"2 Nm/deg", "N m/rad", 360 / kPi},
      {"3 kNm", "N m", 3000},
      {"60 rpm", "rad/s", 2 * kPi},
      {"1 rev/s", "rad/s", 2 * kPi},
      {"36 km/h", "m/s", 10},
      {"36 kmh", "m/s", 10},
      {"2.5 t", "kg", 2500},
      {"4 g cm^2", "kg m^2", 4e-7},
      {"4 kg*m2", "kg m^2", 4},
      {"210 GPa", "Pa", 210e9},
      {"1 ms", "s", 1e-3},
      {"5 %", "1", 0.05},
      {"1 in", "m", 0.0254},
      {"-1e-3 km", "m or rad", -1},
      {"9 deg", "m or rad", kPi / 20},
      {"1 J/(kg K)", "", 0},
      {"2 N/(m/s)", "N s/m", 2},
      {"2 m/s/s", "m/s^2", 2},
      {"+2 m s^-2", "m/s^2", 2},
      {"1 \xC2\xB0", "rad", kPi / 180},
      {"3 kN/m^1.5", "N/m^1.5", 3000},
      {"2 N m/deg^1.5", "N m/rad^1.5", 2 * std::pow(180 / kPi, 1.5)},
      {"4 sqrt(kg) m", "kg^0.5 m", 4},
      {"9 sqrt(kg/t)", "1", 9 / std::sqrt(1000)},
  };
  for (const Row& row : rows) {
    INFO(row.text << " in " << row.unit);
    QuantityProblem problem;
    const auto value = quantityIn(row.text, row.unit, problem);
    if (row.value == 0) {
      CHECK_FALSE(value);
      continue;
    }
    INFO(problem.rule);
    REQUIRE(value);
    // Round-off.
    CHECK(*value == Approx(row.value).epsilon(1e-14));
  }
  QuantityProblem problem;
  CHECK(*quantityIn("12 mm", "m", problem) == 0.012);  // the very double
}

TEST_CASE("a unit of another dimension, or of none, is refused with what was expected", "[server][model_io][units]") {
  const auto why = [](const char* text, const char* unit) {
    QuantityProblem problem;
    CHECK_FALSE(quantityIn(text, unit, problem));
    return problem.rule + '|' + problem.hint;
  };
  CHECK(why("30 deg", "m") == "must be in m or in a unit that can be converted to it, not in \"deg\"|");
  CHECK(why("5 N m", "N m/rad").find("must be in N m/rad") == 0);
  CHECK(why("5 m", "1").find("without a unit") != std::string::npos);
  CHECK(why("5 furlong", "m").find("unit that is known, not \"furlong\"") != std::string::npos);
  CHECK(why("5 furlong", "m").find("|the value must be in m or in a unit that can be converted to it; known are") !=
        std::string::npos);
  CHECK(why("5 m/", "m").find("unit that is known") != std::string::npos);
  CHECK(why("5 m^12", "m").find("unit that is known") != std::string::npos);
  CHECK(why("5 N/m", "N/m^1.5") == "must be in N/m^1.5 or in a unit that can be converted to it, not in \"N/m\"|");
  CHECK(why("5 m", "rad, N or N m").find("must be in rad or N or N m or in a unit") == 0);
  // Units that a text does not say.
  CHECK(why("5 mm", "of the input") ==
        "must be a number without a unit: it is in the unit of the input, not in \"mm\"|");
  CHECK(why("5 N/m", "N/m^20") == "must be a number without a unit: it is in N/m^20, not in \"N/m\"|");
  CHECK(why("5 kg", "1 or m/rad") ==
        "must be a number without a unit, or in m/rad or in a unit that can be converted to it, not in \"kg\"|");
  CHECK(why("5 ((((((((((m))))))))))", "m").find("unit that is known") != std::string::npos);
  CHECK(why("five mm", "m").find("must be a number|") == 0);
  CHECK(why("5", "m").find("must be a number|") == 0);
  CHECK(why("", "m").find("must be a number|") == 0);
  CHECK(why("inf m", "m").find("must be a number|") == 0);
}

TEST_CASE("fields of a file take numbers with units, at their line", "[server][model_io][units]") {
  const ModelDocument good = readModelText(R"({"name": "m", "gravity": [0, 0, "-9.81 m/s^2"], "bodies": [
    {"name": "b", "mass": "250 g", "inertia": {"xx": "1 kg cm^2", "yy": 1e-4, "zz": 1e-4}, "position": ["12 mm", 0, 0],
     "angular_velocity": ["30 deg/s", 0, 0]}]})",
                                           ModelSyntax::kJson);
  REQUIRE(good.findings.empty());
  CHECK(good.spec.bodies[0].mass == 0.25);
  CHECK(good.spec.bodies[0].position.x() == 0.012);
  CHECK(good.spec.bodies[0].inertia(0, 0) == Approx(1e-4));

  const ModelDocument bad = readModelText(
      "{\"name\": \"m\", \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"b\",\n"
      "\"mass\": \"3 m\", \"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}}]}",
      ModelSyntax::kJson);
  REQUIRE(bad.findings.size() == 1);
  CHECK(toString(bad.findings[0], "m.json") ==
        "m.json:2: bodies[0].mass = \"3 m\": must be in kg or in a unit that can be converted to it, not in \"m\"");
  const ModelDocument text = readModelText(
      "name: 'm' gravity: [0, 0, '-981 cm/s^2'] bodies { name: 'b' mass: 1 "
      "inertia { xx: 1 yy: 1 zz: 1 } }",
      ModelSyntax::kText);
  REQUIRE(text.valid());
  CHECK((*text.spec.gravity)[2] == -9.81);
}
