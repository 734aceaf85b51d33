// What MJCF says of bodies and joints behind the tree: <equality> and <actuator>.
#pragma once

#include "server/import/link_tree.h"
#include "server/import/mjcf_element.h"

namespace tactus::server {

/// A tendon, or what acts on one: an error, or a loss where tendons may be dropped.
void refuseTendon(const XmlNode& node, bool drop_tendons);

/// Takes the equalities into closures and couplings of the tree, whose links and joints are read.
void readEqualities(const XmlNode& equality, const MjcfDefaults& defaults, bool drop_tendons, LinkTree& tree);

/// Takes the actuators into the tree, whose joints are read.
void readActuators(const XmlNode& actuator, const MjcfDefaults& defaults, const MjcfCompiler& compiler,
                   bool drop_tendons, LinkTree& tree);

}  // namespace tactus::server
