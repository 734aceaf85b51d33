// What OpenDRIVE says over the way along a road: polynomials one after the other, and lanes.
#pragma once

#include "server/import/lane_marks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace tactus::server {

/// a + b ds + c ds^2 + d ds^3 from a place on.
struct Cubic {
  double from = 0, a = 0, b = 0, c = 0, d = 0;

  double at(double s) const {
    const double ds = s - from;
    return a + ds * (b + ds * (c + ds * d));
  }
  double slopeAt(double s) const {
    const double ds = s - from;
    return b + ds * (2 * c + ds * 3 * d);
  }
};

/// Cubics one after the other; zero before the first one.
struct Profile {
  std::vector<Cubic> parts;

  const Cubic* partAt(double s) const {
    const auto next = std::upper_bound(parts.begin(), parts.end(), s,
                                       [](double place, const Cubic& part) { return place < part.from; });
    return next == parts.begin() ? nullptr : &*std::prev(next);
  }
  double at(double s) const {
    const Cubic* const part = partAt(s);
    return part ? part->at(s) : 0;
  }
  double slopeAt(double s) const {
    const Cubic* const part = partAt(s);
    return part ? part->slopeAt(s) : 0;
  }
  bool empty() const { return parts.empty(); }
};

struct Lane {
  int id = 0;
  Profile width;                                     ///< over the way from the start of the section
  std::vector<LaneMark> marks;                       ///< by rising `from`; several from one place on are side by side
  std::vector<std::pair<double, double>> frictions;  ///< from a way in the section on

  double frictionAt(double ds) const {
    double friction = 1;
    for (const auto& [from, value] : frictions)
      if (from <= ds) friction = value;
    return friction;
  }
};

struct Section {
  double from = 0;
  std::vector<Lane> left, right;  ///< from the middle outwards
  std::vector<LaneMark> middle;   ///< marks on the line between left and right
};

/// The lanes of a road.
struct RoadLanes {
  static constexpr double kMostWidth = 200;  ///< of either side, m

  Profile offset;
  std::vector<Section> sections;

  /// t of the right and of the left edge of the lanes.
  std::pair<double, double> edges(double s) const {
    const Section* const section = sectionAt(s);
    double right = offset.at(s), left = right;
    if (!section) return {right, left};
    for (const Lane& lane : section->left) left += std::max(0.0, lane.width.at(s - section->from));
    for (const Lane& lane : section->right) right -= std::max(0.0, lane.width.at(s - section->from));
    return {std::max(right, -kMostWidth), std::min(left, kMostWidth)};
  }

  /// Beyond the outermost lane that of its edge; on a side without lanes that of the innermost one of the other side.
  double frictionAt(double s, double t) const {
    const Section* const section = sectionAt(s);
    if (!section) return 1;
    const double ds = s - section->from, middle = offset.at(s);
    const bool is_left = t >= middle;
    const std::vector<Lane>& side = is_left ? section->left : section->right;
    const std::vector<Lane>& other = is_left ? section->right : section->left;
    if (side.empty() && !other.empty()) return other.front().frictionAt(ds);
    double edge = 0, friction = 1;
    for (const Lane& lane : side) {
      friction = lane.frictionAt(ds);
      edge += std::max(0.0, lane.width.at(ds));
      if (std::abs(t - middle) < edge) break;
    }
    return friction;
  }

  /// The end of a section on a road of a length, m.
  double endOf(const Section& section, double length) const {
    const Section* const next = &section + 1;
    return next < sections.data() + sections.size() ? std::min(next->from, length) : length;
  }

 private:
  const Section* sectionAt(double s) const {
    const Section* found = nullptr;
    for (const Section& section : sections)
      if (!found || section.from <= s) found = &section;
    return found;
  }
};

}  // namespace tactus::server
