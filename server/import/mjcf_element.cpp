#include "server/import/mjcf_element.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/check_model.h"
#include "server/import/placements.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cstddef>
#include <numbers>
#include <set>
#include <sstream>
#include <utility>

namespace tactus::server {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

namespace {

/// Shorthands of one element.
const std::set<std::string> kActuators = {"general",     "motor",    "position", "velocity", "damper",
                                          "intvelocity", "cylinder", "muscle",   "adhesion"};

}  // namespace

double MjcfCompiler::angle(double value) const {
  return degrees ? value * std::numbers::pi / 180 : value;
}

const XmlNode* MjcfElement::giver(const char* attribute) const {
  const XmlNode* first = node_.has(attribute) ? &node_ : nullptr;
  for (const XmlNode& node : defaults_)
    if (first != nullptr)
      node.markRead(attribute);  // overridden here, which is no loss
    else if (node.has(attribute))
      first = &node;
  return first;
}

std::optional<std::string> MjcfElement::text(const char* attribute) const {
  const XmlNode* from = giver(attribute);
  return from == nullptr ? std::nullopt : from->text(attribute);
}

std::string MjcfElement::text(const char* attribute, const std::string& otherwise) const {
  return text(attribute).value_or(otherwise);
}

std::optional<double> MjcfElement::number(const char* attribute) const {
  const XmlNode* from = giver(attribute);
  return from == nullptr ? std::nullopt : from->number(attribute);
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  return number(attribute).value_or(otherwise);
}

std::optional<Vector3d> MjcfElement::vector(const char* attribute) const {
  const XmlNode* from = giver(attribute);
  return from == nullptr ? std::nullopt : from->vector(attribute);
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute, std::size_t fewest,
                                                        std::size_t most) const {
  const XmlNode* from = giver(attribute);
  return from == nullptr ? std::nullopt : from->numbers(attribute, fewest, most);
}

Vector3d MjcfElement::direction(const char* attribute, const Vector3d& value) const {
  if (value.stableNorm() > 0) return value.stableNormalized();
  giver(attribute)->error(attribute, "must have a length above zero");
  return Vector3d::UnitZ();
}

Matrix3d MjcfElement::rotation(const MjcfCompiler& compiler) const {
  if (const auto q = numbers("quat", 4, 4)) {
    const Vector4d p((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (p.stableNorm() > 0) return rt::rotationMatrix(p.stableNormalized());
    giver("quat")->error("quat", "must have a length above zero");
  }
  if (const auto a = numbers("axisangle", 4, 4)) {
    const Vector3d axis = direction("axisangle", Vector3d((*a)[0], (*a)[1], (*a)[2]));
    return Eigen::AngleAxisd(compiler.angle((*a)[3]), axis).toRotationMatrix();
  }
  if (const auto e = vector("euler"))
    return eulerRotation(compiler.euler_sequence,
                         {compiler.angle((*e)[0]), compiler.angle((*e)[1]), compiler.angle((*e)[2])});
  if (const auto a = numbers("xyaxes", 6, 6)) {
    const Vector3d x = direction("xyaxes", Vector3d((*a)[0], (*a)[1], (*a)[2]));
    Vector3d y((*a)[3], (*a)[4], (*a)[5]);
    y = direction("xyaxes", y - x.dot(y) * x);
    Matrix3d axes;
    axes << x, y, x.cross(y);
    return axes;
  }
  if (const auto z = vector("zaxis")) return rotationFromZ(direction("zaxis", *z));
  return Matrix3d::Identity();
}

Placement MjcfElement::placement(const MjcfCompiler& compiler) const {
  return {vector("pos").value_or(Vector3d::Zero()), rotation(compiler)};
}

bool MjcfElement::isLimited(const char* flag, const char* range, const MjcfCompiler& compiler) const {
  const std::string word = text(flag, "auto");
  text(range);
  if (word == "true") return true;
  if (word == "false") return false;
  if (word != "auto") giver(flag)->error(flag, "must be \"true\", \"false\" or \"auto\"");
  if (!compiler.auto_limits || !has(range)) return false;
  // Two equal numbers, as "0 0", take back the range of a default.
  std::istringstream numbers(text(range, ""));
  double first = 0, second = 0;
  return !(numbers >> first >> second) || first != second;
}

void MjcfDefaults::add(const XmlNode& node, std::vector<XmlNode> above) {
  node.markRead();
  const bool is_top = above.empty();
  const std::string name = node.text("class", "main");
  if (!is_top && !node.has("class")) node.error("class", "must be given");
  above.insert(above.begin(), node);
  if (is_top && chains_.count("main") > 0 && name == "main") {
    // Several top-level elements are one class; the later one comes first.
    std::vector<XmlNode>& main = chains_["main"];
    main.insert(main.begin(), node);
    above = main;
  } else if (!chains_.emplace(name, above).second) {
    node.error("class", "must be unique among classes");
  }
  if (is_top) chains_.emplace("main", above);
  for (const XmlNode& child : node.children())
    if (child.tag() == "default")
      add(child, above);
    else
      child.markRead();
}

MjcfElement MjcfDefaults::of(const XmlNode& node, const std::string& child_class) const {
  const std::string name = node.text("class", child_class.empty() ? "main" : child_class);
  const auto chain = chains_.find(name);
  if (chain == chains_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, unused] : chains_) known.push_back(other);
    const std::string nearest = rt::nearestName(name, known);
    if (name != "main")
      node.error("class", "must be a class of <default>: \"" + name + "\" is none",
                 nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    return {node, {}};
  }
  std::vector<XmlNode> defaults;
  const std::string tag = node.tag() == "freejoint" ? "joint" : node.tag();
  const bool acts = kActuators.count(tag) > 0;
  for (const XmlNode& level : chain->second) {
    const std::vector<XmlNode> children = level.children();
    const std::size_t before = defaults.size();
    for (const XmlNode& found : children)
      if (acts ? kActuators.count(found.tag()) > 0 : found.tag() == tag) defaults.push_back(found);
    // Each changes what those before it have set.
    if (acts) std::reverse(defaults.begin() + static_cast<std::ptrdiff_t>(before), defaults.end());
  }
  return {node, std::move(defaults)};
}

}  // namespace tactus::server
