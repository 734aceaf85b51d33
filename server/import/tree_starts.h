// Where the joints of a tree stand in the declared state.
#pragma once

#include "server/import/import_report.h"
#include "server/import/link_tree.h"

#include <map>
#include <string>

namespace tactus::server {

/// The coordinate of each joint in the declared state, by its name in the file: as the user gives it, else as the file
/// does, else the joint's zero or the nearest limit. A joint that follows another one starts where the coupling says.
/// @param given  starts of the user. One that no joint has, that lies outside the limits of its joint, or that the
///               coupling of its joint contradicts is an error. Couplings that lead back to their joint are one, too
std::map<std::string, double> startsOf(const LinkTree& tree, const std::map<std::string, double>& given,
                                       ImportReport& report);

}  // namespace tactus::server
