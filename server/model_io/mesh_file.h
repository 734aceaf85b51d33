// Meshes of visuals from files beside a model file, and the rules on meshes of a model.
#pragma once

#include "server/model_io/located_finding.h"

#include "tactus/v1/model.pb.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::rt {
class FindingList;
}

namespace tactus::server {

inline constexpr std::size_t kMaxMeshBytes = std::size_t{2} << 20;  ///< of all meshes of a model together

/// Puts the hash in place of the file in every visual that names one, and the content of each file, once, into
/// `meshes` of the model. A visual whose file cannot be read gets another shape.
/// @param folder  of the model file; no file outside of it is read
/// @returns what is wrong with files, with the path of their field and without its line
std::vector<rt::Finding> readMeshFiles(const std::filesystem::path& folder, v1::Model& model);

/// The rules on `meshes` and on the visuals that name them.
void checkMeshes(const v1::Model& model, rt::FindingList& out);

/// Why bytes are no mesh of a format; empty: they are one.
/// @param format  "glb", "gltf", "stl" or "obj"
std::string meshProblem(std::string_view format, std::string_view bytes);

/// The bytes of the file of a mesh; empty if its content is no base64.
std::string meshBytes(const v1::Mesh& mesh);

/// FNV-1a (64 bit) over all visuals and meshes, 16 hexadecimal digits; empty if there are none. A mesh counts by its
/// hash.
std::string hashVisuals(const v1::Model& model);

}  // namespace tactus::server
