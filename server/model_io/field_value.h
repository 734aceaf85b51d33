// A scalar as written, and how it becomes the value of a field.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <vector>

namespace tactus::server {

/// A value that is neither a message nor a list.
struct Scalar {
  enum class Kind { kNumber, kString, kWord };  ///< kWord: true, FRAME_BODY without quotes
  Kind kind;
  std::string text;   ///< as written; of a string its content
  double number = 0;  ///< of kNumber
};

/// Which rule a value breaks; without a rule it has been stored.
struct Refusal {
  std::string rule, hint;
};

/// Sets a field of `message`, or appends to it if it is repeated.
Refusal storeScalar(const Scalar& value, google::protobuf::Message& message,
                    const google::protobuf::FieldDescriptor& field);

/// Whether a value is a number with a unit that the element decides: "10 mm" for "rad or m".
bool awaitsElement(const Scalar& value, const google::protobuf::FieldDescriptor& field);

/// Sets a number with a unit, once the unit of its field is known.
/// @param index  of a list: the number that is set
Refusal storeAwaiting(const std::string& text, const std::string& unit, google::protobuf::Message& message,
                      const google::protobuf::FieldDescriptor& field, int index);

/// The known name nearest to `name` as a question, else all of them.
std::string didYouMean(const std::string& name, const std::vector<std::string>& known);

}  // namespace tactus::server
