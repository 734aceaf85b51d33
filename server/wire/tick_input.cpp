#include "server/wire/tick_input.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::server {

InputReader::InputReader(const rt::Model& model, const std::vector<std::string>& names) : model_(model) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string field = "inputs[" + std::to_string(i) + "]";
    const auto found = std::find(model.actuator_names.begin(), model.actuator_names.end(), names[i]);
    if (found == model.actuator_names.end())
      throw RequestError(Reason::kSignalUnknown, field,
                         "\"" + names[i] + "\" is not an actuator of model \"" + model.name + "\"",
                         rt::nearestName(names[i], model.actuator_names));
    const int actuator = static_cast<int>(found - model.actuator_names.begin());
    if (std::find(actuators_.begin(), actuators_.end(), actuator) != actuators_.end())
      throw RequestError(Reason::kRequestInvalid, field, "actuator \"" + names[i] + "\" is listed twice");
    actuators_.push_back(actuator);
  }
}

InputVerdict InputReader::validate(std::span<const double> values) const noexcept {
  using Fault = InputVerdict::Fault;
  if (values.size() != actuators_.size()) return {.fault = Fault::kCount, .index = static_cast<int>(values.size())};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const int index = static_cast<int>(i);
    const rt::Actuator& actuator = model_.actuators[static_cast<std::size_t>(actuators_[i])];
    if (!std::isfinite(value)) return {.fault = Fault::kNotFinite, .index = index, .value = value};
    if (value < actuator.minimum || value > actuator.maximum)
      return {.fault = Fault::kOutOfRange, .index = index, .value = value};
  }
  return {};
}

InputVerdict InputReader::read(std::uint64_t sequence, std::span<const double> values,
                               rt::ActuatorInput& input) noexcept {
  const bool repeats = may_repeat_ && sequence == last_sequence_;
  if (sequence <= last_sequence_ && !repeats) return {.fault = InputVerdict::Fault::kSequence, .sequence = sequence};
  // Validate every value before the first is used.
  InputVerdict verdict = validate(values);
  if (!verdict.ok()) return verdict;
  // A client may begin with any number.
  if (last_sequence_ > 0 && !repeats) verdict.left_out = sequence - last_sequence_ - 1;
  may_repeat_ = false;
  for (std::size_t i = 0; i < values.size(); ++i) input.values[static_cast<std::size_t>(actuators_[i])] = values[i];
  input.sequence = last_sequence_ = sequence;
  return verdict;
}

RequestError InputReader::explain(const InputVerdict& verdict) const {
  using Fault = InputVerdict::Fault;
  if (verdict.fault == Fault::kSequence)
    return {Reason::kRequestInvalid, "sequence",
            "sequence " + std::to_string(verdict.sequence) + " does not rise above " + std::to_string(last_sequence_),
            "number the inputs of a stream 1, 2, 3, ..."};
  if (verdict.fault == Fault::kCount)
    return {Reason::kRequestInvalid, "values",
            std::to_string(verdict.index) + " values for " + std::to_string(actuators_.size()) + " inputs",
            "one value for each of TickOpen.inputs, in that order"};

  const std::size_t index = static_cast<std::size_t>(actuators_[static_cast<std::size_t>(verdict.index)]);
  const std::string field = "values[" + std::to_string(verdict.index) + "]";
  const std::string what = "\"" + model_.actuator_names[index] + "\" = " + rt::printed(verdict.value);
  if (verdict.fault == Fault::kNotFinite)
    return {Reason::kNotFinite, field, what + " is not a finite number",
            "the whole input is refused; the last one is held"};
  const rt::Actuator& actuator = model_.actuators[index];
  return {Reason::kValueOutOfRange, field, what + " is out of range",
          "from " + rt::printed(actuator.minimum) + " to " + rt::printed(actuator.maximum)};
}

}  // namespace tactus::server
