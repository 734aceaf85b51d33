// Reads SDF, the model format of Gazebo.
#pragma once

#include "server/import/link_tree.h"
#include "server/import/xml_tree.h"

namespace tactus::server {

/// Reads the first model that is not static, in <sdf> itself or in its first <world>. As with the other formats,
/// Debian's own reader (sdformat) is not used, so that every element that is not imported is listed with its line.
/// @param root  the element <sdf>
/// What the tree cannot hold, and every rule that the file breaks, goes to the report of the XML tree.
LinkTree readSdf(const XmlNode& root);

}  // namespace tactus::server
