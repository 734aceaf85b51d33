// An element of MJCF with the defaults of its class, and the frames and angles as the compiler settings write them.
#pragma once

#include "server/import/mass_properties.h"
#include "server/import/xml_tree.h"

#include <Eigen/Core>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// <compiler>: how numbers are to be read.
struct MjcfCompiler {
  bool degrees = true;
  std::string euler_sequence = "xyz";
  bool auto_limits = true;
  enum class InertiaFrom { kAuto, kGeoms, kInertial } inertia_from = InertiaFrom::kAuto;
  int first_inertia_group = 0, last_inertia_group = 5;

  double angle(double value) const;
};

/// An element; an attribute that it does not give comes from the nearest class that gives it.
class MjcfElement {
 public:
  MjcfElement(XmlNode node, std::vector<XmlNode> defaults) : node_(node), defaults_(std::move(defaults)) {}

  const XmlNode& node() const { return node_; }
  bool has(const char* attribute) const { return giver(attribute) != nullptr; }
  std::optional<std::string> text(const char* attribute) const;
  std::string text(const char* attribute, const std::string& otherwise) const;
  std::optional<double> number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  std::optional<Eigen::Vector3d> vector(const char* attribute) const;
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t fewest, std::size_t most) const;

  /// `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`.
  Placement placement(const MjcfCompiler& compiler) const;

  /// What gives its defaults, nearest first.
  const std::vector<XmlNode>& defaults() const { return defaults_; }

  /// Whether a range is in force: `flag` is true, or is left out or auto, and the range is given. One that is not in
  /// force is no loss.
  bool isLimited(const char* flag, const char* range, const MjcfCompiler& compiler) const;

 private:
  const XmlNode* giver(const char* attribute) const;
  Eigen::Matrix3d rotation(const MjcfCompiler& compiler) const;
  /// A vector that must have a length; of length one, or z.
  Eigen::Vector3d direction(const char* attribute, const Eigen::Vector3d& value) const;

  XmlNode node_;
  std::vector<XmlNode> defaults_;
};

/// The classes of <default>.
class MjcfDefaults {
 public:
  /// Takes a top-level <default>.
  void add(const XmlNode& node) { add(node, {}); }

  /// An element with the defaults of its class, or of `child_class`, or of main. A class has one default for actuators
  /// of all kinds.
  MjcfElement of(const XmlNode& node, const std::string& child_class) const;

 private:
  /// @param above  chain of the class around, nearest first
  void add(const XmlNode& node, std::vector<XmlNode> above);

  std::map<std::string, std::vector<XmlNode>> chains_;  ///< the <default> elements of a class, nearest first
};

}  // namespace tactus::server
