// Models as people and clients write them: read, checked, built, assembled, and ticked.
#include "tests/fuzz/mutate_message.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/error.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"

namespace tactus::fuzz {

namespace {

constexpr int kMostBodies = 48;  // larger models take the time of many small ones

void tickFewTimes(const server::ModelDocument& document) {
  if (document.spec.bodies.size() > kMostBodies) return;
  rt::Model model;
  try {
    model = rt::buildModel(document.spec);
    if (model.bodyCount() > kMostBodies) return;
    const rt::Plan plan = rt::compilePlan(model);
    const rt::Settings settings = rt::chooseSettings(model);
    rt::LoopOptions options;
    options.ring_capacity = 2;
    rt::TickLoop loop(model, plan, settings, rt::initialState(model).state, options);
    for (int i = 0; i < 3; ++i) loop.tick();
  } catch (const Error&) {}  // does not assemble, or exceeds a limit
}

bool read(std::string_view bytes, server::ModelSyntax syntax) {
  const server::ModelDocument document = server::readModelText(bytes, syntax);
  for (const server::LocatedFinding& finding : document.findings)
    require(!toString(finding, "f").empty(), "a finding has a text");
  if (!document.valid()) return false;
  const std::string written = server::writeModel(document.message, syntax);
  const server::ModelDocument again = server::readModelText(written, syntax);
  require(again.valid(), "a valid model is written as a valid model");
  require(server::writeModel(again.message, syntax) == written, "a model is written once as twice");
  tickFewTimes(document);
  return true;
}

bool modelJson(std::string_view bytes) {
  return read(bytes, server::ModelSyntax::kJson);
}
bool modelText(std::string_view bytes) {
  return read(bytes, server::ModelSyntax::kText);
}

bool modelMessage(std::string_view bytes) {
  v1::Model message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  const server::ModelDocument document = server::readModelMessage(message);
  if (!document.valid()) return false;
  tickFewTimes(document);
  return true;
}

std::vector<v1::Model> smallModels() {
  std::vector<v1::Model> models;
  for (const server::BuiltInModel& built_in : server::builtInModels()) {
    v1::Model message = server::openBuiltInModel(built_in.name).message;
    if (message.ByteSizeLong() < 6000) models.push_back(std::move(message));
  }
  return models;
}

std::vector<std::string> textSeeds(server::ModelSyntax syntax) {
  std::vector<std::string> seeds;
  for (const v1::Model& model : smallModels()) seeds.push_back(server::writeModel(model, syntax));
  return seeds;
}
std::vector<std::string> jsonSeeds() {
  return textSeeds(server::ModelSyntax::kJson);
}
std::vector<std::string> textFormSeeds() {
  return textSeeds(server::ModelSyntax::kText);
}
std::vector<std::string> messageSeeds() {
  std::vector<std::string> seeds;
  for (const v1::Model& model : smallModels()) seeds.push_back(model.SerializeAsString());
  return seeds;
}

}  // namespace

std::vector<Target> modelTargets() {
  return {{"model_json", 12'000, modelJson, jsonSeeds, nullptr},
          {"model_text", 12'000, modelText, textFormSeeds, nullptr},
          {"model_message", 8'000, modelMessage, messageSeeds, mutateBytesOf<v1::Model>}};
}

}  // namespace tactus::fuzz
