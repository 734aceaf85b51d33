#include "server/model_io/mesh_file.h"

#include "rt/math/fnv.h"
#include "rt/model/finding_list.h"
#include "server/model_io/data_word.h"
#include "server/model_io/file_in_folder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace tactus::server {
namespace {

constexpr const char* kTooMuch = "must not be larger than 2 MiB, with all meshes of the model together";
constexpr const char* kSmaller = "reduce its triangles and its textures";

std::string hashText(std::string_view bytes) {
  rt::Fnv1a hash;
  hash.addText(bytes);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[i] = kDigits[(hash.value() >> (60 - 4 * i)) & 15];
  return text;
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64Of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kBase64[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// The bytes of a text in base64 with its padding; none if it is no such text.
std::optional<std::string> bytesOf(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = !last ? 0 : text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t digit = k >= 4 - padding && text[i + k] == '=' ? 0 : kBase64.find(text[i + k]);
      if (digit == std::string_view::npos) return std::nullopt;
      word = word << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + padding < 3; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 255);
  }
  return bytes;
}

std::string formatOf(const std::filesystem::path& path) {
  const std::string ending = lowerCase(path.extension().string());
  return ending.empty() ? ending : ending.substr(1);
}

bool isFormat(std::string_view format) {
  constexpr std::array<std::string_view, 4> kFormats = {"glb", "gltf", "stl", "obj"};
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

/// Reads at most `limit` bytes. @returns what is wrong
std::optional<FileProblem> readBytes(const std::filesystem::path& folder, const std::string& name, std::size_t limit,
                                     std::string& bytes) {
  if (auto problem = nameProblem(name)) return problem;
  if (!isFormat(formatOf(name))) return FileProblem{"must end in .glb, .gltf, .stl or .obj", ""};
  auto problem = readFileIn(folder, folder, name, limit, bytes);
  if (problem && problem->too_large) return FileProblem{kTooMuch, kSmaller};
  return problem;
}

/// Reads the files of one model; each file once.
class MeshFiles {
 public:
  MeshFiles(const std::filesystem::path& folder, v1::Model& model) : folder_(folder), model_(model) {
    for (const v1::Mesh& mesh : model.meshes()) {
      hashes_.insert(mesh.hash());
      left_ -= std::min(left_, mesh.content().size() / 4 * 3);
    }
  }

  std::optional<FileProblem> read(v1::MeshVisual& visual) {
    if (!visual.hash().empty()) return FileProblem{"must be given alone, without hash", ""};
    const auto known = files_.find(visual.file());
    if (known == files_.end()) {
      std::string bytes;
      if (auto problem = readBytes(folder_, visual.file(), left_, bytes)) return problem;
      const std::string format = formatOf(visual.file());
      if (std::string rule = meshProblem(format, bytes); !rule.empty()) return FileProblem{std::move(rule), ""};
      visual.set_hash(files_[visual.file()] = keep(format, bytes));
    } else {
      visual.set_hash(known->second);
    }
    visual.clear_file();
    return std::nullopt;
  }

 private:
  std::string keep(const std::string& format, const std::string& bytes) {
    std::string hash = hashText(bytes);
    if (!hashes_.insert(hash).second) return hash;
    left_ -= bytes.size();
    v1::Mesh& mesh = *model_.add_meshes();
    mesh.set_hash(hash);
    mesh.set_format(format);
    mesh.set_content(base64Of(bytes));
    return hash;
  }

  const std::filesystem::path& folder_;
  v1::Model& model_;
  std::size_t left_ = kMaxMeshBytes;
  std::set<std::string> hashes_;
  std::map<std::string, std::string> files_;  ///< hash of each file that was read
};

std::string pathOf(int body, int visual) {
  return rt::element("bodies", static_cast<std::size_t>(body)) + '.' +
         rt::element("visuals", static_cast<std::size_t>(visual));
}

}  // namespace

std::vector<rt::Finding> readMeshFiles(const std::filesystem::path& folder, v1::Model& model) {
  std::vector<rt::Finding> findings;
  MeshFiles files(folder, model);
  for (int b = 0; b < model.bodies_size(); ++b) {
    auto& visuals = *model.mutable_bodies(b)->mutable_visuals();
    for (int v = 0; v < visuals.size(); ++v) {
      if (visuals[v].mesh().file().empty()) continue;
      const std::string name = visuals[v].mesh().file();
      auto problem = files.read(*visuals[v].mutable_mesh());
      if (!problem) continue;
      findings.push_back({rt::Severity::kError, pathOf(b, v) + ".mesh.file", rt::printed(name),
                          std::move(problem->rule), std::move(problem->hint)});
      visuals[v].mutable_sphere()->set_radius(1);  // breaks no rule, in a model that is refused anyway
    }
  }
  return findings;
}

void checkMeshes(const v1::Model& model, rt::FindingList& out) {
  std::set<std::string> known;
  std::size_t left = kMaxMeshBytes;
  for (int i = 0; i < model.meshes_size(); ++i) {
    const v1::Mesh& mesh = model.meshes(i);
    const std::string path = rt::element("meshes", static_cast<std::size_t>(i));
    if (!known.insert(mesh.hash()).second) out.error(path + ".hash", rt::printed(mesh.hash()), "must be given once");
    const std::size_t size = mesh.content().size() / 4 * 3;
    if (size > left + 2) {
      out.error(path + ".content", std::to_string(size) + " bytes", kTooMuch, kSmaller);
      continue;
    }
    const std::optional<std::string> bytes = bytesOf(mesh.content());
    if (!bytes) {
      out.error(path + ".content", std::to_string(mesh.content().size()) + " characters", "must be base64");
      continue;
    }
    left -= std::min(left, bytes->size());
    if (const std::string hash = hashText(*bytes); hash != mesh.hash())
      out.error(path + ".hash", rt::printed(mesh.hash()), "must be that of the content, " + hash);
    if (const std::string problem = meshProblem(mesh.format(), *bytes); !problem.empty())
      out.error(path + ".content", std::to_string(bytes->size()) + " bytes", problem);
  }
  for (int b = 0; b < model.bodies_size(); ++b)
    for (int v = 0; v < model.bodies(b).visuals_size(); ++v) {
      if (!model.bodies(b).visuals(v).has_mesh()) continue;
      const v1::MeshVisual& visual = model.bodies(b).visuals(v).mesh();
      const std::string path = pathOf(b, v) + ".mesh";
      if (!visual.file().empty())
        out.error(path + ".file", rt::printed(visual.file()), kNoFolder,
                  "tactus model print writes the model with the mesh in place of the file");
      else if (visual.hash().empty())
        out.error(path + ".file", "none", "must be given: .glb, .gltf, .stl or .obj beside the model file");
      else if (known.count(visual.hash()) == 0)
        out.error(path + ".hash", rt::printed(visual.hash()), "must be that of one of the meshes of the model");
    }
}

std::string meshBytes(const v1::Mesh& mesh) {
  return bytesOf(mesh.content()).value_or("");
}

std::string hashVisuals(const v1::Model& model) {
  std::string all;
  for (const v1::Body& body : model.bodies())
    for (const v1::Visual& visual : body.visuals()) all += body.name() + '\n' + visual.SerializeAsString() + '\n';
  for (const v1::Road& road : model.roads())
    for (const v1::RoadMark& mark : road.marks()) all += road.name() + '\n' + mark.SerializeAsString() + '\n';
  for (const v1::Mesh& mesh : model.meshes()) all += mesh.hash() + mesh.format() + '\n';
  return all.empty() ? "" : hashText(all);
}

}  // namespace tactus::server
