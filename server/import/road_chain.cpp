#include "server/import/road_chain.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>

namespace tactus::server {
namespace {

constexpr double kLineSpacing = 0.5, kMostPoints = 49'000;       ///< of the line of a road, m; at most
constexpr double kRowSpacing = 1, kMostValues = 400'000;         ///< of a grid along the road, m; numbers, at most
constexpr double kFrictionColumn = 0.25;                         ///< across the road, m
constexpr double kSteepest = 1.4;                                ///< superelevation, rad
constexpr int kMostRoadMarks = 4000, kMostMarkPoints = 190'000;  ///< of a road, for its picture
constexpr double kMarkSpacing = 2;                               ///< between points of a mark, m
constexpr double kJoins = 0.05;                                  ///< marks of two sections that are one line, m

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

RoadStep stepBetween(const RoadEnd& end, const RoadEnd& begin) {
  return {std::hypot(begin.point.x - end.point.x, begin.point.y - end.point.y),
          std::abs(std::remainder(begin.point.heading - end.point.heading, 2 * std::numbers::pi)),
          std::abs(begin.height - end.height), std::abs(begin.tilt - end.tilt)};
}

std::string RoadStep::text() const {
  return "a gap of " + rt::printed(gap) + " m, a kink of " + rt::printed(kink) + " rad, a step of " +
         rt::printed(height) + " m and a twist of " + rt::printed(twist) + " rad";
}

RoadChain::RoadChain(LinkedRoads roads) : stretches_(std::move(roads.stretches)) {
  for (const Stretch& stretch : stretches_) {
    from_.push_back(length_);
    length_ += stretch.road->length();
  }
  const RoadStep step = stepBetween(endOf(stretches_.back()), beginOf(stretches_.front()));
  if (std::max(step.gap, step.kink) < DriveRoad::kLargestGap && length_ >= 10 * kLineSpacing) {
    closed_ = step.isBelow(DriveRoad::kLargestGap);
    const XmlNode& node = stretches_.front().road->node();
    if (!roads.compared && !step.isBelow(DriveRoad::kSmallGap))
      node.report().approximated(
          node.place(), LossEffect::kMotion,
          step.text() + " from its end to its start" +
              (closed_ ? " are smoothed: the gap over 4 m, the others over 1 m"
                       : ": above 0.05, the road is not closed to a ring, and has one surface where both are near"));
  }
  findGaps();
}

void RoadChain::findGaps() {
  gaps_.resize(stretches_.size());
  std::vector<double> places;
  const std::size_t count = stretches_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Stretch& stretch = stretches_[i];
    for (const LineGap& gap : stretch.road->gaps())
      places.push_back(from_[i] + (stretch.reversed ? stretch.road->length() - gap.way : gap.way));
    if (i == 0 && !closed_) continue;
    const CurvePoint end = endOf(stretches_[i == 0 ? count - 1 : i - 1]).point, begin = beginOf(stretch).point;
    if (std::hypot(begin.x - end.x, begin.y - end.y) <= kNoGap) continue;
    gaps_[i] = {from_[i], begin.x - end.x, begin.y - end.y};
    if (!closed_) gaps_[i].stayWithin(length_);
    places.push_back(from_[i]);
    if (i == 0) places.push_back(length_);
  }
  ways_.emplace(std::move(places), length_, [this](double from, double to) {
    const CurvePoint begin = pointAt(from), end = pointAt(to);
    const double turn = std::remainder(end.heading - begin.heading, 2 * std::numbers::pi);
    // The arc over the chord, to its second order.
    return std::hypot(end.x - begin.x, end.y - begin.y) * (1 + turn * turn / 24);
  });
}

void RoadChain::fill(v1::Road& road) const {
  fillLine(*road.mutable_line());
  const auto any = [&](const auto& has) { return std::any_of(stretches_.begin(), stretches_.end(), has); };
  if (any([](const Stretch& one) { return !one.road->elevation().empty() || !one.road->superelevation().empty(); }))
    fillHeights(*road.mutable_heights());
  if (any([](const Stretch& one) { return one.road->hasFriction(); })) fillFrictions(*road.mutable_frictions());
  fillMarks(road);
}

// ---- functions of the way ----

RoadChain::Place RoadChain::placeAt(double file_way) const {
  const auto next = std::upper_bound(from_.begin(), from_.end(), file_way);
  const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - from_.begin() - 1, 0));
  const Stretch& stretch = stretches_[index];
  const double on = std::clamp(file_way - from_[index], 0.0, stretch.road->length());
  return {index, &stretch, stretch.reversed ? stretch.road->length() - on : on};
}

double RoadChain::within(double way) const {
  const double length = lineLength();
  return closed_ ? way - length * std::floor(way / length) : std::clamp(way, 0.0, length);
}

CurvePoint RoadChain::pointAt(double file_way) const {
  const Place place = placeAt(file_way);
  CurvePoint point = pointOn(*place.stretch, place.s);
  const auto close = [&point](const LineGap& gap, double share) {
    point.x += share * gap.x;
    point.y += share * gap.y;
  };
  for (std::size_t i = place.index + 1; i > 0 && file_way - from_[i - 1] < kBlendReach; --i)
    close(gaps_[i - 1], gaps_[i - 1].share(true, std::max(0.0, file_way - from_[i - 1])));
  for (std::size_t i = place.index + 1; i < gaps_.size() && from_[i] - file_way < kBlendReach; ++i)
    close(gaps_[i], gaps_[i].share(false, std::max(0.0, from_[i] - file_way)));
  // The gap of a ring lies at its end, too.
  close(gaps_.front(), gaps_.front().share(false, std::max(0.0, length_ - file_way)));
  return point;
}

double RoadChain::heightAt(double way) const {
  const double on = within(way);
  const Place place = placeAt(ways_->toFile(on));
  const double height = heightOn(*place.stretch, place.s);
  if (closed_) return height;
  return height + (way - on) * (place.stretch->reversed ? -1 : 1) * place.stretch->road->elevation().slopeAt(place.s);
}

double RoadChain::tiltAt(double way) const {
  const double on = within(way);
  const Place place = placeAt(ways_->toFile(on));
  const double tilt = tiltOn(*place.stretch, place.s);
  // The slope of a reversed road changes its sign twice: with the way and with the side.
  return closed_ ? tilt : tilt + (way - on) * place.stretch->road->superelevation().slopeAt(place.s);
}

std::pair<double, double> RoadChain::edgesAt(double file_way) const {
  const Place place = placeAt(file_way);
  const auto [right, left] = place.stretch->road->lanes().edges(place.s);
  return place.stretch->reversed ? std::pair(-left, -right) : std::pair(right, left);
}

double RoadChain::frictionAt(double way, double across) const {
  const Place place = placeAt(ways_->toFile(within(way)));
  return place.stretch->road->lanes().frictionAt(place.s, place.stretch->reversed ? -across : across);
}

// ---- the road of the model ----

void RoadChain::fillLine(v1::RoadLine& line) const {
  const double length = lineLength();
  const double steps = std::max(closed_ ? 8.0 : 1.0, std::ceil(length / std::max(kLineSpacing, length / kMostPoints)));
  const double spacing = length / steps;
  if (spacing > kLineSpacing) {
    const XmlNode& node = stretches_.front().road->node();
    node.report().approximated(node.place(), LossEffect::kMotion,
                               "a way of " + rt::printed(length) + " m has points " + rt::printed(spacing) +
                                   " m apart, not 0.5: curves in between are smoothed");
  }
  line.set_spacing(spacing);
  line.set_closed(closed_);
  for (double i = 0; i < steps + (closed_ ? 0 : 1); ++i) {
    const CurvePoint point = pointAt(ways_->toFile(i * spacing));
    line.add_points(point.x);
    line.add_points(point.y);
  }
}

/// Two rows more at each end: the surface bends in the outermost cells.
RoadChain::Rows RoadChain::rowsOf(double columns, const char* what) const {
  const double length = lineLength();
  const double steps = std::ceil(length / std::max(kRowSpacing, length * columns / kMostValues));
  const double spacing = length / std::max(steps, 1.0);
  if (spacing > kRowSpacing) {
    const XmlNode& node = stretches_.front().road->node();
    node.report().approximated(node.place(), LossEffect::kMotion,
                               "its " + std::string(what) + " have rows " + rt::printed(spacing) +
                                   " m apart, not 1: what is shorter is smoothed");
  }
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
  const Rows rows = rowsOf(kColumns, "heights");
  grid.set_along(rows.first);
  grid.set_spacing(rows.spacing);
  grid.set_columns(kColumns);
  grid.set_across(-step * (kColumns - 1) / 2);
  grid.set_across_spacing(step);
  for (int row = 0; row < rows.count; ++row) {
    const double way = rows.first + row * rows.spacing;
    const double height = heightAt(way), tilt = tiltAt(way);
    if (!(std::abs(tilt) < kSteepest))
      return placeAt(ways_->toFile(within(way)))
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
  const Rows rows = rowsOf(columns, "frictions");
  grid.set_along(rows.first);
  grid.set_spacing(rows.spacing);
  grid.set_columns(static_cast<std::uint32_t>(columns));
  grid.set_across(right - 0.5 * kFrictionColumn);
  grid.set_across_spacing(step);
  for (int row = 0; row < rows.count; ++row)
    for (int column = 0; column < columns; ++column)
      grid.add_values(frictionAt(rows.first + row * rows.spacing, grid.across() + column * step));
}

// ---- marks, for pictures ----

namespace {

/// Painted from a way in a section of a road to another one.
struct PaintedLine {
  const LaneMark* mark;
  double from, to;                           ///< on the road itself, m
  std::function<double(double s)> position;  ///< to the left of the line of the road, m
};

/// The marks of one edge: each reaches to the next one from another place.
void addLines(const std::vector<LaneMark>& marks, double begin, double end, double outwards,
              const std::function<double(double)>& edge, std::vector<PaintedLine>& lines) {
  for (const LaneMark& mark : marks) {
    const auto next =
        std::find_if(marks.begin(), marks.end(), [&](const LaneMark& one) { return one.from > mark.from; });
    // Lanes that a section takes from the one before it have marks from before it on.
    const double from = begin + std::max(mark.from, 0.0),
                 to = next == marks.end() ? end : std::min(begin + next->from, end);
    if (mark.width > 0 && to > from)
      lines.push_back({&mark, from, to, [=](double s) { return edge(s) + outwards * mark.beside; }});
  }
}

std::vector<PaintedLine> linesOf(const DriveRoad& road, const Section& section) {
  const RoadLanes& lanes = road.lanes();
  const double begin = section.from, end = lanes.endOf(section, road.length());
  std::vector<PaintedLine> lines;
  addLines(
      section.middle, begin, end, 1, [&lanes](double s) { return lanes.offset.at(s); }, lines);
  for (const bool left : {true, false}) {
    const std::vector<Lane>& side = left ? section.left : section.right;
    for (std::size_t i = 0; i < side.size(); ++i) {
      const auto edge = [&lanes, &side, begin, left, i](double s) {
        double away = 0;
        for (std::size_t k = 0; k <= i; ++k) away += std::max(0.0, side[k].width.at(s - begin));
        return lanes.offset.at(s) + (left ? away : -away);
      };
      addLines(side[i].marks, begin, end, left ? 1 : -1, edge, lines);
    }
  }
  return lines;
}

}  // namespace

void RoadChain::fillMarks(v1::Road& road) const {
  std::vector<const LaneMark*> painted;  // of each mark of the road
  int points = 0;
  const double spacing = std::max(kMarkSpacing, length_ / 4000);
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    const double length = stretch.road->length();
    std::vector<const Section*> sections;
    for (const Section& section : stretch.road->lanes().sections) sections.push_back(&section);
    if (stretch.reversed) std::reverse(sections.begin(), sections.end());
    for (const Section* const section : sections)
      for (const PaintedLine& line : linesOf(*stretch.road, *section)) {
        const auto way = [&](double s) { return ways_->ofFile(from_[i] + (stretch.reversed ? length - s : s)); };
        const auto across = [&](double s) { return (stretch.reversed ? -1 : 1) * line.position(s); };
        const double first = stretch.reversed ? line.to : line.from, last = stretch.reversed ? line.from : line.to;
        const int steps = std::max(1, static_cast<int>(std::ceil((line.to - line.from) / spacing)));
        points += steps + 1;
        if (static_cast<int>(painted.size()) >= kMostRoadMarks || points > kMostMarkPoints) {
          const XmlNode& node = stretches_.front().road->node();
          return node.report().approximated(
              node.place(), LossEffect::kPicture,
              "more marks than a picture shows: those from " + rt::printed(way(first)) + " m on are left out");
        }
        // A mark that goes on in the next section is one mark.
        v1::RoadMark* mark = nullptr;
        for (int k = road.marks_size() - 1; k >= 0 && !mark; --k) {
          v1::RoadMark& before = *road.mutable_marks(k);
          const int end = before.points_size();
          if (painted[static_cast<std::size_t>(k)]->looksLike(*line.mark) &&
              std::abs(before.points(end - 2) - way(first)) < 1e-6 &&
              std::abs(before.points(end - 1) - across(first)) < kJoins)
            mark = &before;
        }
        const int skipped = mark ? 1 : 0;
        if (!mark) {
          mark = road.add_marks();
          painted.push_back(line.mark);
          mark->set_width(line.mark->width);
          for (const double part : line.mark->color) mark->add_color(part);
          mark->set_dash(line.mark->dash);
          mark->set_gap(line.mark->gap);
        }
        for (int k = skipped; k <= steps; ++k) {
          const double s = first + (last - first) * k / steps;
          mark->add_points(way(s));
          mark->add_points(across(s));
        }
      }
  }
}

}  // namespace tactus::server
