#include "server/models/built_in_models.h"

#include "rt/model/check_model.h"
#include "server/models/beams.h"
#include "server/models/chain.h"
#include "server/models/embedded_models.h"
#include "server/models/model_reference.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <functional>
#include <system_error>

namespace tactus::server {
namespace {

/// An entry of the list, and the function that makes its model from the values of its parameters, in their order.
struct Entry {
  BuiltInModel info;
  std::function<ModelDocument(const std::vector<int>& values)> open;
};

Entry embeddedEntry(const EmbeddedModel& file) {
  const auto open = [&file](const std::vector<int>&) { return readModelText(file.json, ModelSyntax::kJson); };
  return {{file.name, open({}).spec.description, {}}, open};
}

Entry chainEntry() {
  const ModelParameter links{"n", "number of links", 8, 1, 4096};
  return {{"chain", "n equal links on spherical joints, let go from the horizontal.", {links}},
          [](const std::vector<int>& values) { return readModelMessage(toProto(makeChain(values.front()))); }};
}

Entry cantileverEntry() {
  const ModelParameter elements{"n", "number of beam elements", 8, 1, 2048};
  return {{"cantilever", "A steel cantilever of n beam elements, let go under its weight.", {elements}},
          [](const std::vector<int>& values) { return readModelMessage(toProto(makeCantilever(values.front()))); }};
}

Entry beamChainEntry() {
  const ModelParameter elements{"n", "number of beam elements", 8, 1, 2048};
  return {
      {"beam_chain", "A steel wire of n beam elements on a spherical joint, let go from the horizontal.", {elements}},
      [](const std::vector<int>& values) { return readModelMessage(toProto(makeBeamChain(values.front()))); }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list = {beamChainEntry(), cantileverEntry(), chainEntry()};
    for (const EmbeddedModel& file : embeddedModels()) list.push_back(embeddedEntry(file));
    std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.info.name < b.info.name; });
    return list;
  }();
  return all;
}

template <typename List>
std::string hintAt(const std::string& name, const List& list) {
  std::vector<std::string> names;
  for (const auto& element : list) names.push_back(element.name);
  if (const std::string nearest = rt::nearestName(name, names); !nearest.empty())
    return "did you mean \"" + nearest + "\"?";
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "known: " : ", ") + known;
  return all;
}

/// In small letters.
std::string endingOf(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// The model file in the folder of `file` whose name is near; empty if there is none.
std::string fileNear(const std::string& file) {
  constexpr std::size_t kMost = 1000;  // entries that are looked at
  const std::filesystem::path path(file), folder = path.parent_path();
  std::vector<std::string> names;
  std::error_code failed;
  std::size_t seen = 0;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, failed), end;
       !failed && entry != end && seen < kMost; entry.increment(failed), ++seen)
    if (const std::string name = entry->path().filename().string(); isModelFileName(name)) names.push_back(name);
  std::sort(names.begin(), names.end());
  const std::string nearest = rt::nearestName(path.filename().string(), names);
  return nearest.empty() ? "" : (folder / nearest).string();
}

/// What a MODEL that is not found may have meant.
std::string hintFor(const std::string& model) {
  std::vector<std::string> names;
  for (const BuiltInModel& known : builtInModels()) names.push_back(known.name);
  const std::string stem = std::filesystem::path(model).stem().string();
  const std::string name = rt::nearestName(stem, names), file = fileNear(model);
  if (name.empty() && file.empty()) return "tactus models lists the built-in models";
  const std::string near_name = name.empty() ? "" : "the built-in model " + name;
  const std::string near_file = file.empty() ? "" : "the file " + file;
  return "did you mean " + near_name + (name.empty() || file.empty() ? "" : ", or ") + near_file + "?";
}

/// @throws Error for what is neither a built-in model nor the name of a model file
void requireKnownKind(const std::string& model) {
  const std::string name = model.substr(0, model.find(':'));
  const std::vector<BuiltInModel>& known = builtInModels();
  if (std::any_of(known.begin(), known.end(), [&](const BuiltInModel& one) { return one.name == name; })) return;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(model, failed))
    throw Error("there is no built-in model \"" + name + "\", and the name of a model file ends in .json or .txtpb; " +
                hintFor(name));
  const std::string ending = endingOf(model);
  throw Error(model + ": the name of a model file ends in .json or .txtpb; " +
              (ending == ".json" || ending == ".txtpb"
                   ? "write the ending in small letters"
                   : "files of URDF, MJCF, SDF and OpenDRIVE become one with tactus model import"));
}

/// @throws Error for a model file that does not exist
void requireFile(const std::string& file) {
  std::error_code failed;
  if (std::filesystem::exists(file, failed) || failed) return;
  throw Error(file + ": cannot be opened: No such file or directory; " + hintFor(file));
}

int parseValue(const std::string& model, const ModelParameter& parameter, const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || value < parameter.minimum || value > parameter.maximum)
    throw Error("parameter " + parameter.name + " of " + model + " must be a whole number from " +
                std::to_string(parameter.minimum) + " to " + std::to_string(parameter.maximum) + ", not \"" + text +
                '"');
  return value;
}

std::vector<int> parseValues(const ModelReference& reference, const BuiltInModel& info) {
  std::vector<int> values;
  for (const ModelParameter& parameter : info.parameters) values.push_back(parameter.initial);
  for (const auto& [key, text] : reference.parameters) {
    const auto found = std::find_if(info.parameters.begin(), info.parameters.end(),
                                    [&name = key](const ModelParameter& p) { return p.name == name; });
    if (found == info.parameters.end()) {
      const std::string hint = info.parameters.empty() ? "it has none" : hintAt(key, info.parameters);
      throw Error("model " + info.name + " has no parameter \"" + key + "\" (" + hint + ')');
    }
    values[static_cast<std::size_t>(found - info.parameters.begin())] = parseValue(info.name, *found, text);
  }
  return values;
}

}  // namespace

const std::vector<BuiltInModel>& builtInModels() {
  static const std::vector<BuiltInModel> list = [] {
    std::vector<BuiltInModel> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return list;
}

ModelDocument openBuiltInModel(const std::string& text) {
  const ModelReference reference = parseModelReference(text);
  for (const Entry& entry : entries())
    if (entry.info.name == reference.name) return entry.open(parseValues(reference, entry.info));
  throw Error("no built-in model is named \"" + reference.name + "\" (" + hintAt(reference.name, builtInModels()) +
              ')');
}

bool isModelFileName(const std::string& text) {
  const auto endsWith = [&](const std::string& ending) {
    return text.size() > ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
  };
  return text.find('/') != std::string::npos || endsWith(".json") || endsWith(".txtpb");
}

ModelDocument openModel(const std::string& model) {
  const bool is_file = isModelFileName(model);
  is_file ? requireFile(model) : requireKnownKind(model);
  return is_file ? readModelFile(model) : openBuiltInModel(model);
}

}  // namespace tactus::server
