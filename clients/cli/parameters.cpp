#include "clients/cli/parameters.h"

#include "clients/cli/remote.h"
#include "proto/text/table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct ParameterChoices {
  std::string server = kDefaultServer, session;
  std::vector<std::string> words;  ///< names, or NAME=VALUE
  bool json = false;
};

std::string number(double value) {
  return Json(value).dump();
}

std::string range(const v1::ParameterState& parameter) {
  if (!parameter.has_minimum() && !parameter.has_maximum()) return "";
  return (parameter.has_minimum() ? number(parameter.minimum()) : "") + " .. " +
         (parameter.has_maximum() ? number(parameter.maximum()) : "");
}

Json jsonOf(const v1::ParameterState& parameter) {
  Json json = {{"name", parameter.name()}, {"value", parameter.value()}, {"unit", parameter.unit()}};
  if (parameter.has_minimum()) json["minimum"] = parameter.minimum();
  if (parameter.has_maximum()) json["maximum"] = parameter.maximum();
  json["targets"] = std::vector<std::string>(parameter.targets().begin(), parameter.targets().end());
  json["description"] = parameter.description();
  return json;
}

void print(const v1::ParameterReport& report, bool as_json) {
  if (as_json) {
    Json document = {{"first_tick", report.first_tick()}, {"parameters", Json::array()}};
    for (const v1::ParameterState& parameter : report.parameters()) document["parameters"].push_back(jsonOf(parameter));
    std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return;
  }
  text::Table table({"parameter", "value", "unit", "range", "description"}, "lrlll");
  for (const v1::ParameterState& parameter : report.parameters())
    table.add(
        {parameter.name(), number(parameter.value()), parameter.unit(), range(parameter), parameter.description()});
  std::printf("%s", table.text().c_str());
}

ClientError usage(const std::string& message) {
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT, message, {});
}

void get(const ParameterChoices& choices) {
  const Client client(choices.server);
  print(chooseSession(client, choices.session).parameters(choices.words), choices.json);
}

std::map<std::string, double> parsed(const std::vector<std::string>& words, const AssignmentParser& parse) {
  std::map<std::string, double> values;
  for (const std::string& word : words) {
    try {
      const auto [name, value] = parse(word);
      if (!values.emplace(name, value).second) throw usage("\"" + name + "\" is given twice");
    } catch (const ClientError&) { throw; } catch (const std::exception& error) {
      throw usage(error.what());
    }
  }
  return values;
}

void set(const ParameterChoices& choices, const AssignmentParser& parse) {
  const std::map<std::string, double> values = parsed(choices.words, parse);
  const Client client(choices.server);
  const v1::ParameterReport report = chooseSession(client, choices.session).setParameters(values);
  if (choices.json) return print(report, true);
  std::printf("in force from tick %lld on\n", static_cast<long long>(report.first_tick()));
}

CLI::App* addCommand(CLI::App& app, int& exit_code, const char* name, const char* what,
                     const std::shared_ptr<ParameterChoices>& choices,
                     std::function<void(const ParameterChoices&)> act) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("--server", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_option("--session", choices->session, "Name of the session; default: the only one");
  command->add_flag("--json", choices->json, "JSON in place of text");
  command->callback([choices, act = std::move(act), &exit_code] { exit_code = exitCodeOf([&] { act(*choices); }); });
  return command;
}

}  // namespace

void addParameterCommands(CLI::App& app, int& exit_code, AssignmentParser parse) {
  const auto asked = std::make_shared<ParameterChoices>(), wanted = std::make_shared<ParameterChoices>();
  addCommand(app, exit_code, "get", "Parameters of a session that can be changed while it runs", asked, get)
      ->add_option("NAME", asked->words, "Names; default: all");
  const auto setParsed = [parse = std::move(parse)](const ParameterChoices& choices) { set(choices, parse); };
  addCommand(app, exit_code, "set", "Change parameters of a session together, between two ticks", wanted, setParsed)
      ->add_option("NAME=VALUE", wanted->words, "For example damping=2.5")
      ->required();
}

}  // namespace tactus::client
