// What URDF, MJCF and SDF have in common: links in a tree, each on the joints that move it against its parent. The
// readers write it, makeModel() turns it into a description of ours.
#pragma once

#include "rt/model/model_spec.h"
#include "server/import/import_report.h"
#include "server/import/mass_properties.h"

#include <Eigen/Core>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

enum class JointMotion {
  kTurn,   ///< about the axis
  kSlide,  ///< along the axis
  kBall,   ///< about every axis through the anchor
  kPlane   ///< in the plane normal to the axis, and about the axis
};

/// A joint between a link and its parent. Its coordinate is an angle in rad or a travel in m.
struct TreeJoint {
  std::string name;
  SourcePlace place;
  JointMotion motion = JointMotion::kTurn;
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< in the link, m
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< in the link; of length one
  double zero = 0;                                   ///< the coordinate at the placement of the link
  std::optional<double> start;                       ///< the coordinate in the declared state; default: see makeModel()
  std::optional<double> lower, upper;                ///< limits
  double damping = 0;                                ///< N m s/rad or N s/m
  double friction = 0;                               ///< N m or N
  double stiffness = 0, spring_zero = 0;             ///< of a spring, N m/rad or N/m, and where it is without load
  double armature = 0;  ///< inertia of a rotor that turns with the coordinate, kg m^2 or kg

  bool hasOneCoordinate() const { return motion == JointMotion::kTurn || motion == JointMotion::kSlide; }
};

struct TreeLink {
  std::string name;
  SourcePlace place;
  int parent = -1;                              ///< index; -1: ground. Parents stand before their children
  Placement placement;                          ///< in the parent, with all joints at their zero
  std::vector<TreeJoint> joints;                ///< from the parent to the link; none: fixed to the parent, unless free
  bool free = false;                            ///< nothing holds it
  MassProperties mass;                          ///< in axes of the link
  std::string without;                          ///< "ixx and izz": what the file does not say of the mass; it is 1
  std::vector<rt::VisualSpec> visuals;          ///< in axes of the link; a mesh has its file in place of the hash
  std::vector<SourcePlace> visual_places = {};  ///< one for each
};

/// joint = offset + factor * other.
struct JointCoupling {
  std::string name;
  SourcePlace place;
  std::string joint, other;
  double factor = 1, offset = 0;
};

/// A joint that closes a loop. It holds with all joints at their zero, whatever their starts are.
struct LoopClosure {
  std::string name;
  SourcePlace place;
  bool weld = false;                                 ///< or a spherical joint
  int link_1 = -1, link_2 = -1;                      ///< -1: ground
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< in link 1, m
};

/// An input that acts on a joint. With the coordinate q:
/// load = gear (gain input - stiffness gear q - damping gear dq/dt).
struct TreeActuator {
  std::string name;
  SourcePlace place;
  std::string joint;
  double gear = 1, gain = 1, stiffness = 0, damping = 0;
  std::optional<double> minimum, maximum;
  double initial = 0;
};

struct LinkTree {
  std::string name, description;
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  std::optional<double> period;  ///< s
  std::vector<TreeLink> links;
  std::vector<JointCoupling> couplings;
  std::vector<LoopClosure> closures;
  std::vector<TreeActuator> actuators;
  bool balance_inertia = false;  ///< as of TreeOptions
};

struct TreeOptions {
  std::map<std::string, double> starts;  ///< coordinates in the declared state, by the names of joints in the file;
                                         ///< within their limits
  bool balance_inertia = false;          ///< raise a principal moment that breaks the triangle inequality
};

/// A loop whose points do not meet where the joints start.
struct OpenLoop {
  SourcePlace place;
  double gap = 0;  ///< between the points, m
};

struct ImportedModel {
  rt::ModelSpec spec;
  std::map<std::string, SourcePlace> places;  ///< of elements: "bodies[2]"
  std::vector<OpenLoop> open_loops;           ///< for the assembly to close
};

/// The description of a tree. Links that are fixed to their parent become part of its body, or of ground. A joint
/// starts at its zero, or at the nearest limit; a coupled one where the coupling says. A link on several joints gets a
/// body of kSmallShare of its mass and inertia between each two of them; a link without mass gets this share of what it
/// carries. Whatever is approximated on the way, and every rule that the tree breaks, goes to the report; the
/// description is then not complete.
ImportedModel makeModel(const LinkTree& tree, const TreeOptions& options, ImportReport& report);

inline constexpr double kSmallShare = 1e-5;

}  // namespace tactus::server
