// Reads URDF, the robot description of ROS.
#pragma once

#include "server/import/link_tree.h"
#include "server/import/xml_tree.h"

namespace tactus::server {

/// @param root     the element <robot>
/// @param free     the root link is free; otherwise it is fixed to ground
/// What the tree cannot hold, and every rule that the file breaks, goes to the report of the XML tree.
LinkTree readUrdf(const XmlNode& root, bool free);

}  // namespace tactus::server
