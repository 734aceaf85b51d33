#include "clients/cli/signals.h"

#include "clients/cli/remote.h"
#include "proto/text/table.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct Choices {
  std::string model, session, server = kDefaultServer;
  bool json = false;
};

std::string causality(const v1::Signal& signal) {
  return signal.causality() == v1::CAUSALITY_INPUT ? "input" : "output";
}

// What a number is printed as: the shortest text that a person needs.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// Empty where every finite number is allowed.
std::string range(const v1::Signal& signal) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const bool below = signal.has_minimum() && signal.minimum() > -kMax;
  const bool above = signal.has_maximum() && signal.maximum() < kMax;
  if (!below && !above) return "";
  return (below ? number(signal.minimum()) : "") + ".." + (above ? number(signal.maximum()) : "");
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
    table.add({signal.name(), signal.unit(), signal.frame(), causality(signal), range(signal), signal.description()});
  }
  std::printf("%s", table.text().c_str());
}

v1::Signal listed(const rt::Signal& signal) {
  v1::Signal entry;
  entry.set_name(signal.name);
  entry.set_unit(signal.unit);
  entry.set_frame(signal.frame);
  entry.set_shape(1);
  entry.set_description(signal.description);
  entry.set_causality(signal.causality == rt::Causality::kInput ? v1::CAUSALITY_INPUT : v1::CAUSALITY_OUTPUT);
  if (signal.causality == rt::Causality::kInput) {
    entry.set_minimum(signal.minimum);
    entry.set_maximum(signal.maximum);
  }
  return entry;
}

// The directory of a model, without a server. What is wrong with the model goes to stderr, all of it.
std::vector<v1::Signal> signalsOfModel(const std::string& model, const ModelOpener& open) {
  const server::ModelDocument document = open(model);
  for (const auto& finding : document.findings) {
    std::fprintf(stderr, "%s\n", server::toString(finding, model).c_str());
  }
  if (!document.valid()) throw Error("'" + model + "' is not a valid model");

  const rt::Model built = rt::buildModel(document.spec);
  const rt::SignalDirectory directory(built);
  std::vector<v1::Signal> signals;
  for (const rt::Signal& signal : directory.signals()) signals.push_back(listed(signal));
  return signals;
}

std::vector<v1::Signal> signalsOfSession(const Choices& choices) {
  return chooseSession(Client(choices.server), choices.session).signals();
}

int run(const Choices& choices, const ModelOpener& open) {
  std::vector<v1::Signal> signals;
  if (!choices.model.empty()) {
    try {
      signals = signalsOfModel(choices.model, open);
    } catch (const Error& error) {
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

void addSignalsCommand(CLI::App& app, int& exit_code, ModelOpener open) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("signals", "The signals of a model or of a running session");
  auto* source = command->add_option_group("source");
  source->add_option("MODEL", choices->model, "Built-in model or file; needs no server");
  source->add_option("--session", choices->session, "Name of a session on the server");
  source->require_option(1);
  command->add_option("--server", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_flag("--json", choices->json, "JSON in place of a table");
  command->callback([choices, open = std::move(open), &exit_code] { exit_code = run(*choices, open); });
}

}  // namespace tactus::client
