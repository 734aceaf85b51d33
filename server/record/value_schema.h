// A protobuf message type for a list of signals: `int64 tick = 1`, then one double for each name, so that MCAP tools
// show the values by their names.
#pragma once

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// The message type for a list of names. The name of field i has `_` for each dot, and a number at its end if protobuf
/// would not tell two names apart. Its JSON name is the exact name.
class ValueSchema {
 public:
  /// @param type  "Signals"; the full name is "tactus.recorded.Signals"
  ValueSchema(const std::string& type, std::vector<std::string> names);

  const std::vector<std::string>& names() const noexcept { return names_; }
  const std::string& typeName() const noexcept { return type_name_; }

  /// A serialized google.protobuf.FileDescriptorSet.
  const std::string& descriptorSet() const noexcept { return descriptor_set_; }

  /// Overwrites `out` with a message; one value for each name.
  void encode(std::int64_t tick, std::span<const double> values, std::string& out) const;

 private:
  std::vector<std::string> names_;
  std::string type_name_, descriptor_set_;
};

/// The names in a descriptor set that ValueSchema made. @throws Error for any other descriptor set
std::vector<std::string> readValueNames(std::string_view descriptor_set);

/// Reads a message of such a type. @returns false, with `values` unspecified, unless it has `values.size()` values
bool decodeValues(std::string_view data, std::int64_t& tick, std::span<double> values);

/// A serialized FileDescriptorSet of the file that declares a message, and of all that it imports.
std::string descriptorSetOf(const google::protobuf::Descriptor& message);

}  // namespace tactus::server
