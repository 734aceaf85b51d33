#include "clients/python/native/message_source.h"

#include "clients/engine/refusal.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"

#include <filesystem>
#include <optional>
#include <utility>

namespace tactus::python {

namespace {

using engine::Refusal;

Refusal modelInvalid(std::vector<server::LocatedFinding> findings) {
  return Refusal("MODEL_INVALID", "model", "the model is not valid", "", std::move(findings));
}

Refusal refusalOf(const server::ParameterError& error) {
  using Kind = server::ParameterError::Kind;
  const auto reason = [&] {
    switch (error.kind()) {
      case Kind::kUnknown: return "PARAMETER_UNKNOWN";
      case Kind::kRepeated: return "REQUEST_INVALID";
      case Kind::kNotFinite: return "NOT_FINITE";
      case Kind::kOutOfRange: return "VALUE_OUT_OF_RANGE";
      case Kind::kRefused: break;
    }
    return "MODEL_INVALID";
  };
  return Refusal(reason(), "parameters", error.what(), error.hint());
}

server::ModelDocument openContent(const std::string& json, const std::string& folder) {
  std::optional<std::filesystem::path> place;
  if (!folder.empty()) place = folder;
  server::ModelDocument document = server::readModelText(json, server::ModelSyntax::kJson, place);
  for (server::LocatedFinding& located : document.findings) {
    if (located.file.empty()) located.line = 0;  // the text is that of a dict, which has no lines
    if (located.finding.rule != server::kNoFolder) continue;
    located.finding.rule = "must be read from the folder of the model, and none is known";
    located.finding.hint =
        "give a tactus.build.Model its folder, as in Model(..., folder=\".\"), or write a model file "
        "there and give its path";
  }
  return document;
}

}  // namespace

server::ModelDocument openModel(const std::string& model, const std::optional<std::string>& folder) {
  if (folder) return openContent(model, *folder);
  try {
    return server::openModel(model);
  } catch (const Error& error) {
    throw Refusal(server::isModelFileName(model) ? "MODEL_INVALID" : "MODEL_UNKNOWN", "model", error.what());
  }
}

std::string placeOf(const server::LocatedFinding& located) {
  return located.file.empty() ? located.finding.path : located.file + ": " + located.finding.path;
}

MessageSource::MessageSource(server::ModelDocument document) : document_(std::move(document)) {
  if (!document_.valid()) throw modelInvalid(document_.findings);
}

std::shared_ptr<const rt::Model> MessageSource::build(const engine::ParameterValues& values) const {
  server::ParameterValues list;
  for (const engine::ParameterValue& value : values) list.push_back({value.name, value.value});
  server::ModelDocument tuned;
  try {
    tuned = server::readModelMessage(server::withParameters(document_.message, list));
  } catch (const server::ParameterError& error) { throw refusalOf(error); }
  for (const server::LocatedFinding& located : tuned.findings)
    if (located.finding.severity == rt::Severity::kError)
      throw Refusal("MODEL_INVALID", "parameters", "no valid model comes of it: " + server::toString(located, "model"),
                    "", tuned.findings);
  try {
    return std::make_shared<const rt::Model>(rt::buildModel(tuned.spec));
  } catch (const rt::ModelError& error) {
    std::vector<server::LocatedFinding> findings;
    for (const rt::Finding& finding : error.findings()) findings.push_back({finding, 0, 0});
    throw modelInvalid(std::move(findings));
  }
}

}  // namespace tactus::python
