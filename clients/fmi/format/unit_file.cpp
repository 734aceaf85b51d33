#include "clients/fmi/format/unit_file.h"

#include "clients/engine/refusal.h"
#include "clients/fmi/format/byte_stream.h"
#include "clients/fmi/format/spec_pack.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/state/state.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tactus::fmi {
namespace {

using engine::Refusal;

constexpr std::string_view kMagic = "tactus unit 1\n";

/// @throws Refusal for a value that the parameter cannot have
void requireRange(const rt::ParameterSpec& parameter, double value) {
  if (!std::isfinite(value)) throw Refusal("NOT_FINITE", "parameters", parameter.name + " must be finite");
  const bool below = parameter.minimum && value < *parameter.minimum;
  if (below || (parameter.maximum && value > *parameter.maximum))
    throw Refusal("VALUE_OUT_OF_RANGE", "parameters",
                  parameter.name + " = " + rt::printed(value) + (below ? " is below " : " is above ") +
                      rt::printed(below ? *parameter.minimum : *parameter.maximum));
}

}  // namespace

std::string writeUnitFile(const UnitFile& file) {
  ByteWriter out;
  const auto count = [&](std::size_t size) { out.number(static_cast<std::uint64_t>(size)); };
  out.raw(kMagic.data(), kMagic.size());
  out.number(file.period_ns);
  count(file.settings.size());
  for (const auto& [name, value] : file.settings) {
    out.text(name);
    out.number(value);
  }
  out.text(file.initial_condition);
  count(file.outputs.size());
  for (const std::string& name : file.outputs) out.text(name);
  count(file.targets.size());
  for (const std::vector<std::size_t>& places : file.targets) {
    count(places.size());
    for (const std::size_t place : places) count(place);
  }
  out.text(file.model);
  std::string bytes = out.take();
  const std::uint64_t sum = checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

UnitFile readUnitFile(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    throw Error("resources/" + std::string(kUnitFileName) + " is not a model of this version of Tactus");
  std::uint64_t sum = 0;
  const std::size_t size = bytes.size() - std::min(bytes.size(), sizeof sum);
  std::memcpy(&sum, bytes.data() + size, bytes.size() - size);
  if (sum != checksum(bytes.substr(0, size)))
    throw Error("resources/" + std::string(kUnitFileName) + " is damaged; unpack the unit again");
  ByteReader in(bytes.substr(kMagic.size(), size - kMagic.size()));
  UnitFile file;
  file.period_ns = in.number<std::int64_t>();
  for (std::size_t left = in.size(sizeof(double)); left > 0; --left) {
    std::string name = in.text();
    file.settings.emplace_back(std::move(name), in.number<double>());
  }
  file.initial_condition = in.text();
  for (std::size_t left = in.size(1); left > 0; --left) file.outputs.push_back(in.text());
  for (std::size_t left = in.size(1); left > 0; --left) {
    std::vector<std::size_t>& places = file.targets.emplace_back(in.size(sizeof(std::uint64_t)));
    for (std::size_t& place : places) place = static_cast<std::size_t>(in.number<std::uint64_t>());
  }
  file.model = in.text();
  return file;
}

std::string instantiationToken(std::uint64_t model_hash, const std::string& unit_file) {
  return rt::formatHash(model_hash) + '-' + rt::formatHash(checksum(unit_file));
}

engine::EngineOptions engineOptions(const UnitFile& file) {
  engine::EngineOptions options;
  options.period_ns = file.period_ns;
  for (const auto& [name, value] : file.settings) options.settings.push_back({name, value});
  options.initial_condition = file.initial_condition;
  return options;
}

PackedSource::PackedSource(std::string model, std::vector<std::vector<std::size_t>> targets)
    : model_(std::move(model)), targets_(std::move(targets)), parameters_(unpackSpec(model_).parameters) {
  if (targets_.size() != parameters_.size()) throw Error("the model has a parameter without a place");
  for (const std::vector<std::size_t>& places : targets_)
    for (const std::size_t place : places)
      if (place + sizeof(double) > model_.size()) throw Error("a parameter of the model has its place outside of it");
}

std::shared_ptr<const rt::Model> PackedSource::build(const engine::ParameterValues& values) const {
  std::string bytes = model_;
  std::vector<bool> taken(parameters_.size());
  for (const engine::ParameterValue& value : values) {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const rt::ParameterSpec& known) { return known.name == value.name; });
    if (found == parameters_.end())
      throw Refusal("PARAMETER_UNKNOWN", "parameters", "the model has no parameter \"" + value.name + '"');
    const auto index = static_cast<std::size_t>(found - parameters_.begin());
    if (taken[index]) throw Refusal("REQUEST_INVALID", "parameters", "\"" + value.name + "\" is there twice");
    taken[index] = true;
    requireRange(*found, value.value);
    for (const std::size_t place : targets_[index]) std::memcpy(bytes.data() + place, &value.value, sizeof value.value);
  }
  try {
    return std::make_shared<const rt::Model>(rt::buildModel(unpackSpec(bytes)));
  } catch (const rt::ModelError& error) {
    const rt::Finding& first = error.findings().front();
    throw Refusal("MODEL_INVALID", "parameters",
                  "no valid model comes of it: " + first.path + " = " + first.value + ": " + first.rule, first.hint);
  }
}

}  // namespace tactus::fmi
