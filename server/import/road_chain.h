// Roads of OpenDRIVE one after the other, as one road of a model.
#pragma once

#include "server/import/drive_road.h"

#include "tactus/v1/model.pb.h"

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
RoadEnd beginOf(const Stretch& stretch);
RoadEnd endOf(const Stretch& stretch);

/// The way along a chain goes on from stretch to stretch. The left side of the chain is the right side of a reversed
/// road.
class RoadChain {
 public:
  /// @param stretches  one at least; each begins where the one before it ends
  explicit RoadChain(std::vector<Stretch> stretches);

  /// The line, heights and frictions of a road. Errors go to the report.
  void fill(v1::Road& road) const;

 private:
  struct Place {
    const Stretch* stretch;
    double s;  ///< on the road itself, m
  };
  struct Rows {
    double first, spacing;
    int count;
  };
  Place placeAt(double way) const;
  /// The way itself on the chain; beyond it, the way around a ring, or the nearer end.
  double within(double way) const;
  CurvePoint pointAt(double way) const;
  /// Beyond an open end, height and tilt go on with their slopes there.
  double heightAt(double way) const;
  double tiltAt(double way) const;
  /// Edges of the lanes, right and left of the line, m.
  std::pair<double, double> edgesAt(double way) const;
  double frictionAt(double way, double across) const;
  Rows rowsOf(double columns) const;
  void fillLine(v1::RoadLine& line) const;
  void fillHeights(v1::SurfaceGrid& grid) const;
  void fillFrictions(v1::SurfaceGrid& grid) const;
  void fillMarks(v1::Road& road) const;

  std::vector<Stretch> stretches_;
  std::vector<double> from_;  ///< way at the start of each stretch, m
  double length_ = 0;
  bool closed_ = false;
};

}  // namespace tactus::server
