#include "server/models/built_in_models.h"

#include "rt/model/check_model.h"
#include "server/models/beams.h"
#include "server/models/chain.h"
#include "server/models/embedded_models.h"
#include "server/models/model_reference.h"

#include <algorithm>
#include <charconv>
#include <functional>

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
  return isModelFileName(model) ? readModelFile(model) : openBuiltInModel(model);
}

}  // namespace tactus::server
