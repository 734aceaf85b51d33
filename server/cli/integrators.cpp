#include "server/cli/integrators.h"

#include "rt/error.h"
#include "rt/offline/integrator.h"
#include "server/cli/exit_code.h"

#include <nlohmann/json.hpp>

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

void printTable(const std::vector<Method>& methods, std::ostream& out) {
  std::string family;
  for (const Method& method : methods) {
    if (method.family != family) out << (family.empty() ? "" : "\n") << method.family << '\n';
    family = method.family;
    out << "  " << method.name << std::string(method.name.size() < 16 ? 16 - method.name.size() : 1, ' ')
        << method.summary << '\n'
        << std::string(18, ' ') << "order " << method.order
        << "; on constraints (position, velocity, multiplier): " << method.index_3 << "; " << method.stability << '\n';
    for (const Option& option : method.options)
      out << std::string(18, ' ') << option.name << '=' << option.value << "  (" << rangeOf(option) << ")  "
          << option.summary << '\n';
  }
}

}  // namespace

void addIntegratorsCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("integrators", "List the methods of `tactus run --integrator`");
  struct Arguments {
    std::string name;
    bool json = false;
  };
  const auto a = std::make_shared<Arguments>();
  command->add_option("NAME", a->name, "One method; default: all");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &exit_code] {
    try {
      const std::vector<Method> list =
          a->name.empty() ? rt::offline::methods() : std::vector<Method>{rt::offline::findMethod(a->name)};
      if (a->json) {
        Json json = Json::array();
        for (const Method& method : list) json.push_back(toJson(method));
        std::cout << Json{{"integrators", json}}.dump(2) << '\n';
      } else {
        printTable(list, std::cout);
      }
      exit_code = kExitOk;
    } catch (const Error& error) {
      std::cerr << "tactus integrators: " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace tactus::server
