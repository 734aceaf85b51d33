// `tactus model import`: a file of another tool to a model message and a report of what was lost.
#pragma once

#include "server/import/import_report.h"
#include "server/import/link_tree.h"

#include "tactus/v1/model.pb.h"

#include <string>
#include <vector>

namespace tactus::server {

struct ImportOptions : TreeOptions {
  bool free_base = false;          ///< of URDF: the root link is free, not fixed to ground
  bool drop_tendons = false;       ///< of MJCF: tendons are losses, not errors
  std::vector<std::string> roads;  ///< of OpenDRIVE: ids of the roads to take; empty: all outside junctions
};

struct ImportedFile {
  v1::Model message;  ///< valid if the report has no errors
  ImportReport report;
  std::string format;  ///< URDF, MJCF, SDF or OpenDRIVE; empty if the file is none of them
};

/// Reads URDF (root element robot), MJCF (mujoco), SDF (sdf) or OpenDRIVE (OpenDRIVE), whose model has roads alone and
/// is included by one with bodies. Meshes are read from the folder of the file, or, of package://NAME/PATH, from the
/// folder NAME in which the file lies or that lies beside it.
/// @throws Error if the file cannot be opened or is too large
ImportedFile importFile(const std::string& path, const ImportOptions& options);

}  // namespace tactus::server
