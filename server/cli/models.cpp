#include "server/cli/models.h"

#include "proto/text/json_text.h"
#include "server/cli/subcommand.h"
#include "server/models/built_in_models.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string textOf(const std::vector<BuiltInModel>& models) {
  std::size_t width = 0;
  for (const BuiltInModel& model : models) width = std::max(width, usageOf(model).size());
  std::string text;
  for (const BuiltInModel& model : models) {
    text += fmt::format("{:<{}}  {}\n", usageOf(model), width, model.description);
    for (const ModelParameter& p : model.parameters)
      text += fmt::format("{:{}}  {}: {}, {} to {}\n", "", width, p.name, p.description, p.minimum, p.maximum);
  }
  return text;
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

struct ModelsArguments {
  bool json = false;
};

int listModels(const ModelsArguments& arguments) {
  Json list = Json::array();
  for (const BuiltInModel& model : builtInModels()) list.push_back(toJson(model));
  std::cout << (arguments.json ? text::jsonText({{"models", list}}) : textOf(builtInModels()));
  return text::kExitOk;
}

}  // namespace

void addModelsCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("models", "List the built-in models and their parameters");
  const auto a = std::make_shared<ModelsArguments>();
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, listModels);
}

}  // namespace tactus::server
