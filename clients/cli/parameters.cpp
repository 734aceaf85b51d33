#include "clients/cli/parameters.h"

#include "clients/cli/remote.h"
#include "proto/text/table.h"
#include "server/model_io/tuned_model.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <memory>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
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

server::ParameterValue parsed(const std::string& word) {
  try {
    return server::parseParameter(word);
  } catch (const Error& error) { throw usage(error.what()); }
}

void get(const Choices& choices) {
  const Client client(choices.server);
  print(chooseSession(client, choices.session).parameters(choices.words), choices.json);
}

void set(const Choices& choices) {
  std::map<std::string, double> values;
  for (const std::string& word : choices.words) {
    const server::ParameterValue value = parsed(word);
    if (!values.emplace(value.name, value.value).second) throw usage("\"" + value.name + "\" is there twice");
  }
  const Client client(choices.server);
  const v1::ParameterReport report = chooseSession(client, choices.session).setParameters(values);
  if (choices.json) return print(report, true);
  std::printf("in force from tick %lld on\n", static_cast<long long>(report.first_tick()));
}

CLI::App* addCommand(CLI::App& app, int& exit_code, const char* name, const char* what,
                     const std::shared_ptr<Choices>& choices, void (*act)(const Choices&)) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("--server", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_option("--session", choices->session, "Name of the session; default: the only one");
  command->add_flag("--json", choices->json, "JSON in place of text");
  command->callback([choices, act, &exit_code] { exit_code = exitCodeOf([&] { act(*choices); }); });
  return command;
}

}  // namespace

void addParameterCommands(CLI::App& app, int& exit_code) {
  const auto asked = std::make_shared<Choices>(), wanted = std::make_shared<Choices>();
  addCommand(app, exit_code, "get", "Parameters of a session that can be changed while it runs", asked, get)
      ->add_option("NAME", asked->words, "Names; default: all");
  addCommand(app, exit_code, "set", "Change parameters of a session together, between two ticks", wanted, set)
      ->add_option("NAME=VALUE", wanted->words, "For example damping=2.5")
      ->required();
}

}  // namespace tactus::client
