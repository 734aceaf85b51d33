// Covers: rt/model/field.h, rt/model/model_spec.cpp
#include "tests/support/field_tables.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus;
using namespace tactus::rt;
using tactus::test::FieldTable;

namespace {

bool isNumber(FieldType type) {
  switch (type) {
    case FieldType::kNumber:
    case FieldType::kOptionalNumber:
    case FieldType::kVector3:
    case FieldType::kOptionalVector3:
    case FieldType::kVector4:
    case FieldType::kOptionalVector4:
    case FieldType::kMatrix:
    case FieldType::kInertia:
    case FieldType::kCoefficients: return true;
    default: return false;
  }
}

}  // namespace

TEST_CASE("every field of every element has a description, and every number has a unit", "[rt][model]") {
  std::size_t tables = 0;
  tactus::test::eachFieldTable([&](const FieldTable& table) {
    ++tables;
    for (const Field& field : table.fields) {
      if (field.type == FieldType::kPart) continue;
      CAPTURE(table.path, field.name);
      const std::string text = field.text;
      CHECK_FALSE(text.empty());
      CHECK((text.empty() || text.back() == '.'));
      if (isNumber(field.type)) CHECK_FALSE(std::string(field.meaning.unit).empty());
    }
  });
  CHECK(tables > 60);
}

TEST_CASE("names of fields are unique within their element", "[rt][model]") {
  std::set<std::string> seen;
  tactus::test::eachFieldTable([&](const FieldTable& table) {
    for (const Field& field : table.fields) {
      CAPTURE(table.path, field.name);
      if (field.type != FieldType::kPart) CHECK(seen.insert(table.path + '.' + field.name).second);
    }
  });
}

TEST_CASE("only choices and records are left out of a printed model where they have their default", "[rt][model]") {
  int brief = 0;
  tactus::test::eachFieldTable([&](const FieldTable& table) {
    for (const Field& field : table.fields) {
      if (!field.meaning.brief) continue;
      CAPTURE(table.path, field.name);
      CHECK((field.type == FieldType::kChoice || field.type == FieldType::kRecords));
      ++brief;
    }
  });
  CHECK(brief > 0);
}

TEST_CASE("a range has its limits, and fits the type of its field", "[rt][model]") {
  tactus::test::eachFieldTable([](const FieldTable& table) {
    for (const Field& field : table.fields) {
      CAPTURE(table.path, field.name);
      const Meaning& meaning = field.meaning;
      const bool is_vector = field.type == FieldType::kVector3 || field.type == FieldType::kOptionalVector3;
      const bool is_orientation = field.type == FieldType::kVector4 || field.type == FieldType::kOptionalVector4;
      if (meaning.range == Range::kWithin) CHECK(meaning.low < meaning.high);
      if (meaning.range == Range::kDirection) CHECK(is_vector);
      CHECK((meaning.range == Range::kUnitQuaternion) == is_orientation);
      const bool is_name = field.type == FieldType::kText || field.type == FieldType::kTexts;
      if (meaning.refers != Refers::kNothing) CHECK(is_name);
    }
  });
}
