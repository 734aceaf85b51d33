#include "clients/cli/parameters.h"

#include "clients/cli/remote.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct ParameterChoices : RemoteChoices {
  std::vector<std::string> words;  ///< names, or NAME=VALUE
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

Json jsonOf(const v1::ParameterReport& report) {
  Json document = {{"first_tick", report.first_tick()}, {"parameters", Json::array()}};
  for (const v1::ParameterState& parameter : report.parameters()) document["parameters"].push_back(jsonOf(parameter));
  return document;
}

void print(const v1::ParameterReport& report) {
  text::Table table({"parameter", "value", "unit", "range", "description"}, "lrlll");
  for (const v1::ParameterState& parameter : report.parameters())
    table.add(
        {parameter.name(), number(parameter.value()), parameter.unit(), range(parameter), parameter.description()});
  std::printf("%s", table.text().c_str());
}

ClientError usage(const std::string& message) {
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT, message, {});
}

/// Names of parameters and patterns of signals, as a user gives them in one list.
struct Asked {
  std::vector<std::string> parameters, signals;
};

std::vector<std::string> parameterNames(const v1::ParameterReport& report) {
  std::vector<std::string> names;
  for (const v1::ParameterState& parameter : report.parameters()) names.push_back(parameter.name());
  return names;
}

Asked sorted(const std::vector<std::string>& words, const std::vector<std::string>& all) {
  Asked asked;
  for (const std::string& word : words) {
    const bool is_parameter = std::find(all.begin(), all.end(), word) != all.end();
    (is_parameter ? asked.parameters : asked.signals).push_back(word);
  }
  return asked;
}

/// The values of signals after the newest tick.
struct SignalValues {
  Frame frame;
  std::map<std::string, std::string> units;
};

/// What a word that is no name may have meant. Either may be empty.
std::string hintOf(const std::string& parameter, const std::string& signal) {
  if (parameter.empty() && signal.empty()) return "`tactus signals` and `tactus get` list them";
  if (parameter.empty() || signal.empty()) return "did you mean '" + parameter + signal + "'?";
  return "did you mean the parameter '" + parameter + "' or the signal '" + signal + "'?";
}

/// The signals of a word that is no parameter. @throws ClientError  SIGNAL_UNKNOWN with what the word may have meant
std::vector<v1::Signal> signalsOf(const Session& session, const std::string& word,
                                  const std::vector<std::string>& parameters, const NearestName& near) {
  try {
    return session.signals({word});
  } catch (const ClientError& error) {
    if (error.reason() != "SIGNAL_UNKNOWN") throw;
    v1::ErrorDetail detail;
    detail.set_reason(error.reason());
    detail.set_hint(hintOf(near(word, parameters), error.hint()));
    throw ClientError(error.code(), '\'' + word + "' is neither a signal nor a parameter of the session", detail);
  }
}

SignalValues readSignals(const Session& session, const std::vector<std::string>& patterns,
                         const std::vector<std::string>& parameters, const NearestName& near) {
  SignalValues read;
  for (const std::string& pattern : patterns)
    for (const v1::Signal& signal : signalsOf(session, pattern, parameters, near))
      read.units[signal.name()] = signal.unit();
  read.frame = session.read(patterns);
  return read;
}

Json jsonOf(const SignalValues& read) {
  Json signals = Json::array();
  for (std::size_t i = 0; i < read.frame.layout().size(); ++i) {
    const std::string& name = read.frame.layout().names()[i];
    signals.push_back({{"name", name}, {"value", read.frame.values()[i]}, {"unit", read.units.at(name)}});
  }
  return {{"tick", read.frame.tick()}, {"sim_time_ns", read.frame.simTimeNs()}, {"signals", signals}};
}

void print(const SignalValues& read) {
  text::Table table({"signal", "value", "unit"}, "lrl");
  for (std::size_t i = 0; i < read.frame.layout().size(); ++i) {
    const std::string& name = read.frame.layout().names()[i];
    table.add({name, number(read.frame.values()[i]), read.units.at(name)});
  }
  fmt::print("after tick {} ({:.3f} s)\n{}", read.frame.tick(), read.frame.simTime(), table.text());
}

void get(const ParameterChoices& choices, const NearestName& near) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const std::vector<std::string> all = parameterNames(session.parameters());
  const Asked asked = sorted(choices.words, all);
  const bool parameters = asked.signals.empty() || !asked.parameters.empty();
  Json document = Json::object();
  if (parameters) {
    const v1::ParameterReport report = session.parameters(asked.parameters);
    choices.json ? document.update(jsonOf(report)) : print(report);
  }
  if (!asked.signals.empty()) {
    const SignalValues read = readSignals(session, asked.signals, all, near);
    choices.json ? document.update(jsonOf(read)) : print(read);
  }
  if (choices.json) fmt::print("{}", text::jsonText(document));
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
  const Client client = connect(choices);
  const v1::ParameterReport report = chooseSession(client, choices.session).setParameters(values);
  if (choices.json) return fmt::print("{}", text::jsonText(jsonOf(report)));
  std::printf("in force from tick %lld on\n", static_cast<long long>(report.first_tick()));
}

CLI::App* addCommand(CLI::App& app, int& exit_code, const char* name, const char* what,
                     const std::shared_ptr<ParameterChoices>& choices,
                     std::function<void(const ParameterChoices&)> act) {
  CLI::App* command = app.add_subcommand(name, what);
  addServerOption(*command, *choices);
  command->add_option("--session", choices->session, "Name of the session; default: the only one");
  command->add_flag("--json", choices->json, "JSON in place of text");
  command->callback([choices, act = std::move(act), &exit_code] { exit_code = exitCodeOf([&] { act(*choices); }); });
  return command;
}

}  // namespace

void addParameterCommands(CLI::App& app, int& exit_code, AssignmentParser parse, NearestName near) {
  const auto asked = std::make_shared<ParameterChoices>(), wanted = std::make_shared<ParameterChoices>();
  const auto getNear = [near = std::move(near)](const ParameterChoices& choices) { get(choices, near); };
  addCommand(app, exit_code, "get", "Show parameters and signals of a session with their current values", asked,
             getNear)
      ->add_option("NAME", asked->words, "Parameters, and names and globs of signals; default: all parameters");
  const auto setParsed = [parse = std::move(parse)](const ParameterChoices& choices) { set(choices, parse); };
  addCommand(app, exit_code, "set", "Change parameters of a session together, between two ticks", wanted, setParsed)
      ->add_option("NAME=VALUE", wanted->words, "For example damping=2.5")
      ->required();
}

}  // namespace tactus::client
