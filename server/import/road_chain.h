// Roads of OpenDRIVE one after the other, as one road of a model.
#pragma once

#include "server/import/drive_road.h"
#include "server/import/gap_blend.h"

#include "tactus/v1/model.pb.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tactus::server {

/// A road on the way of a chain.
struct Stretch {
  const DriveRoad* road;
  bool reversed;  ///< driven from its end to its start
};

/// The end of a road at which one stretch ends and the next one begins, seen along the chain.
struct RoadEnd {
  CurvePoint point;
  double height, tilt;  ///< m; rad, above zero up to the left
};
/// What is between the end of a stretch and the beginning of the next one.
struct RoadStep {
  double gap, kink, height, twist;  ///< in the plane, m; rad; m; rad

  bool isBelow(double limit) const { return std::max({gap, kink, height, twist}) <= limit; }
  /// "a gap of 0.01 m, a kink of 0 rad, a step of 0 m and a twist of 0 rad"
  std::string text() const;
};
RoadStep stepBetween(const RoadEnd& end, const RoadEnd& begin);

RoadEnd beginOf(const Stretch& stretch);
RoadEnd endOf(const Stretch& stretch);

/// Roads along their links.
struct LinkedRoads {
  std::vector<Stretch> stretches;  ///< one at least; each begins where the one before it ends
  bool compared = false;           ///< links lead from the end to the beginning: the report has what lies between them
};

/// The way along a chain goes on from stretch to stretch; gaps between them are closed as those in a road are. The left
/// side of the chain is the right side of a reversed road.
class RoadChain {
 public:
  /// A chain that ends where it begins, in the plane and in height, is a ring. One that only comes near goes to the
  /// report.
  explicit RoadChain(LinkedRoads roads);

  /// The line, heights and frictions of a road. Errors go to the report.
  void fill(v1::Road& road) const;

 private:
  struct Place {
    std::size_t index;
    const Stretch* stretch;
    double s;  ///< on the road itself, m
  };
  struct Rows {
    double first, spacing;
    int count;
  };
  void findGaps();
  double lineLength() const { return ways_->length(); }
  // Ways of the line, unless a comment says other.
  Place placeAt(double file_way) const;
  /// The way itself on the chain; beyond it, the way around a ring, or the nearer end.
  double within(double way) const;
  CurvePoint pointAt(double file_way) const;
  /// Beyond an open end, height and tilt go on with their slopes there.
  double heightAt(double way) const;
  double tiltAt(double way) const;
  /// Edges of the lanes, right and left of the line, m.
  std::pair<double, double> edgesAt(double file_way) const;
  double frictionAt(double way, double across) const;
  /// Rows of a grid; those that are too far apart go to the report. @param what  heights or frictions
  Rows rowsOf(double columns, const char* what) const;
  void fillLine(v1::RoadLine& line) const;
  void fillHeights(v1::SurfaceGrid& grid) const;
  void fillFrictions(v1::SurfaceGrid& grid) const;
  void fillMarks(v1::Road& road) const;

  std::vector<Stretch> stretches_;
  std::vector<double> from_;   ///< way of the file at the start of each stretch, m
  double length_ = 0;          ///< of the file
  std::vector<LineGap> gaps_;  ///< before each stretch; of the first one: of a ring
  std::optional<BlendedWay> ways_;
  bool closed_ = false;
};

}  // namespace tactus::server
