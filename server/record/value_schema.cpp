#include "server/record/value_schema.h"

#include "rt/error.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

namespace tactus::server {

namespace {

namespace pb = google::protobuf;
using pb::io::CodedOutputStream;

constexpr const char* kPackage = "tactus.recorded";
constexpr int kTickField = 1, kFirstField = 16;
// Field numbers that protobuf reserves.
constexpr int kReservedFirst = 19'000, kReservedCount = 1'000;

// A tag of the wire format: the number of the field, and in the low three bits how its value is written.
constexpr std::uint32_t kVarint = 0, kFixed64 = 1;
constexpr int kTagTypeBits = 3;

std::uint32_t tagOf(int field, std::uint32_t type) noexcept {
  return static_cast<std::uint32_t>(field) << kTagTypeBits | type;
}

int fieldOf(std::size_t index) {
  const int number = kFirstField + static_cast<int>(index);
  return number < kReservedFirst ? number : number + kReservedCount;
}

/// Index of the value with a field number, or -1.
std::int64_t indexOf(int field) {
  if (field < kFirstField) return -1;
  if (field < kReservedFirst) return field - kFirstField;
  return field < kReservedFirst + kReservedCount ? -1 : field - kReservedCount - kFirstField;
}

void addField(pb::DescriptorProto& type, int number, const std::string& name, const std::string& json,
              pb::FieldDescriptorProto::Type kind) {
  pb::FieldDescriptorProto& field = *type.add_field();
  field.set_number(number);
  field.set_name(name);
  field.set_json_name(json);
  field.set_type(kind);
  field.set_label(pb::FieldDescriptorProto::LABEL_OPTIONAL);
}

/// The part of a name that protobuf compares: without underscores, in lower case.
std::string bareName(const std::string& name) {
  std::string bare;
  for (const char c : name)
    if (c != '_') bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return bare;
}

void addFile(const pb::FileDescriptor& file, std::set<std::string>& known, pb::FileDescriptorSet& set) {
  if (!known.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) addFile(*file.dependency(i), known, set);
  file.CopyTo(set.add_file());
}

}  // namespace

ValueSchema::ValueSchema(const std::string& type, std::vector<std::string> names)
    : names_(std::move(names)), type_name_(std::string(kPackage) + "." + type) {
  pb::FileDescriptorSet set;
  pb::FileDescriptorProto& file = *set.add_file();
  file.set_name("tactus/recorded/" + type + ".proto");
  file.set_package(kPackage);
  file.set_syntax("proto3");
  pb::DescriptorProto& message = *file.add_message_type();
  message.set_name(type);
  addField(message, kTickField, "tick", "tick", pb::FieldDescriptorProto::TYPE_INT64);
  std::set<std::string> taken{"tick"};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::string name = names_[i];
    std::replace(name.begin(), name.end(), '.', '_');
    const std::string wanted = name;
    for (int k = 2; !taken.insert(bareName(name)).second; ++k) name = wanted + "_" + std::to_string(k);
    addField(message, fieldOf(i), name, names_[i], pb::FieldDescriptorProto::TYPE_DOUBLE);
  }
  descriptor_set_ = set.SerializeAsString();
}

void ValueSchema::encode(std::int64_t tick, std::span<const double> values, std::string& out) const {
  // A tag has at most 5 bytes, a tick 10.
  out.resize(1 + 10 + 13 * values.size());
  auto* const begin = reinterpret_cast<std::uint8_t*>(out.data());
  std::uint8_t* p = CodedOutputStream::WriteTagToArray(tagOf(kTickField, kVarint), begin);
  p = CodedOutputStream::WriteVarint64ToArray(static_cast<std::uint64_t>(tick), p);
  for (std::size_t i = 0; i < values.size(); ++i) {
    p = CodedOutputStream::WriteTagToArray(tagOf(fieldOf(i), kFixed64), p);
    p = CodedOutputStream::WriteLittleEndian64ToArray(std::bit_cast<std::uint64_t>(values[i]), p);
  }
  out.resize(static_cast<std::size_t>(p - begin));
}

std::vector<std::string> readValueNames(std::string_view descriptor_set) {
  pb::FileDescriptorSet set;
  if (!set.ParseFromArray(descriptor_set.data(), static_cast<int>(descriptor_set.size())) || set.file_size() != 1 ||
      set.file(0).message_type_size() != 1 || set.file(0).message_type(0).field_size() < 1)
    throw Error("the recording lacks the schema of its values");
  std::vector<std::string> names;
  const pb::DescriptorProto& type = set.file(0).message_type(0);
  for (int i = 1; i < type.field_size(); ++i) names.push_back(type.field(i).json_name());
  return names;
}

bool decodeValues(std::string_view data, std::int64_t& tick, std::span<double> values) {
  pb::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(data.data()), static_cast<int>(data.size()));
  std::size_t found = 0;
  tick = 0;
  while (const std::uint32_t tag = stream.ReadTag()) {
    const int field = static_cast<int>(tag >> kTagTypeBits);
    const std::uint32_t type = tag & ((1U << kTagTypeBits) - 1);
    if (field == kTickField) {
      std::uint64_t value = 0;
      if (!stream.ReadVarint64(&value)) return false;
      tick = static_cast<std::int64_t>(value);
      continue;
    }
    std::uint64_t bits = 0;
    const std::int64_t index = indexOf(field);
    if (type != kFixed64 || !stream.ReadLittleEndian64(&bits)) return false;
    if (index < 0 || index >= static_cast<std::int64_t>(values.size())) return false;
    values[static_cast<std::size_t>(index)] = std::bit_cast<double>(bits);
    ++found;
  }
  return found == values.size() && stream.ConsumedEntireMessage();
}

std::string descriptorSetOf(const pb::Descriptor& message) {
  pb::FileDescriptorSet set;
  std::set<std::string> known;
  addFile(*message.file(), known, set);
  return set.SerializeAsString();
}

}  // namespace tactus::server
