// Which roads of OpenDRIVE follow each other.
#pragma once

#include "server/import/road_chain.h"

#include <vector>

namespace tactus::server {

/// The roads in chains along their links. The first road of the file in a chain is driven from its start to its end.
///
/// Two ends are joined if either road names the other one and no third road begins there. What is not joined is a loss
/// in the report: several roads at one end, an end at a junction of which no road was read, ends that are apart.
/// @param roads  without errors
std::vector<LinkedRoads> chainsOf(const std::vector<DriveRoad>& roads);

}  // namespace tactus::server
