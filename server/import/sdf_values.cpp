#include "server/import/sdf_values.h"

#include "rt/math/euler_parameters.h"
#include "server/import/placements.h"

#include <algorithm>
#include <cmath>

namespace tactus::server {

using Eigen::Vector3d;

double numberIn(const XmlNode& node, const char* tag, double otherwise) {
  const auto child = node.child(tag);
  return child ? child->contentNumber().value_or(otherwise) : otherwise;
}

double limitIn(const XmlNode& node, const char* tag, double otherwise) {
  const std::string text = textIn(node, tag);
  if (text == "inf" || text == "+inf") return HUGE_VAL;
  return text == "-inf" ? -HUGE_VAL : numberIn(node, tag, otherwise);
}

std::optional<Vector3d> vectorIn(const XmlNode& node, const char* tag) {
  const auto child = node.child(tag);
  const auto values = child ? child->contentNumbers(3, 3) : std::nullopt;
  return values ? std::optional<Vector3d>(Vector3d((*values)[0], (*values)[1], (*values)[2])) : std::nullopt;
}

std::string textIn(const XmlNode& node, const char* tag) {
  const auto child = node.child(tag);
  return child ? child->content() : "";
}

Placement poseIn(const XmlNode& node) {
  const auto pose = node.child("pose");
  if (!pose || pose->content().empty()) return {};
  const bool quaternion = pose->text("rotation_format", "euler_rpy") == "quat_xyzw";
  const auto v = quaternion ? pose->contentNumbers(7, 7) : pose->contentNumbers(6, 6);
  if (!v) return {};
  Placement placement;
  placement.position = {(*v)[0], (*v)[1], (*v)[2]};
  if (quaternion) {
    const rt::Vector4d p((*v)[6], (*v)[3], (*v)[4], (*v)[5]);
    if (p.stableNorm() > 0) placement.rotation = rt::rotationMatrix(p.stableNormalized());
    return placement;
  }
  const double unit = pose->flag("degrees").value_or(false) ? std::acos(-1.0) / 180 : 1;
  placement.rotation = rollPitchYaw(unit * Vector3d((*v)[3], (*v)[4], (*v)[5]));
  return placement;
}

bool isStatic(const XmlNode& model) {
  const std::string word = textIn(model, "static");
  return word == "true" || word == "1";
}

std::optional<XmlNode> modelIn(const XmlNode& root) {
  const std::vector<XmlNode> models = root.children("model");
  const auto moving = std::find_if_not(models.begin(), models.end(), isStatic);
  if (moving != models.end()) return *moving;
  return models.empty() ? std::nullopt : std::optional(models.front());
}

}  // namespace tactus::server
