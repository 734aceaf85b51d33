#include "clients/cli/signals.h"

#include "clients/cli/remote.h"
#include "proto/text/table.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct SignalChoices : RemoteChoices {
  std::string model;
};

std::string causality(const v1::Signal& signal) {
  return signal.causality() == v1::CAUSALITY_INPUT ? "input" : "output";
}

// A number with at most six digits.
std::string sixDigits(double value) {
  return fmt::format("{:g}", value);
}

// Empty where every finite number is allowed.
std::string signalRange(const v1::Signal& signal) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const bool below = signal.has_minimum() && signal.minimum() > -kMax;
  const bool above = signal.has_maximum() && signal.maximum() < kMax;
  if (!below && !above) return "";
  return (below ? sixDigits(signal.minimum()) : "") + ".." + (above ? sixDigits(signal.maximum()) : "");
}

void printJson(const std::vector<v1::Signal>& signals) {
  Json list = Json::array();
  for (const v1::Signal& signal : signals) {
    Json entry = {{"name", signal.name()},   {"unit", signal.unit()},          {"frame", signal.frame()},
                  {"shape", signal.shape()}, {"causality", causality(signal)}, {"description", signal.description()}};
    if (signal.has_minimum()) entry["minimum"] = signal.minimum();
    if (signal.has_maximum()) entry["maximum"] = signal.maximum();
    list.push_back(entry);
  }
  const Json document = {{"signals", list}};
  std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void printTable(const std::vector<v1::Signal>& signals) {
  text::Table table({"name", "unit", "frame", "causality", "range", "description"}, "llllll");
  for (const v1::Signal& signal : signals) {
    table.add(
        {signal.name(), signal.unit(), signal.frame(), causality(signal), signalRange(signal), signal.description()});
  }
  std::printf("%s", table.text().c_str());
}

std::vector<v1::Signal> signalsOfSession(const SignalChoices& choices) {
  return chooseSession(connect(choices), choices.session).signals();
}

int run(const SignalChoices& choices, const ModelSignals& of_model) {
  std::vector<v1::Signal> signals;
  if (!choices.model.empty()) {
    try {
      signals = of_model(choices.model);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tactus: %s\n", error.what());
      return text::kExitUsage;
    }
  } else if (const int code = exitCodeOf([&] { signals = signalsOfSession(choices); }); code != 0) {
    return code;
  }
  choices.json ? printJson(signals) : printTable(signals);
  return 0;
}

}  // namespace

void addSignalsCommand(CLI::App& app, int& exit_code, ModelSignals of_model) {
  auto choices = std::make_shared<SignalChoices>();
  CLI::App* command = app.add_subcommand("signals", "List the signals of a model or of a running session");
  CLI::Option* model = command->add_option("MODEL", choices->model, "Built-in model or file; needs no server");
  command->add_option("--session", choices->session, "Name of a session on the server; default: its only session")
      ->excludes(model);
  addServerOption(*command, *choices);
  command->add_flag("--json", choices->json, "JSON in place of a table");
  command->callback([choices, of_model = std::move(of_model), &exit_code] { exit_code = run(*choices, of_model); });
}

}  // namespace tactus::client
