#include "tests/fuzz/mutate_message.h"

#include <google/protobuf/descriptor.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace tactus::fuzz {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::int64_t whole(Random& random, std::int64_t present) {
  switch (random() % 8) {
    case 0: return 0;
    case 1: return -1;
    case 2: return std::numeric_limits<std::int64_t>::max();
    case 3: return std::numeric_limits<std::int64_t>::min();
    case 4: return static_cast<std::int64_t>(random() % 64);
    case 5: return static_cast<std::int64_t>(std::uint64_t{1} << random() % 63);
    case 6: return static_cast<std::int64_t>(static_cast<std::uint64_t>(present) + 1);
    default: return static_cast<std::int64_t>(static_cast<std::uint64_t>(present) - 1);
  }
}

double real(Random& random, double present) {
  constexpr double kValues[] = {
      0,     -0.0,    1,        -1,    1e-308, 1e308, -1e30, std::numeric_limits<double>::quiet_NaN(),
      1e-12, 1000000, INFINITY, 0.001, 1e15};
  constexpr std::size_t kCount = std::size(kValues);
  const std::size_t which = random() % (kCount + 4);
  if (which < kCount) return kValues[which];
  return which % 2 == 0 ? -present : present * (1 + 0.01 * static_cast<double>(random() % 200));
}

std::string word(Random& random, std::string present) {
  switch (random() % 8) {
    case 0: return "";
    case 1: return "main";
    case 2: return present + present;
    case 3: return "*";
    case 4: return "../../x";
    case 5: return "\xff\xfe";
    case 6: return std::string(random() % 300, 'a');
    default:
      if (!present.empty()) present[random() % present.size()] = static_cast<char>(random() % 128);
      return present;
  }
}

/// One value of a field: of an element `at` of a repeated one, or of a single one for at < 0.
void change(Message& message, const FieldDescriptor& field, int at, Random& random) {
  const Reflection& r = *message.GetReflection();
  const bool many = at >= 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      const double value = real(random, many ? r.GetRepeatedDouble(message, &field, at) : r.GetDouble(message, &field));
      return many ? r.SetRepeatedDouble(&message, &field, at, value) : r.SetDouble(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_FLOAT: {
      const auto value = static_cast<float>(static_cast<double>(random() % 2000) - 1000);
      return many ? r.SetRepeatedFloat(&message, &field, at, value) : r.SetFloat(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_INT64: {
      const std::int64_t value =
          whole(random, many ? r.GetRepeatedInt64(message, &field, at) : r.GetInt64(message, &field));
      return many ? r.SetRepeatedInt64(&message, &field, at, value) : r.SetInt64(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_UINT64: {
      const auto value = static_cast<std::uint64_t>(whole(random, static_cast<std::int64_t>(random())));
      return many ? r.SetRepeatedUInt64(&message, &field, at, value) : r.SetUInt64(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_INT32: {
      const auto value = static_cast<std::int32_t>(whole(random, many ? r.GetRepeatedInt32(message, &field, at) : 0));
      return many ? r.SetRepeatedInt32(&message, &field, at, value) : r.SetInt32(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_UINT32: {
      const auto value = static_cast<std::uint32_t>(whole(random, many ? 0 : r.GetUInt32(message, &field)));
      return many ? r.SetRepeatedUInt32(&message, &field, at, value) : r.SetUInt32(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_BOOL: {
      const bool value = random() % 2 != 0;
      return many ? r.SetRepeatedBool(&message, &field, at, value) : r.SetBool(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      const int value = static_cast<int>(random() % 12) - 1;
      return many ? r.SetRepeatedEnumValue(&message, &field, at, value) : r.SetEnumValue(&message, &field, value);
    }
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string value = word(random, many ? r.GetRepeatedString(message, &field, at) : r.GetString(message, &field));
      return many ? r.SetRepeatedString(&message, &field, at, std::move(value))
                  : r.SetString(&message, &field, std::move(value));
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      mutateMessage(many ? *r.MutableRepeatedMessage(&message, &field, at) : *r.MutableMessage(&message, &field),
                    random);
  }
}

void add(Message& message, const FieldDescriptor& field) {
  const Reflection& r = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return r.AddDouble(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_FLOAT: return r.AddFloat(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_INT64: return r.AddInt64(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_UINT64: return r.AddUInt64(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_INT32: return r.AddInt32(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_UINT32: return r.AddUInt32(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_BOOL: return r.AddBool(&message, &field, false);
    case FieldDescriptor::CPPTYPE_ENUM: return r.AddEnumValue(&message, &field, 0);
    case FieldDescriptor::CPPTYPE_STRING: return r.AddString(&message, &field, "");
    case FieldDescriptor::CPPTYPE_MESSAGE: r.AddMessage(&message, &field);
  }
}

void mutateOnce(Message& message, Random& random) {
  const int count = message.GetDescriptor()->field_count();
  if (count == 0) return;
  const FieldDescriptor& field =
      *message.GetDescriptor()->field(static_cast<int>(random() % static_cast<unsigned>(count)));
  const Reflection& r = *message.GetReflection();
  if (random() % 16 == 0) return r.ClearField(&message, &field);
  if (!field.is_repeated()) return change(message, field, -1, random);
  const int size = r.FieldSize(message, &field);
  const std::size_t choice = random() % 8;
  if (choice == 0 && size > 0) return r.RemoveLast(&message, &field);
  if (choice == 1 && size > 1) return r.SwapElements(&message, &field, 0, size - 1);
  if (size == 0 || (choice == 2 && size < 64)) add(message, field);
  change(message, field, static_cast<int>(random() % static_cast<unsigned>(r.FieldSize(message, &field))), random);
}

}  // namespace

void mutateMessage(Message& message, Random& random) {
  for (std::size_t n = random() % 3 + 1; n > 0; --n) mutateOnce(message, random);
}

}  // namespace tactus::fuzz
