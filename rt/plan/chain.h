// A mechanism that is one chain of bodies on spherical joints, laid out as lanes: each lane of a vector holds a
// segment, so that one sequence of vector operations works on four segments.
//
// Bodies stand in line from one end to the other, cut into kLanes segments a group of equal length; the line is
// filled up at its far end by places without a body. The joint of a place is the one at the place's right, between it
// and the next place; the last place of a segment shares its joint with the first of the next segment: a cut. Cut 0 is
// the joint at the left end of the line.
#pragma once

#include "rt/math/lanes.h"
#include "rt/math/symmetric3.h"
#include "rt/model/model.h"

#include <optional>
#include <vector>

namespace tactus::rt {

using LaneVector3 = Eigen::Matrix<Lanes, 3, 1>;
using LaneVector4 = Eigen::Matrix<Lanes, 4, 1>;
using LaneMatrix3 = Eigen::Matrix<Lanes, 3, 3>;

/// Constants of one place of every segment of a group.
struct ChainPlace {
  Lanes mass;
  Symmetric3<Lanes> inertia;    ///< body axes
  LaneVector3 s_left, s_right;  ///< joint points, body axes
  Lanes drag_linear, drag_angular;
  Lanes movable;        ///< 1, or 0 where there is no body
  Lanes joined;         ///< 1 if there is a joint at the right within the segment, else 0
  int body[kLanes];     ///< of the Model, or -1
  int row[kLanes];      ///< first row of the joint at the right within the segment, or -1
  double sign[kLanes];  ///< of that joint: 1 if its body_1 is the left one, else -1
};

/// A joint between segments, or between the left end and ground.
struct ChainCut {
  bool joined;
  int row;
  double sign;
};

/// An actuator that loads a body of the chain.
struct ChainActuator {
  int actuator;
  int body;
  int group, position, lane;
};

struct Chain {
  int groups, positions;           ///< positions: places of a segment
  std::vector<ChainPlace> places;  ///< [group][position]
  std::vector<ChainCut> cuts;      ///< one a segment: the joint at its left end
  std::vector<ChainActuator> actuators;
  Vector3d left_ground;  ///< point of cut 0 on ground

  int segments() const noexcept { return groups * kLanes; }
  const ChainPlace* group(int g) const noexcept { return places.data() + static_cast<std::ptrdiff_t>(g) * positions; }
};

/// The chain that a mechanism is, if it is one: at least two bodies in line on rigid spherical joints, either end free
/// or on ground, and nothing else but loads on its bodies. The number of groups depends on the number of bodies only.
std::optional<Chain> findChain(const Model& model);

}  // namespace tactus::rt
