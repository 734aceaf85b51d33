#include "server/import/open_drive.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "server/import/plan_curve.h"
#include "server/import/road_lanes.h"
#include "server/import/tree_names.h"

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
constexpr double kMostLength = 1e6;                         ///< of a road, m
constexpr double kSameWay = 0.01;                           ///< two statements of one length agree, m
constexpr double kSmallGap = 0.002, kLargestGap = 0.05;     ///< between pieces of a line, m and rad
constexpr double kLargestStretch = 9e-4;                    ///< of the way along a cubic; the line of a road takes 1e-3
constexpr double kSteepest = 1.4;                           ///< superelevation, rad
constexpr std::size_t kMostEntries = 100'000;               ///< pieces, polynomials and lanes of one road

class RoadReader {
 public:
  RoadReader(const XmlNode& node, const XmlNode& root) : node_(node), report_(root.report()) {}

  /// The road; errors are in the report.
  v1::Road read(const std::string& name) {
    length_ = node_.number("length", 0);
    if (!(length_ > 0 && length_ <= kMostLength))
      node_.refuse("length " + rt::printed(length_), "must be above zero and at most 1e6 m");
    readPlan();
    readHeights();
    readLanes();
    v1::Road road;
    road.set_name(name);
    const std::string given = node_.text("name", "");
    road.set_description("OpenDRIVE road " + node_.text("id", "") + (given.empty() ? "" : ": " + given));
    for (const double up : {0.0, 0.0, 1.0}) road.add_up(up);
    for (const double along : {1.0, 0.0, 0.0}) road.add_along(along);
    if (report_.failed()) return road;
    fillLine(*road.mutable_line());
    if (!elevation_.empty() || !superelevation_.empty()) fillHeights(*road.mutable_heights());
    if (has_friction_) fillFrictions(*road.mutable_frictions());
    return road;
  }

 private:
  // ---- the line ----

  void readPlan() {
    const auto plan = node_.child("planView");
    const std::vector<XmlNode> pieces = plan ? plan->children("geometry") : std::vector<XmlNode>();
    if (pieces.empty()) return node_.refuse("", "must have a <planView> with a <geometry>");
    if (pieces.size() > kMostEntries) return plan->refuse("", "must have at most 100 000 pieces");
    for (const XmlNode& piece : pieces) {
      piece.markRead();
      const CurvePoint start{piece.number("x", 0), piece.number("y", 0), piece.number("hdg", 0)};
      const double length = piece.number("length", 0), s = piece.number("s", 0);
      for (const char* needed : {"s", "x", "y", "hdg", "length"})
        if (!piece.has(needed)) return piece.error(needed, "must be given");
      if (!(length > 0 && length <= kMostLength)) return piece.error("length", "must be above zero and at most 1e6 m");
      if (std::abs(s - covered_) > kSameWay)
        return piece.error("s", "must be the length of the pieces before it, " + rt::printed(covered_) + " m");
      if (std::max({std::abs(start.x), std::abs(start.y), std::abs(start.heading)}) > 1e8)
        return piece.refuse("x, y or hdg", "must be at most 1e8", "move the file to its own origin");
      if (!pieces_.empty() && !joins(pieces_.back().at(pieces_.back().length()), start, piece)) return;
      if (!addPiece(piece, start, length)) return;
      from_.push_back(covered_);
      covered_ += length;
    }
    if (std::abs(covered_ - length_) > kSameWay)
      return node_.error("length", "must be the length of its pieces, " + rt::printed(covered_) + " m");
    const CurvePoint first = pieces_.front().at(0), last = pieces_.back().at(pieces_.back().length());
    closed_ = std::hypot(first.x - last.x, first.y - last.y) < kLargestGap &&
              std::abs(std::remainder(first.heading - last.heading, 2 * std::numbers::pi)) < kLargestGap &&
              covered_ >= 10 * kLineSpacing;
  }

  bool joins(const CurvePoint& end, const CurvePoint& start, const XmlNode& piece) {
    const double gap = std::hypot(end.x - start.x, end.y - start.y);
    const double kink = std::abs(std::remainder(end.heading - start.heading, 2 * std::numbers::pi));
    if (gap > kLargestGap || kink > kLargestGap) {
      piece.refuse("a gap of " + rt::printed(gap) + " m and a kink of " + rt::printed(kink) + " rad",
                   "must begin where the piece before it ends, to 0.05 m and 0.05 rad");
      return false;
    }
    if (gap > kSmallGap || kink > kSmallGap)
      report_.approximated(piece.place(), LossEffect::kMotion,
                           "a gap or a kink above 0.002 m or rad before the piece is smoothed over 0.5 m");
    return true;
  }

  bool addPiece(const XmlNode& piece, const CurvePoint& start, double length) {
    if (piece.child("line")) {
      pieces_.emplace_back(start, length, Clothoid{});
    } else if (const auto arc = piece.child("arc")) {
      const double k = curvature(*arc, "curvature");
      pieces_.emplace_back(start, length, Clothoid{k, k});
    } else if (const auto spiral = piece.child("spiral")) {
      pieces_.emplace_back(start, length, Clothoid{curvature(*spiral, "curvStart"), curvature(*spiral, "curvEnd")});
    } else if (const auto cubic = piece.child("paramPoly3")) {
      return addCubic(*cubic, start, length);
    } else {
      piece.refuse(piece.child("poly3") ? "poly3" : "no shape", "must be a line, an arc, a spiral or a paramPoly3",
                   piece.child("poly3") ? "OpenDRIVE 1.6 took poly3 out: write it as paramPoly3" : "");
      return false;
    }
    return !report_.failed();
  }

  double curvature(const XmlNode& shape, const char* attribute) {
    const double value = shape.number(attribute, 0);
    if (!shape.has(attribute)) shape.error(attribute, "must be given");
    // A line of points 0.5 m apart cannot follow it.
    if (std::abs(value) > 0.5) shape.error(attribute, "must be a curvature of at most 0.5 1/m");
    return value;
  }

  bool addCubic(const XmlNode& node, const CurvePoint& start, double length) {
    static constexpr const char* kNames[] = {"aU", "bU", "cU", "dU", "aV", "bV", "cV", "dV"};
    ParametricCubic cubic;
    for (std::size_t i = 0; i < 8; ++i) (i < 4 ? cubic.u : cubic.v)[i % 4] = node.number(kNames[i], 0);
    const std::string range = node.text("pRange", "normalized");
    if (range != "arcLength" && range != "normalized") {
      node.error("pRange", "must be arcLength or normalized");
      return false;
    }
    cubic.end = range == "arcLength" ? length : 1;
    if (report_.failed()) return false;
    pieces_.emplace_back(start, length, cubic);
    const double is = pieces_.back().trueLength();
    if (!(std::abs(is - length) <= kLargestStretch * length)) {
      node.refuse("a length of " + rt::printed(is) + " m",
                  "must be that of the geometry, " + rt::printed(length) + " m, to a thousandth");
      return false;
    }
    if (std::abs(is - length) > kSameWay)
      report_.approximated(node.place(), LossEffect::kMotion,
                           "the curve is longer or shorter than its geometry says; the way along it is stretched");
    return true;
  }

  CurvePoint pointAt(double s) const {
    const auto next = std::upper_bound(from_.begin(), from_.end(), s);
    const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - from_.begin() - 1, 0));
    return pieces_[index].at(std::clamp(s - from_[index], 0.0, pieces_[index].length()));
  }

  void fillLine(v1::RoadLine& line) const {
    const double steps =
        std::max(closed_ ? 8.0 : 1.0, std::ceil(covered_ / std::max(kLineSpacing, covered_ / kMostPoints)));
    const double spacing = covered_ / steps;
    line.set_spacing(spacing);
    line.set_closed(closed_);
    for (double i = 0; i < steps + (closed_ ? 0 : 1); ++i) {
      const CurvePoint point = pointAt(i * spacing);
      line.add_points(point.x);
      line.add_points(point.y);
    }
  }

  // ---- heights ----

  Profile profileIn(const XmlNode& parent, const char* tag, const char* place, double limit) {
    Profile profile;
    for (const XmlNode& part : parent.children(tag)) {
      part.markRead();
      const Cubic cubic{part.number(place, 0), part.number("a", 0), part.number("b", 0), part.number("c", 0),
                        part.number("d", 0)};
      if (!profile.parts.empty() && cubic.from < profile.parts.back().from)
        part.error(place, "must not be before that of the part before it");
      if (cubic.from < -kSameWay || cubic.from > limit + kSameWay)
        part.error(place, "must be on the road: 0 to " + rt::printed(limit) + " m");
      profile.parts.push_back(cubic);
      if (profile.parts.size() > kMostEntries) {
        part.refuse("", "must have at most 100 000 parts");
        break;
      }
    }
    return profile;
  }

  void readHeights() {
    if (const auto elevation = node_.child("elevationProfile"))
      elevation_ = profileIn(*elevation, "elevation", "s", length_);
    if (const auto lateral = node_.child("lateralProfile"))
      superelevation_ = profileIn(*lateral, "superelevation", "s", length_);
  }

  /// A function of the way, beyond the ends: on with its slope, or around.
  double extended(const Profile& profile, double s) const {
    if (closed_) return profile.at(s - covered_ * std::floor(s / covered_));
    const double on = std::clamp(s, 0.0, covered_);
    return profile.at(on) + (s - on) * profile.slopeAt(on);
  }

  struct Rows {
    double first, spacing;
    int count;
  };
  /// Two rows more at each end: the surface bends in the outermost cells.
  Rows rowsOf(double columns) const {
    const double steps = std::ceil(covered_ / std::max(kRowSpacing, covered_ * columns / kMostValues));
    const double spacing = covered_ / std::max(steps, 1.0);
    return {-2 * spacing, spacing, static_cast<int>(std::max(steps, 1.0)) + 5};
  }

  void fillHeights(v1::SurfaceGrid& grid) {
    // Straight across: a few columns do, with a margin beyond the lanes.
    constexpr int kColumns = 9;
    double width = 1;
    for (double s = 0; s <= covered_; s += kRowSpacing)
      width = std::max({width, -lanes_.edges(s).first, lanes_.edges(s).second});
    const double step = 2 * (width + 2) / (kColumns - 3);
    const Rows rows = rowsOf(kColumns);
    grid.set_along(rows.first);
    grid.set_spacing(rows.spacing);
    grid.set_columns(kColumns);
    grid.set_across(-step * (kColumns - 1) / 2);
    grid.set_across_spacing(step);
    for (int row = 0; row < rows.count; ++row) {
      const double s = rows.first + row * rows.spacing;
      const double height = extended(elevation_, s), tilt = extended(superelevation_, s);
      if (!(std::abs(tilt) < kSteepest))
        return node_.refuse("a superelevation of " + rt::printed(tilt) + " rad",
                            "must be within 1.4 rad everywhere on the road");
      for (int column = 0; column < kColumns; ++column)
        grid.add_values(height + std::tan(tilt) * (grid.across() + column * step));
    }
  }

  // ---- lanes ----

  void readLanes() {
    const auto lanes = node_.child("lanes");
    if (!lanes) return;
    lanes_.offset = profileIn(*lanes, "laneOffset", "s", length_);
    std::size_t count = 0;
    for (const XmlNode& node : lanes->children("laneSection")) {
      node.markRead();
      Section section;
      section.from = node.number("s", 0);
      if (!lanes_.sections.empty() && section.from < lanes_.sections.back().from)
        node.error("s", "must not be before that of the section before it");
      for (const char* side : {"left", "right"})
        if (const auto part = node.child(side))
          for (const XmlNode& lane : part->children("lane")) {
            lane.markRead();
            addLane(lane, side[0] == 'l', section);
            if (++count > kMostEntries) return lane.refuse("", "must have at most 100 000 lanes");
          }
      const auto outwards = [](const Lane& a, const Lane& b) { return std::abs(a.id) < std::abs(b.id); };
      std::stable_sort(section.left.begin(), section.left.end(), outwards);
      std::stable_sort(section.right.begin(), section.right.end(), outwards);
      lanes_.sections.push_back(std::move(section));
    }
  }

  void addLane(const XmlNode& node, bool is_left, Section& section) {
    Lane lane;
    const double id = node.number("id", 0);
    if (!(std::abs(id) >= 1 && std::abs(id) < 1e6 && id == std::floor(id) && (id > 0) == is_left))
      return node.error("id", is_left ? "must be a whole number above zero on the left"
                                      : "must be a whole number below zero on the right");
    lane.id = static_cast<int>(id);
    lane.width = profileIn(node, "width", "sOffset", length_);
    if (lane.width.empty()) report_.defaulted(node.place(), LossEffect::kMotion, "a lane without <width> has no width");
    for (const XmlNode& material : node.children("material")) {
      material.markRead();
      const auto friction = material.number("friction");
      if (!friction) continue;
      if (!(*friction >= 0 && *friction <= 10)) return material.error("friction", "must be from 0 to 10");
      lane.frictions.emplace_back(material.number("sOffset", 0), *friction);
      has_friction_ = has_friction_ || *friction != 1;
    }
    (is_left ? section.left : section.right).push_back(std::move(lane));
  }

  void fillFrictions(v1::SurfaceGrid& grid) const {
    double right = 0, left = 0;
    for (double s = 0; s <= covered_; s += kRowSpacing) {
      const auto [low, high] = lanes_.edges(s);
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
    for (int row = 0; row < rows.count; ++row) {
      const double s = rows.first + row * rows.spacing;
      const double on = closed_ ? s - covered_ * std::floor(s / covered_) : std::clamp(s, 0.0, covered_);
      for (int column = 0; column < columns; ++column)
        grid.add_values(lanes_.frictionAt(on, grid.across() + column * step));
    }
  }

  const XmlNode& node_;
  ImportReport& report_;
  double length_ = 0, covered_ = 0;
  bool closed_ = false, has_friction_ = false;
  std::vector<PlanCurve> pieces_;
  std::vector<double> from_;  ///< way at the start of each piece
  Profile elevation_, superelevation_;
  RoadLanes lanes_;
};

XmlTree::Unread whyNot(const std::string& element, const std::string& attribute) {
  if (element == "roadMark" || element == "objects" || element == "object")
    return {LossEffect::kPicture, "marks and objects are not imported"};
  if (element == "shape" || element == "crossSectionSurface" || element == "height" || element == "CRG" ||
      element == "surface")
    return {LossEffect::kMotion, "surfaces besides elevation and superelevation are not imported"};
  if (element == "border") return {LossEffect::kMotion, "lanes by border are not imported: give their width"};
  if (element == "junction" || element == "link" || element == "signals" || element == "controller" ||
      element == "railroad" || element == "type" || element == "speed" || element == "userData" ||
      element == "header" || element == "geoReference" || element == "rule" || element == "access" ||
      element == "junctionGroup" || element == "station" || element == "dataQuality" || element == "include")
    return {LossEffect::kNothing, "has no effect on tyres and is not imported"};
  if (element == "offset") return {LossEffect::kNothing, "the roads keep the coordinates of the file"};
  if (element == "poly3") return {LossEffect::kMotion, "poly3 is not imported: write it as paramPoly3"};
  if (!attribute.empty()) return {LossEffect::kNothing, "is no attribute that is imported"};
  return {LossEffect::kNothing, "is no element that is imported"};
}

}  // namespace

void readOpenDrive(const XmlNode& root, const std::vector<std::string>& only, v1::Model& model) {
  for (const double g : {0.0, 0.0, -9.81}) model.add_gravity(g);
  if (const auto header = root.child("header")) header->markAllRead();
  TreeNames names;
  std::vector<std::string> known;
  bool any = false;
  for (const XmlNode& node : root.children("road")) {
    const std::string id = node.text("id", "");
    known.push_back(id);
    const std::string junction = node.text("junction", "-1");
    const bool chosen = only.empty() ? junction == "-1" : std::find(only.begin(), only.end(), id) != only.end();
    any = any || chosen;
    if (!chosen) {
      node.markAllRead();
      node.dropped(LossEffect::kMotion,
                   only.empty() ? "roads of junctions are imported by --road ID alone" : "was not chosen by --road");
      continue;
    }
    node.markRead();
    *model.add_roads() = RoadReader(node, root).read(names.take("road_" + id, "", node.place(), root.report()));
    if (root.report().failed()) return;
  }
  for (const std::string& id : only)
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      const std::string nearest = rt::nearestName(id, known);
      root.refuse("--road " + id, "must be the id of a road",
                  nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    }
  if (!any && !root.report().failed())
    root.refuse("no road", known.empty() ? "must have a <road>" : "must have a <road> outside junctions",
                known.empty() ? "" : "--road ID takes one of a junction");
  root.tree().reportUnread(whyNot);
}

}  // namespace tactus::server
