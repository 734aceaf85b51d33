#include "server/session/parameter_request.h"

namespace tactus::server {

RequestError refusal(const ParameterError& error, const ParameterValues& values, const std::string& field) {
  using Kind = ParameterError::Kind;
  const std::string element = field + "[" + std::to_string(error.index()) + "]";
  const std::string& hint = error.hint();
  switch (error.kind()) {
    case Kind::kUnknown: return {Reason::kParameterUnknown, element + ".name", error.what(), hint};
    case Kind::kRepeated: return {Reason::kRequestInvalid, element + ".name", error.what(), hint};
    case Kind::kNotFinite: return {Reason::kNotFinite, element + ".value", error.what(), hint};
    case Kind::kOutOfRange: return {Reason::kValueOutOfRange, element + ".value", error.what(), hint};
    case Kind::kRefused: break;
  }
  return {Reason::kModelInvalid, field, toString(values) + ": " + error.what(), hint};
}

}  // namespace tactus::server
