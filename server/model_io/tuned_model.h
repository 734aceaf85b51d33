// A model with other values of its parameters.
#pragma once

#include "rt/error.h"
#include "server/model_io/model_file.h"

#include "tactus/v1/input.pb.h"
#include "tactus/v1/model.pb.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

struct ParameterValue {
  std::string name;
  double value = 0;
};
using ParameterValues = std::vector<ParameterValue>;

/// Why a model does not take a list of values: what is wrong with one of them, or with what comes of all.
class ParameterError : public Error {
 public:
  enum class Kind : std::uint8_t {
    kUnknown,   ///< the model has no parameter of that name
    kRepeated,  ///< the name is in the list twice
    kNotFinite,
    kOutOfRange,
    kRefused,  ///< the rules of the model do not allow it; of no element
  };
  ParameterError(Kind kind, std::size_t index, const std::string& message, std::string hint = {})
      : Error(message), kind_(kind), index_(index), hint_(std::move(hint)) {}

  Kind kind() const noexcept { return kind_; }
  std::size_t index() const noexcept { return index_; }  ///< in the list
  const std::string& hint() const noexcept { return hint_; }

 private:
  Kind kind_;
  std::size_t index_;
  std::string hint_;
};

struct TunedModel {
  v1::Model message;
  std::shared_ptr<const rt::Model> model;
};

/// The message of a valid model with other values, all or none.
/// @throws ParameterError but kRefused
v1::Model withParameters(const v1::Model& message, const ParameterValues& values);

/// The same, built; `model` is what the message was built to.
/// @throws ParameterError also where the rules of a model do not allow the values, or where they change its structure
TunedModel tuneModel(const v1::Model& message, const rt::Model& model, const ParameterValues& values);

/// The same of a model as it was read, with values as people write them: "NAME=VALUE".
/// @throws Error naming what is wrong
ModelDocument withParameters(const ModelDocument& document, const std::vector<std::string>& settings);

/// Of a list "NAME=VALUE" that takes parameters and options. Without parameters it checks nothing: the reader of the
/// options does.
/// @param[in] owner   of the options, for people
/// @param[in] method  `tactus integrators METHOD` lists them
/// @throws Error if a name is neither a parameter nor an option
void requireKnown(const std::vector<std::string>& settings, const std::string& owner,
                  const std::vector<std::string>& options, const std::string& method,
                  const std::vector<rt::ParameterSpec>& parameters);

/// All parameters of a Model, in its order.
ParameterValues parametersOf(const rt::Model& model);

ParameterValues readParameters(const google::protobuf::RepeatedPtrField<v1::ParameterValue>& list);
void writeParameters(const ParameterValues& values, google::protobuf::RepeatedPtrField<v1::ParameterValue>& list);

/// The parts of "NAME=VALUE".
/// @throws Error if there is no name, or if the value is no number
ParameterValue parseParameter(const std::string& text);

/// "damping = 3, payload_mass = 120".
std::string toString(const ParameterValues& values);

}  // namespace tactus::server
