#include "server/record/scene_roads.h"

#include "rt/mechanics/road_line.h"
#include "server/record/scene_values.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tactus::server {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kPointsDrawn = 256;                  // along and across a grid of heights, at most
constexpr double kHalfWidth = 6;                   // of a half cylinder, which lies across the whole road, m
constexpr double kLineSpacing = 10, kReach = 200;  // of the lines in the plane, m
constexpr double kMarkLift = 0.01;                 // of marks above the road, m
constexpr double kMarkStep = 2;                    // between points of a mark that is drawn, m
constexpr int kMarkPieces = 50'000;                // of all marks of a road, at most
constexpr double kRed = 0.55, kGreen = 0.58, kBlue = 0.62;

void paint(foxglove::Color& color) {
  scene::set(color, kRed, kGreen, kBlue);
}

/// Along the road, to its left, and up.
struct RoadFrame {
  Vector3d origin, along, left, up;

  explicit RoadFrame(const v1::Road& road)
      : origin(scene::vectorOf(road.origin())), up(scene::vectorOf(road.up(), Vector3d::UnitZ()).normalized()) {
    const Vector3d ahead = scene::vectorOf(road.along(), Vector3d::UnitX());
    along = (ahead - ahead.dot(up) * up).normalized();
    left = up.cross(along);
  }
  Quaterniond turn() const {
    Eigen::Matrix3d axes;
    axes << along, left, up;
    return Quaterniond(axes);
  }
};

void addLines(const RoadFrame& frame, foxglove::SceneEntity& entity) {
  foxglove::LinePrimitive& lines = *entity.add_lines();
  lines.set_type(foxglove::LinePrimitive::LINE_LIST);
  lines.set_thickness(1);
  lines.set_scale_invariant(true);
  paint(*lines.mutable_color());
  scene::set(*lines.mutable_pose(), frame.origin, frame.turn());
  constexpr int kLines = static_cast<int>(2 * kReach / kLineSpacing);
  for (int k = 0; k <= kLines; ++k) {
    const double at = -kReach + k * kLineSpacing;
    for (const double end : {-kReach, kReach}) scene::set(*lines.add_points(), Vector3d(at, end, 0));
    for (const double end : {-kReach, kReach}) scene::set(*lines.add_points(), Vector3d(end, at, 0));
  }
}

/// The line of a road; empty: the road is straight.
rt::RoadLine lineOf(const v1::Road& road) {
  if (!road.has_line() || road.line().points_size() < 4) return {};
  const v1::RoadLine& line = road.line();
  return rt::makeRoadLine({line.start(), line.spacing(), {line.points().begin(), line.points().end()}, line.closed()});
}

/// Where a way along the road is in its plane, and how the road runs there.
rt::LinePoint placeAt(const rt::RoadLine& line, double along) {
  return line.empty() ? rt::LinePoint{along, 0, 1, 0} : rt::pointOf(line, along);
}

void addHalfCylinder(const RoadFrame& frame, const rt::RoadLine& line, const v1::HalfCylinder& half,
                     foxglove::SceneEntity& entity) {
  foxglove::CylinderPrimitive& cylinder = *entity.add_cylinders();
  const rt::LinePoint at = placeAt(line, half.position());
  const Quaterniond heading(Eigen::AngleAxisd(std::atan2(at.forward_y, at.forward_x), Vector3d::UnitZ()));
  // Its axis is z: that of the road to the left.
  scene::set(*cylinder.mutable_pose(), frame.origin + at.x * frame.along + at.y * frame.left,
             frame.turn() * heading * Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX())));
  scene::set(*cylinder.mutable_size(), Vector3d(2 * half.radius(), 2 * half.radius(), 2 * kHalfWidth));
  cylinder.set_bottom_scale(1);
  cylinder.set_top_scale(1);
  paint(*cylinder.mutable_color());
}

/// Of `count` points those that are drawn, the first and the last among them.
std::vector<int> thinnedOut(int count) {
  const int stride = std::max(1, (count - 1 + kPointsDrawn - 2) / (kPointsDrawn - 1));
  std::vector<int> drawn;
  for (int k = 0; k < count - 1; k += stride) drawn.push_back(k);
  drawn.push_back(count - 1);
  return drawn;
}

void addHeights(const RoadFrame& frame, const rt::RoadLine& line, const v1::SurfaceGrid& grid,
                foxglove::SceneEntity& entity) {
  const int columns = static_cast<int>(grid.columns());
  const int rows = columns > 0 ? grid.values_size() / columns : 0;
  if (rows < 2 || columns < 2) return;
  const std::vector<int> rows_drawn = thinnedOut(rows), columns_drawn = thinnedOut(columns);
  const std::size_t wide = columns_drawn.size();
  const double across_spacing = grid.has_across_spacing() ? grid.across_spacing() : grid.spacing();
  foxglove::TriangleListPrimitive& surface = *entity.add_triangles();
  scene::set(*surface.mutable_pose(), frame.origin, frame.turn());
  paint(*surface.mutable_color());
  for (std::size_t i = 0; i < rows_drawn.size(); ++i) {
    const rt::LinePoint place = placeAt(line, grid.along() + rows_drawn[i] * grid.spacing());
    for (std::size_t j = 0; j < wide; ++j) {
      const double across = grid.across() + columns_drawn[j] * across_spacing;
      scene::set(*surface.add_points(), Vector3d(place.x - across * place.forward_y, place.y + across * place.forward_x,
                                                 grid.values(rows_drawn[i] * columns + columns_drawn[j])));
      if (i == 0 || j == 0) continue;
      const auto at = static_cast<std::uint32_t>(i * wide + j), below = at - static_cast<std::uint32_t>(wide);
      for (const std::uint32_t index : {below - 1, below, at, below - 1, at, at - 1}) surface.add_indices(index);
    }
  }
}

/// Height of a grid between its points.
double heightAt(const v1::Road& road, double along, double across) {
  if (!road.has_heights()) return 0;
  const v1::SurfaceGrid& grid = road.heights();
  const int columns = static_cast<int>(grid.columns()), rows = columns > 0 ? grid.values_size() / columns : 0;
  if (rows < 2 || columns < 2) return 0;
  const double across_spacing = grid.has_across_spacing() ? grid.across_spacing() : grid.spacing();
  const double u = std::clamp((along - grid.along()) / grid.spacing(), 0.0, rows - 1.0);
  const double v = std::clamp((across - grid.across()) / across_spacing, 0.0, columns - 1.0);
  const int row = std::min(static_cast<int>(u), rows - 2), column = std::min(static_cast<int>(v), columns - 2);
  const auto value = [&](int r, int c) { return grid.values((row + r) * columns + column + c); };
  const double a = u - row, b = v - column;
  return (1 - a) * ((1 - b) * value(0, 0) + b * value(0, 1)) + a * ((1 - b) * value(1, 0) + b * value(1, 1));
}

/// Position across the road at a way along a mark.
double acrossAt(const v1::RoadMark& mark, int& span, double way) {
  const int last = mark.points_size() / 2 - 2;
  while (span < last && mark.points(2 * span + 2) < way) ++span;
  const double from = mark.points(2 * span), to = mark.points(2 * span + 2), share = (way - from) / (to - from);
  return mark.points(2 * span + 1) + share * (mark.points(2 * span + 3) - mark.points(2 * span + 1));
}

/// The painted pieces of a mark as strips, of at most kMarkStep each.
void addMark(const RoadFrame& frame, const rt::RoadLine& line, const v1::Road& road, const v1::RoadMark& mark,
             int& pieces, foxglove::SceneEntity& entity) {
  if (mark.points_size() < 4) return;
  foxglove::TriangleListPrimitive& strip = *entity.add_triangles();
  scene::set(*strip.mutable_pose(), frame.origin, frame.turn());
  const bool own = mark.color_size() == 3;
  scene::set(*strip.mutable_color(), own ? mark.color(0) : 1, own ? mark.color(1) : 1, own ? mark.color(2) : 1);
  const double first = mark.points(0), end = mark.points(mark.points_size() - 2), dash = mark.dash();
  const double half = 0.5 * (mark.has_width() ? mark.width() : 0.12);
  int span = 0;
  const auto addPair = [&](double way) {
    const rt::LinePoint at = placeAt(line, way);
    const double across = acrossAt(mark, span, way);
    for (const double side : {across - half, across + half})
      scene::set(*strip.add_points(), Vector3d(at.x - side * at.forward_y, at.y + side * at.forward_x,
                                               heightAt(road, way, side) + kMarkLift));
  };
  for (double from = first; from<end; from += dash> 0 ? dash + mark.gap() : end - first) {
    const double to = dash > 0 ? std::min(from + dash, end) : end;
    const int steps = std::max(1, static_cast<int>(std::ceil((to - from) / kMarkStep)));
    if ((pieces += steps) > kMarkPieces) return;
    for (int k = 0; k <= steps; ++k) {
      addPair(from + (to - from) * k / steps);
      if (k == 0) continue;
      const auto at = static_cast<std::uint32_t>(strip.points_size());
      for (const std::uint32_t back : {4U, 2U, 1U, 4U, 1U, 3U}) strip.add_indices(at - back);
    }
  }
}

}  // namespace

void addRoad(const v1::Road& road, foxglove::SceneEntity& entity) {
  const RoadFrame frame(road);
  const rt::RoadLine line = lineOf(road);
  addLines(frame, entity);
  for (const v1::HalfCylinder& half : road.half_cylinders()) addHalfCylinder(frame, line, half, entity);
  if (road.has_heights()) addHeights(frame, line, road.heights(), entity);
  int pieces = 0;
  for (const v1::RoadMark& mark : road.marks()) addMark(frame, line, road, mark, pieces, entity);
}

}  // namespace tactus::server
