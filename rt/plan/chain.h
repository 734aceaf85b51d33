// A mechanism that is one chain of bodies on spherical joints, interface into segments of equal length that can be
// worked on side by side: as lanes of a vector, or by several threads.
//
// Bodies stand in line from one end to the other; the line is filled up at its far end by elements without a body. The
// joint of a element is the one at its right, between it and the next element; the last element of a segment shares its
// joint with the first of the next segment: a interface. Interface 0 is the joint at the left end of the line.
#pragma once

#include "rt/model/model.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tactus::rt {

/// A body, as its principal axes see it.
struct ChainElement {
  int body = -1;                                         ///< of the Model, or -1: stays at the origin
  Vector4d axes = Vector4d::UnitX();                     ///< from principal to body axes, as Euler parameters
  Vector3d moments = Vector3d::Ones();                   ///< of inertia, about the principal axes
  Vector3d s_left = Vector3d::Zero(), s_right = s_left;  ///< joint points, principal axes (world without a body)
  double drag_linear = 0, drag_angular = 0;
  bool joined = false;  ///< to the next element of the segment
  int row = -1;         ///< first row of that joint
  double sign = 1;      ///< of that joint: 1 if its body_1 is the left one, else -1
};

/// A joint between segments, or between the left end and ground.
struct ChainInterface {
  bool joined;
  int row;
  double sign;
};

/// An actuator that loads a body of the chain.
struct ChainActuator {
  int actuator, body;
  int segment, station;
  Vector3d direction, point;  ///< of the actuator; what is fixed in the body, principal axes
};

struct Chain {
  int segments = 0, stations = 0;          ///< stations: elements of a segment
  std::vector<ChainElement> elements;      ///< [segment][station]
  std::vector<ChainInterface> interfaces;  ///< of each segment: the joint at its left end
  std::vector<ChainActuator> actuators;
  bool has_drags = false;
  bool has_rotated_axes = false;            ///< principal axes of some body are not its own
  Vector3d left_ground = Vector3d::Zero();  ///< point of interface 0 on ground

  const ChainElement& element(int segment, int station) const noexcept {
    return elements[static_cast<std::size_t>(segment * stations + station)];
  }
};

/// The chain that a mechanism is, if it is one: at least two bodies in line on rigid spherical joints, either end free
/// or on ground, and nothing else but loads on its bodies. The number of segments depends on the number of bodies
/// only: 4 of short chains, else a multiple of 8.
std::optional<Chain> findChain(const Model& model);

}  // namespace tactus::rt
