#include "server/cli/models.h"

#include "server/cli/exit_code.h"
#include "server/models/built_in_models.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

/// "chain:n=8".
std::string usageOf(const BuiltInModel& model) {
  std::string text = model.name;
  for (const ModelParameter& p : model.parameters)
    text += (&p == &model.parameters.front() ? ":" : ",") + p.name + '=' + std::to_string(p.initial);
  return text;
}

void printTable(std::ostream& out) {
  std::size_t width = 0;
  for (const BuiltInModel& model : builtInModels()) width = std::max(width, usageOf(model).size());
  for (const BuiltInModel& model : builtInModels()) {
    out << std::left << std::setw(static_cast<int>(width) + 2) << usageOf(model) << model.description << '\n';
    for (const ModelParameter& p : model.parameters)
      out << std::string(width + 2, ' ') << p.name << ": " << p.description << ", " << p.minimum << " to " << p.maximum
          << '\n';
  }
}

Json toJson(const BuiltInModel& model) {
  Json parameters = Json::array();
  for (const ModelParameter& p : model.parameters)
    parameters.push_back({{"name", p.name},
                          {"description", p.description},
                          {"default", p.initial},
                          {"minimum", p.minimum},
                          {"maximum", p.maximum}});
  return {{"name", model.name}, {"description", model.description}, {"parameters", parameters}};
}

void printJson(std::ostream& out) {
  Json list = Json::array();
  for (const BuiltInModel& model : builtInModels()) list.push_back(toJson(model));
  out << Json{{"models", list}}.dump(2) << '\n';
}

}  // namespace

void addModelsCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("models", "List the built-in models and their parameters");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([as_json, &exit_code] {
    *as_json ? printJson(std::cout) : printTable(std::cout);
    exit_code = kExitOk;
  });
}

}  // namespace tactus::server
