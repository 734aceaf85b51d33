// The surface of a road under points, as image generators ask for it.
#include "server/wire/road_query.h"

#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>

using namespace tactus;
using namespace tactus::server;

namespace {

constexpr const char* kTwoRoads = R"({"name": "hills", "gravity": [0, 0, -9.81],
  "bodies": [{"name": "b", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "roads": [{"name": "street", "origin": [0, 0, 2], "up": [0, 0, 1], "along": [0, 1, 0], "friction": 0.5,
    "heights": {"spacing": 1, "columns": 3, "along": -1, "across": -1, "values": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]},
    "half_cylinders": [{"position": 10, "radius": 0.5}]},
    {"name": "wall", "up": [1, 0, 0], "along": [0, 0, 1]}]})";

v1::QueryRoadRequest under(std::initializer_list<double> points, const std::string& road) {
  v1::QueryRoadRequest request;
  request.set_road(road);
  for (const double x : points) request.add_points(x);
  return request;
}

}  // namespace

TEST_CASE("a road has height, normal, friction and place under each point", "[server][wire][road]") {
  const ModelDocument document = readModelText(kTwoRoads, ModelSyntax::kJson);
  REQUIRE(document.valid());
  const rt::Model model = rt::buildModel(document.spec);
  v1::QueryRoadResponse r;
  queryRoad(model, document.message, under({0.2, 0.5, 9, 0, 10, 0}, "street"), r);

  // The road runs along y, uphill by 1 from -1 to 2 m.
  REQUIRE(r.heights_size() == 2);
  CHECK(r.road() == "street");
  CHECK(r.heights(0) == Approx(1.5));
  CHECK(r.points(0) == 0.2);
  CHECK(r.points(1) == 0.5);
  CHECK(r.points(2) == Approx(3.5));
  CHECK(r.normals(1) == Approx(-std::sqrt(0.5)));
  CHECK(r.normals(2) == Approx(std::sqrt(0.5)));
  CHECK(r.along(0) == 0.5);
  CHECK(r.across(0) == Approx(-0.2));
  CHECK(r.frictions(0) == 0.5);
  CHECK(r.heights(1) == Approx(3.5));  // on top of the half cylinder, beyond the grid

  v1::QueryRoadResponse wall;
  queryRoad(model, document.message, under({7, 1, 2}, "wall"), wall);
  CHECK(wall.points(0) == 0);
  CHECK(wall.normals(0) == 1);
  CHECK(wall.along(0) == 2);
}

TEST_CASE("a request for a surface that cannot be granted names its field", "[server][wire][road]") {
  const ModelDocument document = readModelText(kTwoRoads, ModelSyntax::kJson);
  const rt::Model model = rt::buildModel(document.spec);
  const auto refused = [&](const v1::QueryRoadRequest& request) {
    v1::QueryRoadResponse response;
    try {
      queryRoad(model, document.message, request, response);
    } catch (const RequestError& error) { return error.field() + '|' + error.what() + '|' + error.hint(); }
    return std::string("granted");
  };
  CHECK(refused(under({0, 0, 0}, "steet")) == "road|the model has no road \"steet\"|did you mean \"street\"?");
  CHECK(refused(under({0, 0, 0}, "")) == "road|the model has several roads|name one of them");
  CHECK(refused(under({}, "wall")).find("points|") == 0);
  CHECK(refused(under({0, 0}, "wall")).find("points|") == 0);
  CHECK(refused(under({0, 0, 2e6}, "wall")).find("points[2]|") == 0);
  CHECK(refused(under({0, std::numeric_limits<double>::quiet_NaN(), 0}, "wall")).find("points[1]|") == 0);
  v1::QueryRoadRequest many = under({}, "wall");
  many.mutable_points()->Resize(30'003, 0);
  CHECK(refused(many).find("1 to 10 000 points") != std::string::npos);
  many.mutable_points()->Resize(30'000, 0);
  CHECK(refused(many) == "granted");
}
