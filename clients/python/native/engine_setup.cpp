#include "clients/python/native/engine_setup.h"

#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/third_order_limit.h"
#include "rt/model/check_model.h"
#include "server/models/built_in_models.h"

#include <utility>

namespace tactus::python {

namespace {

constexpr std::size_t kRing = 4;  // publications

Refusal modelInvalid(std::vector<server::LocatedFinding> findings) {
  return Refusal("MODEL_INVALID", "model", "the model is not valid", "", std::move(findings));
}

const server::ModelDocument& valid(const server::ModelDocument& document) {
  if (!document.valid()) throw modelInvalid(document.findings);
  return document;
}

}  // namespace

server::ModelDocument openNamedModel(const std::string& model) {
  try {
    return server::openModel(model);
  } catch (const Error& error) {
    throw Refusal(server::isModelFileName(model) ? "MODEL_INVALID" : "MODEL_UNKNOWN", "model", error.what());
  }
}

server::ModelDocument openModelText(const std::string& json) {
  server::ModelDocument document = server::readModelText(json, server::ModelSyntax::kJson);
  // The text is that of a dict: it has no lines.
  for (server::LocatedFinding& finding : document.findings) finding.line = 0;
  return document;
}

Refusal refusalOf(const server::ParameterError& error) {
  using Kind = server::ParameterError::Kind;
  const auto reason = [&] {
    switch (error.kind()) {
      case Kind::kUnknown: return "PARAMETER_UNKNOWN";
      case Kind::kRepeated: return "REQUEST_INVALID";
      case Kind::kNotFinite: return "NOT_FINITE";
      case Kind::kOutOfRange: return "VALUE_OUT_OF_RANGE";
      case Kind::kRefused: break;
    }
    return "MODEL_INVALID";
  };
  return Refusal(reason(), "parameters", error.what(), error.hint());
}

v1::Model tunedMessage(const server::ModelDocument& document, const server::ParameterValues& parameters) {
  const v1::Model& message = valid(document).message;
  if (parameters.empty()) return message;
  try {
    return server::withParameters(message, parameters);
  } catch (const server::ParameterError& error) { throw refusalOf(error); }
}

std::shared_ptr<const rt::Model> builtModel(const v1::Model& message) {
  try {
    return std::make_shared<const rt::Model>(rt::buildModel(valid(server::readModelMessage(message)).spec));
  } catch (const rt::ModelError& error) {
    std::vector<server::LocatedFinding> findings;
    for (const rt::Finding& finding : error.findings()) findings.push_back({finding, 0, 0});
    throw modelInvalid(std::move(findings));
  }
}

rt::Settings chosenSettings(const rt::Model& model, const EngineOptions& options) {
  if (options.period_ns < 0) throw Refusal("REQUEST_INVALID", "period", "the period must be above zero");
  rt::Settings settings;
  try {
    settings = rt::chooseSettings(model, options.period_ns);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "period", error.what()); }
  for (const rt::SettingChange& change : options.settings) {
    try {
      rt::changeSetting(settings, change);
    } catch (const Error& error) {
      throw Refusal("REQUEST_INVALID", change.name, error.what(),
                    "leave it out for the setting that the model recommends, or the default");
    }
  }
  try {
    rt::requireStableSteps(model, settings);
  } catch (const rt::ModelError& error) {
    throw modelInvalid({{error.findings().front(), 0, 0}});
  } catch (const Error& error) { throw Refusal("MODEL_INVALID", "model", error.what()); }
  return settings;
}

rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition) {
  int condition = 0;
  try {
    condition = rt::findInitialCondition(model, initial_condition);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "initial_condition", error.what()); }
  try {
    return rt::initialState(model, condition);
  } catch (const Error& error) { throw Refusal("MODEL_INVALID", "model", error.what()); }
}

rt::LoopOptions loopOptions(const rt::Plan& plan, const rt::Settings& settings, int threads) {
  rt::LoopOptions options;
  options.ring_capacity = kRing;
  if (threads < 1) throw Refusal("REQUEST_INVALID", "threads", "must be at least 1");
  try {
    options.threads = rt::chooseThreads(rt::maxThreads(plan, settings), threads, false);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "threads", error.what()); }
  return options;
}

}  // namespace tactus::python
