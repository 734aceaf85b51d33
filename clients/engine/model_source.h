// ModelSource: where an Engine takes its Model from, with the declared parameters or with others.
#pragma once

#include "rt/model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::engine {

struct ParameterValue {
  std::string name;
  double value = 0;

  bool operator==(const ParameterValue&) const = default;
};
using ParameterValues = std::vector<ParameterValue>;

class ModelSource {
 public:
  virtual ~ModelSource() = default;

  /// The declared Model with some values of its parameters, all or none.
  /// @throws Refusal for a parameter that is unknown, given twice or out of range, and with all findings on the model
  virtual std::shared_ptr<const rt::Model> build(const ParameterValues& values) const = 0;
};

/// All parameters of a Model, in its order.
inline ParameterValues parametersOf(const rt::Model& model) {
  ParameterValues values;
  for (const rt::Parameter& parameter : model.parameters) values.push_back({parameter.name, parameter.value});
  return values;
}

}  // namespace tactus::engine
