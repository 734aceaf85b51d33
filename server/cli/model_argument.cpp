#include "server/cli/model_argument.h"

#include "server/models/built_in_models.h"

#include <iostream>
#include <utility>

namespace tactus::server {

CLI::Option* addModelArgument(CLI::App& command, std::string& model) {
  return command.add_option("MODEL", model, "Built-in model, or a .json or .txtpb file");
}

void printFindings(const ModelDocument& document, const std::string& model) {
  for (const LocatedFinding& finding : document.findings) std::cerr << toString(finding, model) << '\n';
}

std::optional<ModelDocument> openValidModel(const std::string& model) {
  ModelDocument document = openModel(model);
  printFindings(document, model);
  if (!document.valid()) return std::nullopt;
  return document;
}

std::optional<v1::Model> messageOfModelFile(const std::string& model) {
  if (!isModelFileName(model)) return std::nullopt;
  std::optional<ModelDocument> document = openValidModel(model);
  if (!document) throw Error("'" + model + "' is not a valid model");
  return std::move(document->message);
}

}  // namespace tactus::server
