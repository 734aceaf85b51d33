// A mechanism that is one chain of bodies on spherical joints, divided into segments of equal length that can be worked
// on side by side: as lanes of a vector, or by several threads.
//
// Elements stand in line from one end to the other; the line is filled up at its far end by elements without a body. An
// element holds the joint at its right, between it and the next element; the last element of a segment shares its joint
// with the first one of the next segment: an interface. Interface 0 is the joint at the left end of the line.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tactus::rt {

struct Model;

/// A body in its principal axes, with the joint at its right.
struct ChainElement {
  int body = -1;                                         ///< of the Model; -1: none, an element at the origin
  Vector4d axes = Vector4d::UnitX();                     ///< from principal to body axes, as Euler parameters
  double mass = 1;                                       ///< kg
  Vector3d moments = Vector3d::Ones();                   ///< of inertia, about the principal axes
  Vector3d s_left = Vector3d::Zero(), s_right = s_left;  ///< joint points, principal axes (world without a body)
  double drag_linear = 0, drag_angular = 0;
  bool joined = false;  ///< to the next element of the segment
  int row = -1;         ///< first row of that joint
  double sign = 1;      ///< of that joint: 1 if its body_1 is at the left, else -1
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
  bool is_force;              ///< else a torque
  Frame frame;                ///< of the direction
  Vector3d direction, point;  ///< of the actuator; in principal axes where fixed in the body
};

struct Chain {
  int segments = 0, stations = 0;          ///< a segment has `stations` elements
  std::vector<ChainElement> elements;      ///< [segment][station]
  std::vector<ChainInterface> interfaces;  ///< one a segment: the joint at its left end
  std::vector<ChainActuator> actuators;
  bool has_drags = false;
  bool has_rotated_axes = false;            ///< principal axes of some body are not its own
  Vector3d left_ground = Vector3d::Zero();  ///< point of interface 0 on ground

  const ChainElement& element(int segment, int station) const noexcept {
    return elements[static_cast<std::size_t>(segment * stations + station)];
  }
};

/// The chain that a mechanism is, if it is one: at least two bodies in line on rigid spherical joints, either end free
/// or on ground, with actuators on its bodies. Does not look at force elements: the caller knows which ones the chain
/// solver can take. The number of segments depends on the number of bodies only: 4 for short chains, else a multiple of
/// 8.
std::optional<Chain> findChain(const Model& model);

}  // namespace tactus::rt
