#include "server/service/model_store.h"

#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/model_io/mesh_file.h"
#include "server/models/built_in_models.h"
#include "server/session/session_registry.h"

#include <algorithm>
#include <string_view>

namespace tactus::server {

namespace {

std::string baseName(const std::string& reference) {
  return reference.substr(0, reference.find(':'));
}

std::string summarize(const std::vector<LocatedFinding>& findings) {
  std::string text = "the model is not valid";
  const auto first = std::find_if(findings.begin(), findings.end(), [](const LocatedFinding& located) {
    return located.finding.severity == rt::Severity::kError;
  });
  if (first != findings.end()) text += ": " + toString(*first, "model");
  return text;
}

}  // namespace

v1::ModelInfo describeModel(const v1::Model& model) {
  v1::ModelInfo info;
  info.set_name(model.name());
  info.set_description(model.description());
  info.set_bodies(static_cast<std::uint32_t>(model.bodies_size()));
  info.set_joints(static_cast<std::uint32_t>(model.joints_size()));
  info.set_visuals_hash(hashVisuals(model));
  return info;
}

ModelRefused::ModelRefused(std::vector<LocatedFinding> findings)
    : RequestError(Reason::kModelInvalid, "model", summarize(findings)), findings_(std::move(findings)) {}

std::vector<LocatedFinding> validate(const ModelDocument& document) {
  std::vector<LocatedFinding> findings = document.findings;
  if (!document.valid()) return findings;

  // Each initial state must lie within the limits of the assembly.
  const rt::Model model = rt::buildModel(document.spec);
  for (std::size_t i = 0; i < model.initial_conditions.size(); ++i) {
    try {
      rt::initialState(model, static_cast<int>(i));
    } catch (const Error& error) {
      const std::string path = i == 0 ? "bodies" : "initial_conditions[" + std::to_string(i - 1) + "]";
      findings.push_back({{rt::Severity::kError, path, model.initial_conditions[i].name, error.what(), ""}});
    }
  }
  return findings;
}

ModelStore::ModelStore(const Limits& limits) : limits_(limits) {
  for (const BuiltInModel& model : builtInModels()) {
    v1::ModelInfo info = describeModel(openBuiltInModel(model.name).message);
    info.set_name(model.name);
    info.set_description(model.description);
    info.set_built_in(true);
    for (const ModelParameter& parameter : model.parameters)
      info.add_parameters(parameter.name + "=" + std::to_string(parameter.initial));
    built_in_.push_back(std::move(info));
  }
}

v1::ModelInfo ModelStore::describe(const Stored& stored) {
  v1::ModelInfo info = describeModel(stored.message);
  info.set_owner(stored.owner);
  return info;
}

std::vector<v1::ModelInfo> ModelStore::list() const {
  std::vector<v1::ModelInfo> models = built_in_;
  std::lock_guard lock(mutex_);
  for (const auto& [name, stored] : loaded_) models.push_back(describe(stored));
  return models;
}

ModelStore::Entry ModelStore::get(const std::string& name, const std::string& field) const {
  {
    std::lock_guard lock(mutex_);
    if (const auto found = loaded_.find(name); found != loaded_.end())
      return {describe(found->second), found->second.message};
  }
  const ModelDocument document = openBuiltIn(name, field);
  Entry entry{describeModel(document.message), document.message};
  for (const v1::ModelInfo& info : built_in_) {
    if (info.name() != baseName(name)) continue;
    entry.info.set_built_in(true);
    *entry.info.mutable_parameters() = info.parameters();
  }
  return entry;
}

std::shared_ptr<const rt::Model> ModelStore::open(const std::string& name) const {
  return build(readModelMessage(get(name, "model").message));
}

std::shared_ptr<const rt::Model> ModelStore::build(const ModelDocument& document) const {
  if (document.message.bodies_size() > limits_.bodies)
    throw RequestError(Reason::kLimitExceeded, "model",
                       "a model has at most " + std::to_string(limits_.bodies) + " bodies; this one has " +
                           std::to_string(document.message.bodies_size()));
  if (!document.valid()) throw ModelRefused(document.findings);
  return std::make_shared<const rt::Model>(rt::buildModel(document.spec));
}

ModelStore::Loaded ModelStore::load(const ModelDocument& document, const Peer& peer) {
  const std::shared_ptr<const rt::Model> model = build(document);
  const std::string& name = document.message.name();
  if (!isValidName(name))
    throw RequestError(Reason::kRequestInvalid, "model.name", "\"" + name + "\" is not a valid name for a model",
                       "1 to 64 of A-Z a-z 0-9 _ . -");
  if (isBuiltIn(name))
    throw RequestError(Reason::kRequestInvalid, "model.name", "\"" + name + "\" is a built-in model",
                       "choose another name");

  // A model that cannot run is not stored.
  Stored stored{document.message, peer.name};
  Loaded loaded{describe(stored), document.findings, {}, false};
  try {
    loaded.assembly = rt::initialState(*model);
  } catch (const Error& error) { throw RequestError(Reason::kModelInvalid, "model", error.what()); }

  std::lock_guard lock(mutex_);
  const auto known = loaded_.find(name);
  if (known != loaded_.end()) requireOwner(peer, known->second.owner, "model \"" + name + '"');
  if (known == loaded_.end()) {
    QuotaUse use;
    for (const auto& [other, held] : loaded_) use.add(peer, held.owner);
    requireRoom(limits_.models, peer, use);
  }
  loaded.replaced = !loaded_.insert_or_assign(name, std::move(stored)).second;
  return loaded;
}

void ModelStore::unload(const std::string& name, const Peer& peer) {
  {
    std::lock_guard lock(mutex_);
    if (const auto found = loaded_.find(name); found != loaded_.end()) {
      requireOwner(peer, found->second.owner, "model \"" + name + '"');
      loaded_.erase(found);
      return;
    }
  }
  if (!isBuiltIn(baseName(name))) throw unknown("name", name);
  throw RequestError(Reason::kRequestInvalid, "name", "\"" + name + "\" is a built-in model, which cannot be removed",
                     "ListModels says which models are built in");
}

bool ModelStore::isBuiltIn(const std::string& name) const {
  return std::any_of(built_in_.begin(), built_in_.end(),
                     [&](const v1::ModelInfo& info) { return info.name() == name; });
}

RequestError ModelStore::unknown(const std::string& field, const std::string& name) const {
  const std::string near = nearest(baseName(name));
  return {Reason::kModelUnknown, field, "there is no model \"" + name + "\"",
          near.empty() ? "ListModels lists the models" : "did you mean \"" + near + "\"?"};
}

ModelDocument ModelStore::openBuiltIn(const std::string& name, const std::string& field) const {
  if (!isBuiltIn(baseName(name))) throw unknown(field, name);
  try {
    return openBuiltInModel(name);
  } catch (const Error& error) { throw RequestError(Reason::kRequestInvalid, field, error.what()); }
}

std::string ModelStore::nearest(const std::string& name) const {
  std::vector<std::string> names;
  for (const v1::ModelInfo& info : list()) names.push_back(info.name());
  return rt::nearestName(name, names);
}

}  // namespace tactus::server
