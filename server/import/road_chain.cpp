#include "server/import/road_chain.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace tactus::server {
namespace {

constexpr double kLineSpacing = 0.5, kMostPoints = 49'000;  ///< of the line of a road, m; at most
constexpr double kRowSpacing = 1, kMostValues = 400'000;    ///< of a grid along the road, m; numbers, at most
constexpr double kFrictionColumn = 0.25;                    ///< across the road, m
constexpr double kSteepest = 1.4;                           ///< superelevation, rad

CurvePoint pointOn(const Stretch& stretch, double s) {
  CurvePoint point = stretch.road->pointAt(s);
  if (stretch.reversed) point.heading += std::numbers::pi;
  return point;
}

double heightOn(const Stretch& stretch, double s) {
  return stretch.road->elevation().at(s);
}

double tiltOn(const Stretch& stretch, double s) {
  return (stretch.reversed ? -1 : 1) * stretch.road->superelevation().at(s);
}

RoadEnd roadEnd(const Stretch& stretch, bool at_start) {
  const double s = at_start ? 0 : stretch.road->length();
  return {pointOn(stretch, s), heightOn(stretch, s), tiltOn(stretch, s)};
}

}  // namespace

RoadEnd beginOf(const Stretch& stretch) {
  return roadEnd(stretch, !stretch.reversed);
}

RoadEnd endOf(const Stretch& stretch) {
  return roadEnd(stretch, stretch.reversed);
}

RoadChain::RoadChain(std::vector<Stretch> stretches) : stretches_(std::move(stretches)) {
  for (const Stretch& stretch : stretches_) {
    from_.push_back(length_);
    length_ += stretch.road->length();
  }
  const CurvePoint first = beginOf(stretches_.front()).point, last = endOf(stretches_.back()).point;
  closed_ = std::hypot(first.x - last.x, first.y - last.y) < DriveRoad::kLargestGap &&
            std::abs(std::remainder(first.heading - last.heading, 2 * std::numbers::pi)) < DriveRoad::kLargestGap &&
            length_ >= 10 * kLineSpacing;
}

void RoadChain::fill(v1::Road& road) const {
  fillLine(*road.mutable_line());
  const auto any = [&](const auto& has) { return std::any_of(stretches_.begin(), stretches_.end(), has); };
  if (any([](const Stretch& one) { return !one.road->elevation().empty() || !one.road->superelevation().empty(); }))
    fillHeights(*road.mutable_heights());
  if (any([](const Stretch& one) { return one.road->hasFriction(); })) fillFrictions(*road.mutable_frictions());
}

// ---- functions of the way ----

RoadChain::Place RoadChain::placeAt(double way) const {
  const auto next = std::upper_bound(from_.begin(), from_.end(), way);
  const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - from_.begin() - 1, 0));
  const Stretch& stretch = stretches_[index];
  const double on = std::clamp(way - from_[index], 0.0, stretch.road->length());
  return {&stretch, stretch.reversed ? stretch.road->length() - on : on};
}

double RoadChain::within(double way) const {
  return closed_ ? way - length_ * std::floor(way / length_) : std::clamp(way, 0.0, length_);
}

CurvePoint RoadChain::pointAt(double way) const {
  const Place place = placeAt(way);
  return pointOn(*place.stretch, place.s);
}

double RoadChain::heightAt(double way) const {
  const double on = within(way);
  const Place place = placeAt(on);
  const double height = heightOn(*place.stretch, place.s);
  if (closed_) return height;
  return height + (way - on) * (place.stretch->reversed ? -1 : 1) * place.stretch->road->elevation().slopeAt(place.s);
}

double RoadChain::tiltAt(double way) const {
  const double on = within(way);
  const Place place = placeAt(on);
  const double tilt = tiltOn(*place.stretch, place.s);
  // The slope of a reversed road changes its sign twice: with the way and with the side.
  return closed_ ? tilt : tilt + (way - on) * place.stretch->road->superelevation().slopeAt(place.s);
}

std::pair<double, double> RoadChain::edgesAt(double way) const {
  const Place place = placeAt(way);
  const auto [right, left] = place.stretch->road->lanes().edges(place.s);
  return place.stretch->reversed ? std::pair(-left, -right) : std::pair(right, left);
}

double RoadChain::frictionAt(double way, double across) const {
  const Place place = placeAt(within(way));
  return place.stretch->road->lanes().frictionAt(place.s, place.stretch->reversed ? -across : across);
}

// ---- the road of the model ----

void RoadChain::fillLine(v1::RoadLine& line) const {
  const double steps =
      std::max(closed_ ? 8.0 : 1.0, std::ceil(length_ / std::max(kLineSpacing, length_ / kMostPoints)));
  const double spacing = length_ / steps;
  if (spacing > kLineSpacing) {
    const XmlNode& node = stretches_.front().road->node();
    node.report().approximated(node.place(), LossEffect::kMotion,
                               "a way of " + rt::printed(length_) + " m has points " + rt::printed(spacing) +
                                   " m apart, not 0.5: curves in between are smoothed");
  }
  line.set_spacing(spacing);
  line.set_closed(closed_);
  for (double i = 0; i < steps + (closed_ ? 0 : 1); ++i) {
    const CurvePoint point = pointAt(i * spacing);
    line.add_points(point.x);
    line.add_points(point.y);
  }
}

/// Two rows more at each end: the surface bends in the outermost cells.
RoadChain::Rows RoadChain::rowsOf(double columns) const {
  const double steps = std::ceil(length_ / std::max(kRowSpacing, length_ * columns / kMostValues));
  const double spacing = length_ / std::max(steps, 1.0);
  return {-2 * spacing, spacing, static_cast<int>(std::max(steps, 1.0)) + 5};
}

void RoadChain::fillHeights(v1::SurfaceGrid& grid) const {
  // Straight across: a few columns do, with a margin beyond the lanes.
  constexpr int kColumns = 9;
  double width = 1;
  for (double way = 0; way <= length_; way += kRowSpacing) {
    const auto [right, left] = edgesAt(way);
    width = std::max({width, -right, left});
  }
  const double step = 2 * (width + 2) / (kColumns - 3);
  const Rows rows = rowsOf(kColumns);
  grid.set_along(rows.first);
  grid.set_spacing(rows.spacing);
  grid.set_columns(kColumns);
  grid.set_across(-step * (kColumns - 1) / 2);
  grid.set_across_spacing(step);
  for (int row = 0; row < rows.count; ++row) {
    const double way = rows.first + row * rows.spacing;
    const double height = heightAt(way), tilt = tiltAt(way);
    if (!(std::abs(tilt) < kSteepest))
      return placeAt(within(way))
          .stretch->road->node()
          .refuse("a superelevation of " + rt::printed(tilt) + " rad", "must be within 1.4 rad everywhere on the road");
    for (int column = 0; column < kColumns; ++column)
      grid.add_values(height + std::tan(tilt) * (grid.across() + column * step));
  }
}

void RoadChain::fillFrictions(v1::SurfaceGrid& grid) const {
  double right = 0, left = 0;
  for (double way = 0; way <= length_; way += kRowSpacing) {
    const auto [low, high] = edgesAt(way);
    right = std::min(right, low);
    left = std::max(left, high);
  }
  const int columns = static_cast<int>(std::ceil((left - right) / kFrictionColumn)) + 2;
  // In the middle of each column, so that the edge of a lane on a column belongs to no side by chance.
  const double step = (left - right + kFrictionColumn) / (columns - 1);
  const Rows rows = rowsOf(columns);
  grid.set_along(rows.first);
  grid.set_spacing(rows.spacing);
  grid.set_columns(static_cast<std::uint32_t>(columns));
  grid.set_across(right - 0.5 * kFrictionColumn);
  grid.set_across_spacing(step);
  for (int row = 0; row < rows.count; ++row)
    for (int column = 0; column < columns; ++column)
      grid.add_values(frictionAt(rows.first + row * rows.spacing, grid.across() + column * step));
}

}  // namespace tactus::server
