// Values of SDF: it writes them as child elements, where other formats have attributes.
#pragma once

#include "server/import/mass_properties.h"
#include "server/import/xml_tree.h"

#include <Eigen/Core>

#include <optional>
#include <string>

namespace tactus::server {

/// The number in a child; `otherwise` where there is none.
double numberIn(const XmlNode& node, const char* tag, double otherwise);

/// The number of a limit, which may be inf or -inf.
double limitIn(const XmlNode& node, const char* tag, double otherwise);
std::optional<Eigen::Vector3d> vectorIn(const XmlNode& node, const char* tag);
/// Empty where there is no such child.
std::string textIn(const XmlNode& node, const char* tag);

/// Whether no link of a model moves, whatever its joints say.
bool isStatic(const XmlNode& model);

/// The first model in an element that moves, as the ground of a world does not; the first one if none does.
std::optional<XmlNode> modelIn(const XmlNode& root);

/// The <pose> of an element; the frame in which it is given is not looked at.
Placement poseIn(const XmlNode& node);

}  // namespace tactus::server
