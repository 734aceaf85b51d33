// Where the meshes of an imported file are.
#pragma once

#include "server/import/import_report.h"

#include "tactus/v1/model.pb.h"

#include <filesystem>
#include <map>
#include <string>

namespace tactus::server {

/// Reads the mesh of every visual whose `hash` is the name of a file, as the imported file gives it, into the model. A
/// visual whose mesh cannot be read, or that would exceed what a model may hold, is left out and reported.
/// @param file         that is imported
/// @param mesh_folder  from the folder of the file: where names without a scheme begin
/// @param places       of "bodies[i].visuals[k]"
void readImportedMeshes(const std::filesystem::path& file, const std::filesystem::path& mesh_folder,
                        const std::map<std::string, SourcePlace>& places, v1::Model& model, ImportReport& report);

}  // namespace tactus::server
