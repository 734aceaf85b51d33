#include "server/wire/road_query.h"

#include "rt/mechanics/road_surface.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tactus::server {

namespace {

constexpr int kMaxPoints = 10'000;
constexpr double kFarthest = 1e6;  // m

std::size_t findRoad(const rt::Model& model, const v1::Model& message, const std::string& name) {
  if (model.roads.empty())
    throw RequestError(Reason::kRequestInvalid, "session", "the model of the session has no road");
  if (name.empty()) {
    if (model.roads.size() == 1) return 0;
    throw RequestError(Reason::kRequestInvalid, "road", "the model has several roads", "name one of them");
  }
  std::vector<std::string> names;
  for (const v1::Road& road : message.roads()) names.push_back(road.name());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = rt::nearestName(name, names);
  throw RequestError(Reason::kRequestInvalid, "road", "the model has no road \"" + name + '"',
                     near.empty() ? "" : "did you mean \"" + near + "\"?");
}

void checkPoints(const v1::QueryRoadRequest& request) {
  const int count = request.points_size();
  if (count == 0 || count % 3 != 0 || count > 3 * kMaxPoints)
    throw RequestError(Reason::kRequestInvalid, "points", std::to_string(count) + " numbers are given",
                       "give x, y and z of 1 to 10 000 points");
  for (int i = 0; i < count; ++i)
    if (!(std::abs(request.points(i)) <= kFarthest))
      throw RequestError(Reason::kRequestInvalid, "points[" + std::to_string(i) + ']', "must be finite, at most 1e6 m");
}

template <class List>
void addVector(const rt::Vector3d& vector, List& list) {
  for (const double x : vector) list.Add(x);
}

}  // namespace

void queryRoad(const rt::Model& model, const v1::Model& message, const v1::QueryRoadRequest& request,
               v1::QueryRoadResponse& response) {
  checkPoints(request);
  const std::size_t index = findRoad(model, message, request.road());
  const rt::Road& road = model.roads[index];
  if (static_cast<int>(index) < message.roads_size()) response.set_road(message.roads(static_cast<int>(index)).name());
  for (int i = 0; i < request.points_size(); i += 3) {
    const rt::Vector3d point(request.points(i), request.points(i + 1), request.points(i + 2));
    const rt::RoadPoint at = rt::roadUnder(road, 0, point);
    const double over = road.up.dot(point - road.origin) - at.height;
    addVector(point - over * road.up, *response.mutable_points());
    addVector(at.normal(road), *response.mutable_normals());
    response.add_heights(at.height);
    response.add_frictions(at.friction);
    response.add_along(at.along);
    response.add_across(at.across);
  }
}

}  // namespace tactus::server
