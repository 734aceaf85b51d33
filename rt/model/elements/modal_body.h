// A flexible body from component mode synthesis: a body of the mean motion, interface bodies, and bodies that carry
// free modes, with springs between them.
#pragma once

#include "rt/model/elements/element.h"

#include <string>
#include <vector>

namespace tactus::rt {

/// A point to which joints and force elements attach.
struct ModalInterfaceSpec {
  std::string name;
  Vector3d point = Vector3d::Zero();    ///< frame of the modal body, m
  double mass = 0;                      ///< that the interface body carries, kg
  Matrix3d inertia = Matrix3d::Zero();  ///< about the point, kg m^2

  static Fields fields();
};

/// Craig-Bampton form: the coordinates are six small displacements of each of n interfaces and the amplitudes of N
/// modes with fixed interfaces, in axes of the frame of the body. Matrices are row by row.
/// @source derivation of the parts: rt/doc/modal.md
struct ModalBodySpec {
  Vector3d position = Vector3d::Zero();  ///< of the frame, world, m
  Vector4d orientation = Vector4d(1, 0, 0, 0);
  Vector3d velocity = Vector3d::Zero();          ///< of the origin of the frame, world, m/s
  Vector3d angular_velocity = Vector3d::Zero();  ///< frame of the body, rad/s
  std::vector<ModalInterfaceSpec> interfaces;
  std::vector<double> stiffness, mass;  ///< 6n x 6n
  std::vector<double> mode_stiffness;   ///< N
  std::vector<double> coupling;         ///< 6n x N
  int modes = 0;                        ///< free modes that keep their mass: a multiple of six
  double damping_time = 0;              ///< s

  static constexpr const char* kName = "modal_body";
  static constexpr const char* kTitle = "modal body";
  static Fields fields();
};

void check(const ModalBodySpec& spec, const FindingPlace& at);
/// The body of the mean motion has the name of the modal body. Bodies INTERFACE for each interface and modes_1, ...;
/// force elements mode_spring_1, ...
void expand(const ModalBodySpec& spec, Expansion& expansion);

}  // namespace tactus::rt
