#include "server/import/mesh_places.h"

#include "rt/model/finding_list.h"
#include "server/model_io/mesh_file.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace tactus::server {
namespace {

using std::filesystem::path;

/// The folder that meshes may lie in, and the folder of the file in it.
struct MeshRoot {
  path root, inside;
};

/// The root of the package that the file lies in, or its folder.
MeshRoot rootOf(const path& file, const std::vector<std::string>& names) {
  std::error_code failed;
  const path folder = std::filesystem::weakly_canonical(std::filesystem::absolute(file), failed).parent_path();
  for (path above = folder; above.has_relative_path(); above = above.parent_path())
    for (const std::string& name : names)
      if (name.rfind("package://" + above.filename().string() + '/', 0) == 0 ||
          name.rfind("model://" + above.filename().string() + '/', 0) == 0)
        return {above, folder.lexically_relative(above)};
  return {folder, ""};
}

/// The path of a mesh from the root; empty: there is no such file.
std::string resolve(const MeshRoot& meshes, const path& mesh_folder, const std::string& name) {
  std::string rest = name;
  std::vector<path> candidates;
  for (const std::string scheme : {"package://", "model://"}) {
    if (name.rfind(scheme, 0) != 0) continue;
    rest = name.substr(scheme.size());
    const std::size_t slash = rest.find('/');
    const std::string package = rest.substr(0, slash);
    const std::string within = slash == std::string::npos ? "" : rest.substr(slash + 1);
    if (meshes.root.filename() == package) candidates.emplace_back(within);
    candidates.push_back(meshes.inside / rest);
    candidates.push_back(meshes.inside / within);
  }
  if (rest.rfind("file://", 0) == 0) rest = rest.substr(7);
  if (candidates.empty())
    candidates.push_back(path(rest).is_absolute() ? path(rest) : meshes.inside / mesh_folder / rest);
  for (const path& candidate : candidates) {
    std::error_code failed;
    const path normal =
        candidate.is_absolute() ? candidate.lexically_relative(meshes.root) : candidate.lexically_normal();
    if (normal.empty() || *normal.begin() == "..") continue;
    if (std::filesystem::is_regular_file(meshes.root / normal, failed)) return normal.string();
  }
  return "";
}

}  // namespace

void readImportedMeshes(const path& file, const path& mesh_folder, const std::map<std::string, SourcePlace>& places,
                        v1::Model& model, ImportReport& report) {
  std::vector<std::string> names;
  for (const v1::Body& body : model.bodies())
    for (const v1::Visual& visual : body.visuals())
      if (visual.has_mesh()) names.push_back(visual.mesh().hash());
  if (names.empty()) return;
  const MeshRoot meshes = rootOf(file, names);

  const auto pathOf = [](int b, int v) {
    return rt::element("bodies", static_cast<std::size_t>(b)) + '.' +
           rt::element("visuals", static_cast<std::size_t>(v));
  };
  std::map<std::string, std::string> problems;  // of a visual
  for (int b = 0; b < model.bodies_size(); ++b)
    for (int v = 0; v < model.bodies(b).visuals_size(); ++v) {
      if (!model.bodies(b).visuals(v).has_mesh()) continue;
      v1::MeshVisual& mesh = *model.mutable_bodies(b)->mutable_visuals(v)->mutable_mesh();
      const std::string name = std::exchange(*mesh.mutable_hash(), "");
      const std::string found = resolve(meshes, mesh_folder, name);
      if (found.empty())
        problems[pathOf(b, v)] = "mesh \"" + name + "\" is not in the folder of the file or its package";
      mesh.set_file(found.empty() ? "-" : found);
    }
  for (const rt::Finding& finding : readMeshFiles(meshes.root, model))
    problems.emplace(
        finding.path.substr(0, finding.path.rfind(".mesh.file")),
        "mesh " + finding.value + ' ' + finding.rule + (finding.hint.empty() ? "" : " (" + finding.hint + ')'));

  for (int b = 0; b < model.bodies_size(); ++b) {
    auto& visuals = *model.mutable_bodies(b)->mutable_visuals();
    int kept = 0;
    for (int v = 0; v < visuals.size(); ++v) {
      const auto problem = problems.find(pathOf(b, v));
      if (problem == problems.end()) {
        visuals.SwapElements(kept++, v);
        continue;
      }
      const auto place = places.find(problem->first);
      report.dropped(place == places.end() ? SourcePlace{file.string(), 0, ""} : place->second, LossEffect::kPicture,
                     problem->second);
    }
    visuals.DeleteSubrange(kept, visuals.size() - kept);
  }
}

}  // namespace tactus::server
