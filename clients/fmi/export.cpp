#include "clients/fmi/export.h"

#include "clients/engine/refusal.h"
#include "clients/fmi/archive.h"
#include "clients/fmi/binaries.h"
#include "clients/fmi/description.h"
#include "clients/fmi/format/spec_pack.h"
#include "clients/fmi/format/unit_file.h"
#include "rt/model/model.h"
#include "server/model_io/tuned_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

namespace tactus::fmi {
namespace {

double numberAt(const PackedSpec& packed, std::size_t place) {
  double number = 0;
  std::memcpy(&number, packed.bytes.data() + place, sizeof number);
  return number;
}

/// Where a parameter has its value among the packed numbers: they differ if the reader of models reads another value.
std::vector<std::size_t> placesOf(const rt::ParameterSpec& parameter, const v1::Model& message,
                                  const PackedSpec& packed) {
  const double value = parameter.value.value_or(0), infinity = std::numeric_limits<double>::infinity();
  const double other = !parameter.maximum || value < *parameter.maximum ? std::nextafter(value, infinity)
                                                                        : std::nextafter(value, -infinity);
  if (parameter.minimum && other < *parameter.minimum) return {};  // one value is allowed
  const PackedSpec changed =
      packSpec(server::readModelMessage(server::withParameters(message, {{parameter.name, other}})).spec);
  if (changed.numbers != packed.numbers)
    throw Error("parameter \"" + parameter.name + "\" changes more than numbers; a unit cannot carry it");
  std::vector<std::size_t> places;
  for (const std::size_t place : packed.numbers) {
    const double now = numberAt(packed, place), then = numberAt(changed, place);
    if (std::memcmp(&now, &then, sizeof now) == 0) continue;
    if (now != value || then != other)
      throw Error("parameter \"" + parameter.name + "\" is not the value of its targets; a unit cannot carry it");
    places.push_back(place);
  }
  return places;
}

/// Sensors, then the signals that were asked for; inputs are variables anyway.
std::vector<int> outputsOf(const rt::Model& model, const rt::SignalDirectory& directory,
                           const std::vector<std::string>& signals) {
  std::vector<std::string> patterns = model.sensor_names;
  patterns.insert(patterns.end(), signals.begin(), signals.end());
  if (patterns.empty()) return {};
  std::vector<int> outputs = directory.resolve(patterns);
  std::erase_if(outputs, [&](int index) {
    return directory.signals()[static_cast<std::size_t>(index)].causality == rt::Causality::kInput;
  });
  return outputs;
}

/// What the engine refuses, with its findings.
std::string wordsOf(const engine::Refusal& refusal) {
  std::string words = refusal.what() + (refusal.hint().empty() ? std::string() : " (" + refusal.hint() + ")");
  for (const server::LocatedFinding& located : refusal.findings())
    words += std::string("\n") + rt::ModelError({located.finding}).what();
  return words;
}

/// A name of C that says which model it is.
std::string identifierOf(const std::string& model) {
  std::string identifier = "tactus_";
  for (const char c : model) identifier += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return identifier;
}

}  // namespace

ExportReport exportUnit(const server::ModelDocument& document, const ExportOptions& options, const std::string& path) {
  const PackedSpec packed = packSpec(document.spec);
  UnitFile file;
  file.period_ns = options.period_ns;
  file.settings = options.settings;
  file.initial_condition = options.initial_condition;
  file.model = packed.bytes;
  for (const rt::ParameterSpec& parameter : document.spec.parameters)
    file.targets.push_back(placesOf(parameter, document.message, packed));

  // What the unit will do when it is instantiated, so that its errors are found here.
  std::optional<engine::Engine> engine;
  try {
    engine.emplace(std::make_unique<PackedSource>(file.model, file.targets), engineOptions(file));
  } catch (const engine::Refusal& refusal) { throw Error(wordsOf(refusal)); }
  const rt::Model& model = engine->model();
  if (model.hash != rt::buildModel(document.spec).hash) throw Error("the packed model is another one; report this");
  file.period_ns = engine->periodNs();
  const std::vector<int> outputs = outputsOf(model, engine->signals(), options.signals);
  for (const int index : outputs)
    file.outputs.push_back(engine->signals().signals()[static_cast<std::size_t>(index)].name);

  const std::string bytes = writeUnitFile(file);
  Description description;
  description.version = options.version;
  description.name = model.name;
  description.identifier = identifierOf(model.name);
  description.description = model.description;
  description.token = instantiationToken(model.hash, bytes);
  description.tool = options.tool;
  description.period = 1e-9 * static_cast<double>(file.period_ns);
  description.derivatives = options.derivatives;
  description.variables = variablesOf(model, engine->signals(), outputs);

  const std::string xml = descriptionXml(description), page = descriptionPage(description);
  const std::string json = server::writeModel(document.message, server::ModelSyntax::kJson);
  const std::string platform = options.version == 2 ? "linux64" : "x86_64-linux";
  const std::string license =
      "None is granted yet: use and copies need the consent of the owner of Tactus. The licenses of the libraries that "
      "the\n"
      "unit contains are those of Eigen (MPL 2.0) and of the GCC runtime library (GPL 3 with its runtime exception).\n";
  std::vector<ArchiveEntry> entries = {
      {"modelDescription.xml", xml},
      {"binaries/" + platform + '/' + description.identifier + ".so", unitBinary(options.version)},
      {"resources/" + std::string(kUnitFileName), bytes},
      {"resources/model.json", json},
      {"documentation/index.html", page},
      {"documentation/licenses/license.txt", license}};
  // FMI 2.0 has no terminals.
  const std::string terminals = options.version == 3 ? terminalsXml(description) : "";
  if (!terminals.empty()) entries.push_back({"terminalsAndIcons/terminalsAndIcons.xml", terminals});
  writeArchive(path, entries);
  return {description.token, description.period, model.actuators.size(), model.parameters.size(), outputs.size()};
}

}  // namespace tactus::fmi
