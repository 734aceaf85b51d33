// Geoms of MJCF: what they weigh and how they look.
#pragma once

#include "rt/model/elements/visual.h"
#include "server/import/mjcf_element.h"

#include <map>
#include <optional>
#include <string>

namespace tactus::server {

/// <mesh> of <asset>.
struct MjcfMesh {
  std::string file;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};

struct MjcfAssets {
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, std::vector<double>> colors;  ///< rgba of materials
};

struct MjcfGeom {
  MassProperties mass;                   ///< in the frame around the geom; no mass if the geom does not count
  std::optional<rt::VisualSpec> visual;  ///< in the frame around the geom
};

/// What cannot be held goes to the report of the tree.
MjcfGeom readGeom(const MjcfElement& geom, const MjcfCompiler& compiler, const MjcfAssets& assets);

}  // namespace tactus::server
