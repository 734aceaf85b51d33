// A flexible beam: nodes along a line of points, with beam elements between them.
#pragma once

#include "rt/model/elements/beam_section.h"
#include "rt/model/elements/beam_shape.h"
#include "rt/model/elements/element.h"

#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

/// How a node of a beam is held.
enum class BeamMountKind { kRigid, kSpherical, kRevolute };
template <>
struct ChoiceOf<BeamMountKind> {
  static constexpr int kCount = 3, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

/// A body, or ground, that holds a node.
struct BeamMountSpec {
  int node = 0;  ///< 0 at the start, `elements` at the end
  std::string
      body;  ///< also a part of another composite, such as the node "arm.0" of a beam, declared before or behind
  BeamMountKind kind = BeamMountKind::kRigid;
  Vector3d axis = Vector3d::Zero();  ///< of kRevolute, world axes in the declared state
  /// Of the joint from the axis of the beam at the node, world axes in the declared state, m: the node holds the joint
  /// by a rigid arm. The body holds it by its own, wherever its center is.
  Vector3d offset = Vector3d::Zero();

  static Fields fields();
};

/// n equal elements along a curve through the points. Without load in the declared state. A node carries the mass of
/// the half elements beside it; the mass of an end lies a sixth of an element inside the end, which makes the
/// frequencies accurate to third order, unless a mount of this beam or of another one holds the end rigidly.
struct BeamSpec {
  std::vector<BeamPointSpec> points;
  BeamCurve curve = BeamCurve::kPolyline;
  int elements = 0;
  std::optional<Vector3d> across;  ///< world; axis 2 of the sections lies nearest to it
  std::vector<BeamStationSpec> stations;
  std::optional<BeamMaterialSpec> material;
  double damping_time = 0;                          ///< s
  double damping_ratio = 0;                         ///< at damping_frequency
  std::optional<double> damping_angular_frequency;  ///< rad/s
  bool plain_shear = false;
  std::vector<BeamMountSpec> mounts;

  static constexpr const char* kName = "beam";
  static constexpr const char* kTitle = "beam";
  static Fields fields();
};

void check(const BeamSpec& spec, const FindingPlace& at);
/// Nodes 0 ... n, elements element_1 ... element_n, mounts mount_0 ... of the nodes that a body holds. A node that
/// ground holds rigidly is ground itself.
void expand(const BeamSpec& spec, Expansion& expansion);

}  // namespace tactus::rt
