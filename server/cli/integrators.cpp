#include "server/cli/integrators.h"

#include "proto/text/json_text.h"
#include "rt/offline/integrator.h"
#include "server/cli/subcommand.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::Method;
using rt::offline::Option;

Json toJson(const Method& method) {
  Json options = Json::array();
  for (const Option& option : method.options)
    options.push_back({{"name", option.name},
                       {"default", option.value},
                       {"accepts", rangeOf(option)},
                       {"description", option.summary}});
  return {{"name", method.name},   {"family", method.family},          {"description", method.summary},
          {"order", method.order}, {"index_3_orders", method.index_3}, {"stability", method.stability},
          {"options", options}};
}

std::string textOf(const std::vector<Method>& methods) {
  std::string text, family;
  for (const Method& method : methods) {
    if (method.family != family) text += fmt::format("{}{}\n", family.empty() ? "" : "\n", method.family);
    family = method.family;
    text += fmt::format("  {:<15} {}\n", method.name, method.summary);
    text += fmt::format("{:18}order {}; on constraints (position, velocity, multiplier): {}; {}\n", "", method.order,
                        method.index_3, method.stability);
    for (const Option& option : method.options)
      text += fmt::format("{:18}{}={}  ({})  {}\n", "", option.name, option.value, rangeOf(option), option.summary);
  }
  return text;
}

struct IntegratorsArguments {
  std::string name;
  bool json = false;
};

int listIntegrators(const IntegratorsArguments& arguments) {
  const std::vector<Method> list =
      arguments.name.empty() ? rt::offline::methods() : std::vector<Method>{rt::offline::findMethod(arguments.name)};
  if (arguments.json) {
    Json json = Json::array();
    for (const Method& method : list) json.push_back(toJson(method));
    std::cout << text::jsonText({{"integrators", json}});
  } else {
    std::cout << textOf(list);
  }
  return text::kExitOk;
}

}  // namespace

void addIntegratorsCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("integrators", "List the methods of `tactus run --integrator`");
  const auto a = std::make_shared<IntegratorsArguments>();
  command->add_option("NAME", a->name, "Name of a method; default: all methods");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, listIntegrators);
}

}  // namespace tactus::server
