// Reads MJCF, the model format of MuJoCo.
#pragma once

#include "server/import/link_tree.h"
#include "server/import/xml_tree.h"

#include <filesystem>

namespace tactus::server {

/// @param      root          the element <mujoco>
/// @param      drop_tendons  tendons, and what acts on them, are left out and reported; otherwise they are errors
/// @param[out] mesh_folder   from the folder of the file: where the names of meshes begin
/// What the tree cannot hold, and every rule that the file breaks, goes to the report of the XML tree.
LinkTree readMjcf(const XmlNode& root, bool drop_tendons, std::filesystem::path& mesh_folder);

}  // namespace tactus::server
