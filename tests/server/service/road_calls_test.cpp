// The surface of a road over the wire, as image generators ask for it.
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

constexpr const char* kHills = R"({"name": "hills", "gravity": [0, 0, -9.81],
  "bodies": [{"name": "b", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "roads": [{"name": "street", "origin": [0, 0, 2], "up": [0, 0, 1], "along": [0, 1, 0], "friction": 0.5,
    "heights": {"spacing": 1, "columns": 3, "along": -1, "across": -1, "values": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]},
    "half_cylinders": [{"position": 10, "radius": 0.5}]}],
  "parameters": [{"name": "grip", "targets": ["roads.street.friction"]}]})";

v1::QueryRoadRequest under(std::initializer_list<double> points, const std::string& road = {}) {
  v1::QueryRoadRequest request;
  request.set_session("s");
  request.set_road(road);
  for (const double x : points) request.add_points(x);
  return request;
}

}  // namespace

TEST_CASE("a session answers height, normal and friction of its road", "[server][service]") {
  Harness harness;
  v1::LoadModelRequest load;
  load.set_json(kHills);
  REQUIRE(harness.call(&Stub::LoadModel, load).status.ok());
  harness.create("s", v1::CLOCK_MODE_LOCKSTEP, "hills");

  // The road runs along y, uphill by 1 from -1 to 2 m.
  const auto answer = harness.call(&Stub::QueryRoad, under({0.2, 0.5, 9, 0, 10, 0}));
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  const v1::QueryRoadResponse& r = answer.response;
  REQUIRE(r.heights_size() == 2);
  CHECK(r.road() == "street");
  CHECK(r.heights(0) == Approx(1.5));
  CHECK(r.points(0) == 0.2);
  CHECK(r.points(2) == Approx(3.5));
  CHECK(r.normals(1) == Approx(-std::sqrt(0.5)));
  CHECK(r.normals(2) == Approx(std::sqrt(0.5)));
  CHECK(r.along(0) == 0.5);
  CHECK(r.across(0) == Approx(-0.2));
  CHECK(r.frictions(0) == 0.5);
  CHECK(r.heights(1) == Approx(3.5));  // on top of the half cylinder, beyond the grid

  // With the parameters that the session has.
  v1::SetParametersRequest set;
  set.set_session("s");
  set.add_values()->set_name("grip");
  set.mutable_values(0)->set_value(0.25);
  REQUIRE(harness.call(&Stub::SetParameters, set).status.ok());
  harness.step("s", 1);
  CHECK(harness.call(&Stub::QueryRoad, under({0, 0, 0}, "street")).response.frictions(0) == 0.25);

  const auto wrong = harness.call(&Stub::QueryRoad, under({0, 0, 0}, "steet"));
  CHECK(wrong.status.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
  CHECK(wrong.detail.field() == "road");
  CHECK(wrong.detail.hint() == "did you mean \"street\"?");
}
