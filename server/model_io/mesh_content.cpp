// Whether bytes are a mesh: enough of each format to refuse what no page could show.
#include "server/model_io/mesh_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace tactus::server {
namespace {

/// Words of the extensions of glTF without which a file cannot be shown, and that the page knows.
constexpr std::array<std::string_view, 4> kKnownExtensions = {
    "KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "KHR_materials_emissive_strength"};

std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return word;
}

/// What is wrong with a file that a part of glTF names: everything must be in the file itself.
std::string outsideOf(const nlohmann::json& gltf, const char* list) {
  if (!gltf.contains(list) || !gltf[list].is_array()) return {};
  for (const nlohmann::json& part : gltf[list])
    if (part.is_object() && part.contains("uri") &&
        !(part["uri"].is_string() && part["uri"].get<std::string>().starts_with("data:")))
      return std::string("must hold its ") + list + " itself, and not name other files: export it as .glb";
  return {};
}

std::string gltfProblem(std::string_view text) {
  const nlohmann::json gltf = nlohmann::json::parse(text, nullptr, false);
  if (gltf.is_discarded() || !gltf.is_object()) return "must be glTF: its JSON cannot be read";
  const auto asset = gltf.find("asset");
  if (asset == gltf.end() || !asset->is_object() || asset->value("version", nlohmann::json()) != "2.0")
    return "must be glTF of version 2.0";
  if (!gltf.contains("meshes") || !gltf["meshes"].is_array() || gltf["meshes"].empty()) return "must have a mesh";
  if (gltf.contains("extensionsRequired"))
    for (const nlohmann::json& name : gltf["extensionsRequired"])
      if (!name.is_string() || std::find(kKnownExtensions.begin(), kKnownExtensions.end(), name.get<std::string>()) ==
                                   kKnownExtensions.end())
        return "must not need the extension " + name.dump() + ": export it without compression";
  for (const char* list : {"buffers", "images"})
    if (std::string problem = outsideOf(gltf, list); !problem.empty()) return problem;
  return {};
}

std::string glbProblem(std::string_view bytes) {
  constexpr std::uint32_t kMagic = 0x46546C67, kJson = 0x4E4F534A;
  constexpr std::size_t kHeader = 12, kChunk = 8;
  if (bytes.size() < kHeader + kChunk || wordAt(bytes, 0) != kMagic) return "must begin as a .glb file does: \"glTF\"";
  if (wordAt(bytes, 4) != 2) return "must be glTF of version 2.0";
  if (wordAt(bytes, 8) != bytes.size())
    return "must have " + std::to_string(wordAt(bytes, 8)) + " bytes, as its header says; it is cut off or damaged";
  const std::size_t length = wordAt(bytes, kHeader);
  if (wordAt(bytes, kHeader + 4) != kJson || length > bytes.size() - kHeader - kChunk)
    return "must begin with a chunk of JSON; it is damaged";
  return gltfProblem(bytes.substr(kHeader + kChunk, length));
}

/// Words of a line.
class LineWords {
 public:
  explicit LineWords(std::string_view line) : rest_(line) {}

  /// The next word; empty at the end.
  std::string_view next() {
    constexpr std::string_view kSpace = " \t\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kSpace));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

bool isNumber(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  return read.ec == std::errc() && read.ptr == word.data() + word.size() && std::isfinite(value);
}

bool hasNumbers(LineWords& words, int count) {
  for (int i = 0; i < count; ++i)
    if (!isNumber(words.next())) return false;
  return true;
}

/// Calls `take` with each line and its number, until it returns what is wrong.
template <typename Take>
std::string eachLine(std::string_view text, Take take) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (std::string problem = take(text.substr(0, end)); !problem.empty())
      return problem + " in line " + std::to_string(number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::string textStlProblem(std::string_view text) {
  int corners = 0, facets = 0;
  std::string problem = eachLine(text, [&](std::string_view line) -> std::string {
    LineWords words(line);
    const std::string_view first = words.next();
    if (first == "vertex") {
      if (!hasNumbers(words, 3)) return "must have three finite numbers behind \"vertex\"";
      ++corners;
    } else if (first == "endfacet") {
      ++facets;
      if (corners != 3 * facets) return "must have three corners in each facet";
    }
    return {};
  });
  if (!problem.empty()) return problem;
  if (facets == 0) return "must have a facet";
  return corners == 3 * facets ? "" : "must end with a whole facet; it is cut off";
}

std::string stlProblem(std::string_view bytes) {
  constexpr std::size_t kHead = 84, kFacet = 50, kNumbers = 12;
  const bool counted = bytes.size() >= kHead && bytes.size() == kHead + kFacet * std::size_t{wordAt(bytes, 80)};
  if (!counted) {
    if (bytes.starts_with("solid")) return textStlProblem(bytes);
    return bytes.size() < kHead ? "must be an .stl file: it is shorter than the header of one"
                                : "must have 84 + 50 n bytes for its n = " + std::to_string(wordAt(bytes, 80)) +
                                      " facets; it is cut off or damaged";
  }
  if (bytes.size() == kHead) return "must have a facet";
  for (std::size_t facet = kHead; facet < bytes.size(); facet += kFacet)
    for (std::size_t i = 0; i < kNumbers; ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + facet + 4 * i, sizeof value);
      if (!std::isfinite(value)) return "must have finite numbers in facet " + std::to_string((facet - kHead) / kFacet);
    }
  return {};
}

/// Whether "3", "3/1", "3//2" or "-1/..." names one of `count` vertices.
bool namesVertex(std::string_view word, long count) {
  long index = 0;
  word = word.substr(0, word.find('/'));
  const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
  return read.ec == std::errc() && read.ptr == word.data() + word.size() && index != 0 && index <= count &&
         -index <= count;
}

std::string objProblem(std::string_view text) {
  long vertices = 0, faces = 0;
  std::string problem = eachLine(text, [&](std::string_view line) -> std::string {
    LineWords words(line);
    const std::string_view first = words.next();
    if (first == "v") {
      if (!hasNumbers(words, 3)) return "must have three finite numbers behind \"v\"";
      ++vertices;
    } else if (first == "f") {
      int corners = 0;
      for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++corners)
        if (!namesVertex(word, vertices)) return "must name a vertex above it in each corner of a face";
      if (corners < 3) return "must have three corners or more in each face";
      ++faces;
    }
    return {};
  });
  if (problem.empty() && faces == 0) problem = "must have a face";
  return problem;
}

}  // namespace

std::string meshProblem(std::string_view format, std::string_view bytes) {
  if (format == "glb") return glbProblem(bytes);
  if (format == "gltf") return gltfProblem(bytes);
  if (format == "stl") return stlProblem(bytes);
  if (format == "obj") return objProblem(bytes);
  return "must be of the format glb, gltf, stl or obj";
}

}  // namespace tactus::server
