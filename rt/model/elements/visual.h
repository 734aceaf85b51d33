// Shapes that pictures of a body show. They have no part in the motion: the Model and its hash do not have them.
#pragma once

#include "rt/model/elements/element.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus::rt {

inline constexpr std::size_t kMaxVisuals = 256;  ///< of a body
inline constexpr std::size_t kMaxCorners = 256;  ///< of an outline

/// The center of the box is the origin of the shape.
struct BoxVisualSpec {
  Vector3d sides = Vector3d::Zero();  ///< m

  static constexpr const char* kName = "box";
  static Fields fields();
};

struct SphereVisualSpec {
  double radius = 0;  ///< m

  static constexpr const char* kName = "sphere";
  static Fields fields();
};

/// Along z, centered.
struct CylinderVisualSpec {
  double radius = 0, length = 0;  ///< m

  static constexpr const char* kName = "cylinder";
  static Fields fields();
};

/// A cylinder along z, centered, with half spheres at its ends. The length is that between the centers of the spheres.
struct CapsuleVisualSpec {
  double radius = 0, length = 0;  ///< m

  static constexpr const char* kName = "capsule";
  static Fields fields();
};

/// A hollow cylinder along z, centered.
struct TubeVisualSpec {
  double outer_radius = 0, inner_radius = 0, length = 0;  ///< m

  static constexpr const char* kName = "tube";
  static Fields fields();
};

/// A polygon in the plane z = 0, drawn along z, centered.
struct PrismVisualSpec {
  std::vector<double> outline;  ///< x and y of each corner, m
  double length = 0;            ///< m

  static constexpr const char* kName = "prism";
  static Fields fields();
};

/// Triangles from a file beside the model; the reader of the model file puts the hash in place of the file.
struct MeshVisualSpec {
  std::string hash;  ///< of one of the meshes of the model
  double scale = 1;  ///< length of a unit of the mesh, m

  static constexpr const char* kName = "mesh";
  static Fields fields();
};

using VisualShapes = std::variant<BoxVisualSpec, SphereVisualSpec, CylinderVisualSpec, CapsuleVisualSpec,
                                  TubeVisualSpec, PrismVisualSpec, MeshVisualSpec>;

/// The content of a mesh, as the model carries it.
struct MeshSpec {
  std::string hash;     ///< FNV-1a (64 bit) of the bytes, 16 hexadecimal digits
  std::string format;   ///< "glb", "gltf", "stl" or "obj"
  std::string content;  ///< base64

  static Fields fields();
};

struct VisualSpec {
  std::string name;                             ///< for people
  Vector3d position = Vector3d::Zero();         ///< of the shape, body frame, m
  Vector4d orientation = Vector4d(1, 0, 0, 0);  ///< unit quaternion, scalar first, shape to body
  std::optional<Vector3d> color;                ///< red, green, blue
  double opacity = 1;
  VisualShapes shape;

  static Fields fields();
};

/// The rules on the list of a body; `at` is the body.
void checkVisuals(const std::vector<VisualSpec>& visuals, const FindingPlace& at);

}  // namespace tactus::rt
