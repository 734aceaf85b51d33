#include "proto/text/found_report.h"

#include <catch2/catch.hpp>

#include <google/protobuf/text_format.h>

#include <vector>

using namespace tactus;
using Catch::Contains;

namespace {

v1::FoundState stateOf(const std::string& words) {
  v1::FoundState found;
  REQUIRE(google::protobuf::TextFormat::ParseFromString(words, &found));
  return found;
}

const char* const kRest = R"(
  bodies { body: "bar" position: [1, 2, 3] orientation: [1, 0, 0, 0] velocity: [0, 0, 0] angular_velocity: [0, 0, 0] }
  inputs { name: "motor" unit: "N m" value: 0.5 }
  reactions { joint: "hinge" force: [0, 0, 19.62] torque: [0, -1.5, 0] }
  signals { name: "angle" unit: "rad" value: 0.25 }
  residual: 2e-12 iterations: 5
  equilibrium { freedoms: 3 redundant_rows: 2 indifferent: 1 rank_at_start: 7 rank: 7 violation: 3e-14
    steps { share: 0.5 iterations: 2 residual: 1e-11 } steps { share: 1 iterations: 3 residual: 2e-12 }
    failed_steps: 1 })";

const char* const kTrim = R"(
  inputs { name: "throttle" value: 0.75 free: true }
  inputs { name: "steering" unit: "rad" value: 9 free: true out_of_range: true }
  inputs { name: "brake" }
  signals { name: "speed" unit: "m/s" value: 10 }
  residual: 4e-9 iterations: 6
  trim { turning: [0, 0, 0.2] steady_motions: 3 steps: 1 })";

}  // namespace

TEST_CASE("an equilibrium reads as how it was found, its stability, its reactions and its signals", "[proto][text]") {
  v1::FoundState found = stateOf(kRest);
  CHECK(text::equilibriumText(found) ==
        "free motions        3; 2 constraint rows are redundant\n"
        "load steps          2 with 5 iterations, 1 halved\n"
        "residual            2e-12 of the largest load; |Phi| 3e-14 m\n"
        "indifferent         1 free motions have no stiffness and keep their place\n"
        "stability           no direction in which the loads pull away\n"
        "reactions of redundant rows are one of many solutions: the smallest multipliers\n"
        "\n"
        "reactions on the second body\n"
        "joint  force x N  y      z  torque x N m     y  z\n"
        "hinge          0  0  19.62             0  -1.5  0\n"
        "\n"
        "signal  value  unit\n"
        "angle    0.25  rad\n");
  CHECK_FALSE(text::hasFinding(found));
  found.mutable_equilibrium()->set_unstable(2);
  CHECK_THAT(text::equilibriumText(found), Contains("unstable in 2 directions"));
  CHECK(text::hasFinding(found));
  found.mutable_equilibrium()->set_unstable(0);
  found.mutable_equilibrium()->set_singular(true);
  found.mutable_equilibrium()->set_rank(6);
  CHECK_THAT(text::equilibriumText(found), Contains("rank 6 here and 7 where the search begins"));
  CHECK(text::hasFinding(found));
}

TEST_CASE("an equilibrium as JSON has its figures, poses, reactions and signals by name", "[proto][text]") {
  const auto json = text::equilibriumJson(stateOf(kRest));
  CHECK(json["free_motions"] == 3);
  CHECK(json["redundant_rows"] == 2);
  CHECK(json["residual"] == 2e-12);
  CHECK(json["violation"] == 3e-14);
  CHECK(json["singular"] == false);
  CHECK(json["failed_steps"] == 1);
  CHECK(json["steps"].size() == 2);
  CHECK(json["steps"][0]["share"] == 0.5);
  CHECK(json["bodies"]["bar"]["position"] == std::vector<double>{1, 2, 3});
  CHECK(json["bodies"]["bar"]["orientation"] == std::vector<double>{1, 0, 0, 0});
  CHECK(json["reactions"]["hinge"]["force"] == std::vector<double>{0, 0, 19.62});
  CHECK(json["reactions"]["hinge"]["torque"] == std::vector<double>{0, -1.5, 0});
  CHECK(json["signals"]["angle"] == 0.25);
}

TEST_CASE("a trim reads as its inputs, those that were free and those out of range, and its signals", "[proto][text]") {
  v1::FoundState found = stateOf(kTrim);
  CHECK(text::trimText(found, true) ==
        "iterations          6, residual 4e-09\n"
        "turning             0, 0, 0.2 rad/s about the axes of the world\n"
        "out of range        input 'steering' is beyond its limits\n"
        "\n"
        "input     value\n"
        "throttle   0.75  free\n"
        "steering      9  free\n"
        "brake         0  held\n"
        "\n"
        "signal  value  unit\n"
        "speed      10  m/s\n");
  CHECK_THAT(text::trimText(found, false), !Contains("turning"));
  CHECK(text::hasFinding(found));
  const auto json = text::trimJson(found);
  CHECK(json["inputs"]["throttle"] == 0.75);
  CHECK(json["out_of_range"] == std::vector<std::string>{"steering"});
  CHECK(json["turning"] == std::vector<double>{0, 0, 0.2});
  CHECK(json["signals"]["speed"] == 10.0);
  found.mutable_inputs(1)->set_out_of_range(false);
  CHECK_FALSE(text::hasFinding(found));

  // A trim near an equilibrium: the residual and the signals are those of the trim.
  *found.mutable_equilibrium() = stateOf(kRest).equilibrium();
  const std::string both = text::equilibriumText(found);
  CHECK_THAT(both, Contains("2 with 5 iterations") && !Contains("residual") && !Contains("speed"));
}
