#include "server/import/drive_road.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tactus::server {
namespace {

constexpr double kMostLength = DriveRoad::kMostLength;
constexpr double kSameWay = 0.01;              ///< two statements of one length agree, m
constexpr double kLargestStretch = 9e-4;       ///< of the way along a cubic; the line of a road takes 1e-3
constexpr std::size_t kMostEntries = 100'000;  ///< pieces, polynomials and lanes of one road
constexpr const char* kTooManyLanes = "must have at most 100 000 lanes";

/// The same marks, by ways from a later place.
std::vector<LaneMark> marksFrom(std::vector<LaneMark> marks, double later) {
  for (LaneMark& mark : marks) mark.from -= later;
  return marks;
}

/// The same lanes, by ways from a later place.
std::vector<Lane> lanesFrom(std::vector<Lane> lanes, double later) {
  for (Lane& lane : lanes) {
    for (Cubic& part : lane.width.parts) part.from -= later;
    for (auto& [from, friction] : lane.frictions) from -= later;
    lane.marks = marksFrom(std::move(lane.marks), later);
  }
  return lanes;
}

}  // namespace

DriveRoad::DriveRoad(const XmlNode& node) : node_(node), id_(node.text("id", "")) {
  length_ = node_.number("length", 0);
  if (!(length_ > 0 && length_ <= kMostLength))
    node_.refuse("length " + rt::printed(length_), "must be above zero and at most 1e6 m");
  readPlan();
  readHeights();
  readLanes();
}

CurvePoint DriveRoad::pointAt(double s) const {
  const auto next = std::upper_bound(from_.begin(), from_.end(), s);
  const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - from_.begin() - 1, 0));
  CurvePoint point = pieces_[index].at(std::clamp(s - from_[index], 0.0, pieces_[index].length()));
  const auto near = std::lower_bound(gaps_.begin(), gaps_.end(), s - kBlendReach,
                                     [](const LineGap& gap, double way) { return gap.way < way; });
  for (auto gap = near; gap != gaps_.end() && gap->way < s + kBlendReach; ++gap) {
    const bool is_after = gap->way <= from_[index];
    const double share = gap->share(is_after, std::abs(s - gap->way));
    point.x += share * gap->x;
    point.y += share * gap->y;
  }
  return point;
}

// ---- the line ----

void DriveRoad::readPlan() {
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
  for (LineGap& gap : gaps_) gap.stayWithin(covered_);
  if (std::abs(covered_ - length_) > kSameWay)
    return node_.error("length", "must be the length of its pieces, " + rt::printed(covered_) + " m");
}

bool DriveRoad::joins(const CurvePoint& end, const CurvePoint& start, const XmlNode& piece) {
  const double gap = std::hypot(end.x - start.x, end.y - start.y);
  const double kink = std::abs(std::remainder(end.heading - start.heading, 2 * std::numbers::pi));
  if (gap > kLargestGap || kink > kLargestGap) {
    piece.refuse("a gap of " + rt::printed(gap) + " m and a kink of " + rt::printed(kink) + " rad",
                 "must begin where the piece before it ends, to 0.05 m and 0.05 rad");
    return false;
  }
  if (gap > kSmallGap || kink > kSmallGap)
    node_.report().approximated(
        piece.place(), LossEffect::kMotion,
        "before the piece a gap above 0.002 m is smoothed over 4 m, or a kink above 0.002 rad over 0.5 m");
  if (gap > kNoGap) gaps_.push_back({covered_, start.x - end.x, start.y - end.y});
  return true;
}

bool DriveRoad::addPiece(const XmlNode& piece, const CurvePoint& start, double length) {
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
  return !node_.report().failed();
}

double DriveRoad::curvature(const XmlNode& shape, const char* attribute) {
  const double value = shape.number(attribute, 0);
  if (!shape.has(attribute)) shape.error(attribute, "must be given");
  // A line of points 0.5 m apart cannot follow it.
  if (std::abs(value) > 0.5) shape.error(attribute, "must be a curvature of at most 0.5 1/m");
  return value;
}

bool DriveRoad::addCubic(const XmlNode& node, const CurvePoint& start, double length) {
  static constexpr const char* kNames[] = {"aU", "bU", "cU", "dU", "aV", "bV", "cV", "dV"};
  ParametricCubic cubic;
  for (std::size_t i = 0; i < 8; ++i) (i < 4 ? cubic.u : cubic.v)[i % 4] = node.number(kNames[i], 0);
  const std::string range = node.text("pRange", "normalized");
  if (range != "arcLength" && range != "normalized") {
    node.error("pRange", "must be arcLength or normalized");
    return false;
  }
  cubic.end = range == "arcLength" ? length : 1;
  if (node_.report().failed()) return false;
  pieces_.emplace_back(start, length, cubic);
  const double is = pieces_.back().trueLength();
  if (!(std::abs(is - length) <= kLargestStretch * length)) {
    node.refuse("a length of " + rt::printed(is) + " m",
                "must be that of the geometry, " + rt::printed(length) + " m, to a thousandth");
    return false;
  }
  if (std::abs(is - length) > kSameWay)
    node_.report().approximated(node.place(), LossEffect::kMotion,
                                "the curve is longer or shorter than its geometry says; the way along it is stretched");
  return true;
}

// ---- heights ----

Profile DriveRoad::profileIn(const XmlNode& parent, const char* tag, const char* place, double limit) {
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

void DriveRoad::readHeights() {
  if (const auto elevation = node_.child("elevationProfile"))
    elevation_ = profileIn(*elevation, "elevation", "s", length_);
  if (const auto lateral = node_.child("lateralProfile"))
    superelevation_ = profileIn(*lateral, "superelevation", "s", length_);
}

bool DriveRoad::isTilted() const {
  return std::any_of(superelevation_.parts.begin(), superelevation_.parts.end(),
                     [](const Cubic& part) { return part.a != 0 || part.b != 0 || part.c != 0 || part.d != 0; });
}

// ---- lanes ----

void DriveRoad::readLanes() {
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
          if (++count > kMostEntries) return lane.refuse("", kTooManyLanes);
        }
    if (const auto center = node.child("center"))
      for (const XmlNode& lane : center->children("lane")) {
        lane.markRead();
        lane.markRead("id");
        section.middle = readLaneMarks(lane);
      }
    const std::string one_side = node.text("singleSide", "false");
    if ((one_side == "true" || one_side == "1") && !lanes_.sections.empty()) {
      count -= section.left.size() + section.right.size();
      keepOtherSides(lanes_.sections.back(), node, section);
      count += section.left.size() + section.right.size();
      if (count > kMostEntries) return node.refuse("", kTooManyLanes);
    }
    const auto outwards = [](const Lane& a, const Lane& b) { return std::abs(a.id) < std::abs(b.id); };
    std::stable_sort(section.left.begin(), section.left.end(), outwards);
    std::stable_sort(section.right.begin(), section.right.end(), outwards);
    lanes_.sections.push_back(std::move(section));
  }
}

void DriveRoad::keepOtherSides(const Section& before, const XmlNode& node, Section& section) {
  const double way = section.from - before.from;
  if (!node.child("left")) section.left = lanesFrom(before.left, way);
  if (!node.child("right")) section.right = lanesFrom(before.right, way);
  if (!node.child("center")) section.middle = marksFrom(before.middle, way);
}

void DriveRoad::addLane(const XmlNode& node, bool is_left, Section& section) {
  Lane lane;
  const double id = node.number("id", 0);
  if (!(std::abs(id) >= 1 && std::abs(id) < 1e6 && id == std::floor(id) && (id > 0) == is_left))
    return node.error("id", is_left ? "must be a whole number above zero on the left"
                                    : "must be a whole number below zero on the right");
  lane.id = static_cast<int>(id);
  // A level lane stays level across where the road is tilted.
  if (const std::string level = node.text("level", "false"); (level == "true" || level == "1") && isTilted())
    node.dropped("level", LossEffect::kMotion, "the lane is tilted like the road");
  lane.width = profileIn(node, "width", "sOffset", length_);
  if (lane.width.empty())
    node_.report().defaulted(node.place(), LossEffect::kMotion, "a lane without <width> has no width");
  for (const XmlNode& material : node.children("material")) {
    material.markRead();
    const auto friction = material.number("friction");
    if (!friction) continue;
    if (!(*friction >= 0 && *friction <= 10)) return material.error("friction", "must be from 0 to 10");
    lane.frictions.emplace_back(material.number("sOffset", 0), *friction);
    has_friction_ = has_friction_ || *friction != 1;
  }
  lane.marks = readLaneMarks(node);
  (is_left ? section.left : section.right).push_back(std::move(lane));
}

}  // namespace tactus::server
