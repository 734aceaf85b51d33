// One <road> of OpenDRIVE: its line, its heights and its lanes as functions of the way along it.
#pragma once

#include "server/import/gap_blend.h"
#include "server/import/plan_curve.h"
#include "server/import/road_lanes.h"
#include "server/import/xml_tree.h"

#include <string>
#include <vector>

namespace tactus::server {

/// Read from the file; errors are in the report, and nothing may then be asked.
class DriveRoad {
 public:
  static constexpr double kMostLength = 1e6;                      ///< m
  static constexpr double kSmallGap = 0.002, kLargestGap = 0.05;  ///< between pieces of a line, m and rad

  explicit DriveRoad(const XmlNode& node);

  const XmlNode& node() const noexcept { return node_; }
  const std::string& id() const noexcept { return id_; }
  /// Of its pieces together, m.
  double length() const noexcept { return covered_; }
  /// With closed gaps between the pieces.
  CurvePoint pointAt(double s) const;
  /// By rising way.
  const std::vector<LineGap>& gaps() const noexcept { return gaps_; }
  const Profile& elevation() const noexcept { return elevation_; }            ///< m
  const Profile& superelevation() const noexcept { return superelevation_; }  ///< rad, above zero up to the left
  const RoadLanes& lanes() const noexcept { return lanes_; }
  /// A lane has another friction than 1.
  bool hasFriction() const noexcept { return has_friction_; }

 private:
  void readPlan();
  bool joins(const CurvePoint& end, const CurvePoint& start, const XmlNode& piece);
  bool addPiece(const XmlNode& piece, const CurvePoint& start, double length);
  double curvature(const XmlNode& shape, const char* attribute);
  bool addCubic(const XmlNode& node, const CurvePoint& start, double length);
  Profile profileIn(const XmlNode& parent, const char* tag, const char* place, double limit);
  void readHeights();
  /// Has a superelevation other than zero.
  bool isTilted() const;
  void readLanes();
  /// A section of one side: sides that it does not give stay those of the section before it.
  static void keepOtherSides(const Section& before, const XmlNode& node, Section& section);
  void addLane(const XmlNode& node, bool is_left, Section& section);

  XmlNode node_;
  std::string id_;
  double length_ = 0, covered_ = 0;  ///< as declared; of the pieces
  bool has_friction_ = false;
  std::vector<PlanCurve> pieces_;
  std::vector<double> from_;  ///< way at the start of each piece
  std::vector<LineGap> gaps_;
  Profile elevation_, superelevation_;
  RoadLanes lanes_;
};

}  // namespace tactus::server
