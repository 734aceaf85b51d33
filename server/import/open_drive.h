// OpenDRIVE (.xodr): the geometry of roads to `roads` of a model.
#pragma once

#include "server/import/xml_tree.h"

#include "tactus/v1/model.pb.h"

#include <string>
#include <vector>

namespace tactus::server {

/// Reads ASAM OpenDRIVE 1.1 to 1.8. Roads that follow each other become one Road of the model with the world frame of
/// the file: x east, y north, z up. The first of them in the file is driven from its start to its end. The way along a
/// road alone is s of the file, and its way across t; a road that is driven from its end counts both the other way.
///
/// | of the file | of the Road |
/// | line, arc, spiral, paramPoly3 | a line of points 0.5 m apart or a little less, on the curve to round-off |
/// | elevation, superelevation | heights; the ends go on with their slope |
/// | friction of the materials of lanes | frictions: factors on the friction of the road, which is 1 |
///
/// All else is a loss in the report; errors are there, too.
/// @param[in]  only   ids of the roads to read; empty: all that belong to no junction
/// @param[out] model  gets the roads; unspecified if the report has errors
/// @return the place of the first road of the file in each road of the model
std::vector<SourcePlace> readOpenDrive(const XmlNode& root, const std::vector<std::string>& only, v1::Model& model);

}  // namespace tactus::server
