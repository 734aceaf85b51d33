// Roads of OpenDRIVE one after the other, as one road of a model.
#pragma once

#include "server/import/drive_road.h"

#include "tactus/v1/model.pb.h"

#include <cstddef>
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

/// Ways along a chain go on from stretch to stretch; a reversed one has its left on its right.
class RoadChain {
 public:
  /// @param stretches  one at least; each begins where the one before it ends
  explicit RoadChain(std::vector<Stretch> stretches);

  double length() const noexcept { return length_; }
  /// Way at the start of a stretch, m.
  double startOf(std::size_t stretch) const { return from_[stretch]; }
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
  /// On the chain: around a ring, or held at the ends.
  double within(double way) const;
  CurvePoint pointAt(double way) const;
  /// Beyond open ends on with the slope.
  double heightAt(double way) const;
  double tiltAt(double way) const;
  /// Of the lanes: right, left.
  std::pair<double, double> edgesAt(double way) const;
  double frictionAt(double way, double across) const;
  Rows rowsOf(double columns) const;
  void fillLine(v1::RoadLine& line) const;
  void fillHeights(v1::SurfaceGrid& grid) const;
  void fillFrictions(v1::SurfaceGrid& grid) const;

  std::vector<Stretch> stretches_;
  std::vector<double> from_;  ///< way at the start of each stretch, m
  double length_ = 0;
  bool closed_ = false;
};

}  // namespace tactus::server
