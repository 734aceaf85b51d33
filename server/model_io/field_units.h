// The unit of each field of a model message, from the descriptions of the elements.
#pragma once

#include "tactus/v1/model.pb.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>
#include <unordered_map>

namespace tactus::server {

/// "N/m"; "1" for a number without dimension; empty for a field that no element describes.
const std::string& unitOf(const google::protobuf::FieldDescriptor& field);

/// Whether the element decides what unit a number of the field has: "m or rad", "N/m, N m/rad, N".
bool unitDepends(const google::protobuf::FieldDescriptor& field);

/// The unit of such a number, once its element is complete. All units of the field where the element does not say it.
/// @param index    of a list: place of the number in it
/// @param message  that has the field
/// @param owner    the message around it, such as the spring of a stop; null: there is none
std::string unitOf(const google::protobuf::FieldDescriptor& field, int index, const google::protobuf::Message& message,
                   const google::protobuf::Message* owner);

/// Units of what actuators set on springs. A spring of another file is not known: any unit that a spring may have.
class InputUnits {
 public:
  explicit InputUnits(const v1::Model& model);

  /// Of scale or offset. A scale may also be given per unit of the actuator: "N/mm" of an actuator in mm.
  std::string of(const google::protobuf::FieldDescriptor& field, const v1::SpringInput& input,
                 const v1::Actuator& actuator) const;

 private:
  enum class Spring { kLength, kAngle, kBushing };
  std::unordered_map<std::string, Spring> springs_;  ///< by name
};

}  // namespace tactus::server
