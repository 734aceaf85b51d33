// Prints every field of the description, one JSON object a line: what proto/write_reference.py makes its tables from.
#include "rt/model/finding_list.h"
#include "tests/support/field_tables.h"

#include <cstdio>
#include <string>

using namespace tactus;
using rt::Field;
using rt::FieldType;
using rt::Meaning;
using rt::Range;
using rt::Refers;

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + '"';
}

std::string rangeOf(const Meaning& meaning) {
  switch (meaning.range) {
    case Range::kAny:
    case Range::kFinite: return "";
    case Range::kPositive: return "above zero";
    case Range::kNotNegative: return "not below zero";
    case Range::kWithin: return rt::printed(meaning.low) + " to " + rt::printed(meaning.high);
    case Range::kDirection: return "any length above zero";
    case Range::kUnitQuaternion: return "unit quaternion, scalar first";
  }
  return "";
}

std::string referenceOf(Refers what) {
  switch (what) {
    case Refers::kNothing: return "";
    case Refers::kBody: return "a body";
    case Refers::kBodyOrGround: return "a body or \"ground\"";
    case Refers::kJoint: return "a joint";
    case Refers::kJointWithAngle: return "a joint with an angle";
    case Refers::kJointWithTravel: return "a joint with a travel";
    case Refers::kDrive: return "a drive";
    case Refers::kRoad: return "a road";
    case Refers::kRowForce: return "a force element of one row";
  }
  return "";
}

template <typename Vector>
std::string listed(const Vector& vector) {
  return vector.isZero(0) ? "zero" : rt::printed(vector);
}

/// What holds where the field is left out.
std::string defaultOf(const Field& field, void* spec) {
  const Meaning& meaning = field.meaning;
  if (*meaning.otherwise != '\0') return meaning.otherwise;
  if (meaning.required || meaning.refers != Refers::kNothing) return "required";
  const void* const given = spec;
  switch (field.type) {
    case FieldType::kNumber:
      // A default outside of the range can only be replaced.
      if (meaning.range == Range::kPositive && !(field.of<double>(given) > 0)) return "required";
      return rt::printed(field.of<double>(given));
    case FieldType::kVector3: return listed(field.of<Eigen::Vector3d>(given));
    case FieldType::kVector4: return listed(field.of<Eigen::Vector4d>(given));
    case FieldType::kTruth: return field.of<bool>(given) ? "true" : "false";
    case FieldType::kKind: return "required";
    default: return "";
  }
}

void print(const char* name, const std::string& value) {
  std::printf(", \"%s\": %s", name, quoted(value).c_str());
}

void printTable(const test::FieldTable& table) {
  for (const Field& field : table.fields) {
    if (field.type == FieldType::kPart) continue;
    std::string range = rangeOf(field.meaning);
    for (const std::string& more : {referenceOf(field.meaning.refers), std::string(field.meaning.rule)})
      if (!more.empty()) range += (range.empty() ? "" : ", ") + more;
    std::printf("{\"table\": %s", quoted(table.path).c_str());
    print("name", field.name);
    print("unit", field.meaning.unit);
    print("default", defaultOf(field, table.spec));
    print("range", range);
    print("text", field.text);
    std::printf("}\n");
  }
}

}  // namespace

int main() {
  test::eachFieldTable(printTable);
}
