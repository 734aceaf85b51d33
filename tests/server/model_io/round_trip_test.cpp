// Covers: server/model_io/json_writer.cpp
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "tests/server/model_io/full_model.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <catch2/catch.hpp>

#include <cstring>
#include <set>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::test;
using google::protobuf::FieldDescriptor;
using google::protobuf::util::MessageDifferencer;

namespace {

std::string describe(const ModelDocument& document) {
  std::string text;
  for (const LocatedFinding& finding : document.findings) text += toString(finding, "model") + '\n';
  return text;
}

std::string difference(const v1::Model& a, const v1::Model& b) {
  std::string text;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&text);
  differencer.Compare(a, b);
  return text;
}

/// Types that the readers and the writer know; a field of another one would be refused in every file.
void requireKnownTypes(const google::protobuf::Descriptor& descriptor, std::set<std::string>& visited) {
  if (!visited.insert(descriptor.full_name()).second) return;
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    CAPTURE(field.full_name());
    const auto type = field.cpp_type();
    const bool is_double = type == FieldDescriptor::CPPTYPE_DOUBLE,
               is_message = type == FieldDescriptor::CPPTYPE_MESSAGE, is_text = type == FieldDescriptor::CPPTYPE_STRING;
    REQUIRE(
        (is_double || is_message || is_text ||
         (!field.is_repeated() && (type == FieldDescriptor::CPPTYPE_UINT32 || type == FieldDescriptor::CPPTYPE_ENUM ||
                                   type == FieldDescriptor::CPPTYPE_BOOL))));
    if (is_message) requireKnownTypes(*field.message_type(), visited);
  }
}

}  // namespace

// That every field is read and written: message_fields_test.cpp.
TEST_CASE("the sample has no findings", "[server][model_io]") {
  const ModelDocument document = readModelText(kFullJson, ModelSyntax::kJson);
  INFO(describe(document));
  REQUIRE(document.findings.empty());
}

TEST_CASE("readers and writer know every type of field in the format", "[server][model_io]") {
  std::set<std::string> visited;
  requireKnownTypes(*v1::Model::descriptor(), visited);
  REQUIRE(visited.size() > 15);
}

TEST_CASE("the JSON form is read as protobuf reads it", "[server][model_io]") {
  v1::Model expected;
  REQUIRE(google::protobuf::util::JsonStringToMessage(kFullJson, &expected).ok());
  REQUIRE(difference(readModelText(kFullJson, ModelSyntax::kJson).message, expected).empty());
}

TEST_CASE("the text form is read as protobuf reads it", "[server][model_io]") {
  v1::Model expected;
  REQUIRE(google::protobuf::TextFormat::ParseFromString(kFullText, &expected));
  const ModelDocument document = readModelText(kFullText, ModelSyntax::kText);
  INFO(describe(document));
  REQUIRE(document.findings.empty());
  REQUIRE(difference(document.message, expected).empty());
}

TEST_CASE("both forms of a model give the same message", "[server][model_io]") {
  REQUIRE(difference(readModelText(kFullText, ModelSyntax::kText).message,
                     readModelText(kFullJson, ModelSyntax::kJson).message)
              .empty());
}

TEST_CASE("file to description to message to text and back loses nothing", "[server][model_io]") {
  const ModelDocument file = readModelText(kFullJson, ModelSyntax::kJson);
  const v1::Model message = toProto(file.spec);

  // The description holds all that the file says; besides that the message only spells out defaults.
  std::string missing;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&missing);
  differencer.set_scope(MessageDifferencer::PARTIAL);
  differencer.set_repeated_field_comparison(MessageDifferencer::AS_LIST);
  v1::Model said = file.message;
  for (auto& body : *said.mutable_bodies()) {  // the one body that leaves out its defaults
    if (body.orientation().empty()) *body.mutable_orientation() = message.bodies(1).orientation();
    if (body.velocity().empty()) *body.mutable_velocity() = message.bodies(1).velocity();
    if (body.angular_velocity().empty()) *body.mutable_angular_velocity() = message.bodies(1).angular_velocity();
  }
  CAPTURE(missing);
  REQUIRE(differencer.Compare(said, message));

  for (const ModelSyntax syntax : {ModelSyntax::kJson, ModelSyntax::kText}) {
    const std::string text = writeModel(message, syntax);
    const ModelDocument again = readModelText(text, syntax);
    INFO(text << describe(again));
    REQUIRE(again.findings.empty());
    REQUIRE(difference(again.message, message).empty());
    REQUIRE(difference(toProto(again.spec), message).empty());
  }
}

TEST_CASE("numbers survive to the last bit", "[server][model_io]") {
  v1::Model message = readModelText(kFullJson, ModelSyntax::kJson).message;
  const double values[] = {
      0.1, 1.0 / 3, 5e-324, 2.2250738585072011e-308, 1.7976931348623157e308, -0.0, 123456789012345678.0};
  for (const double value : values) {
    message.mutable_bodies(0)->set_position(0, value);
    for (const ModelSyntax syntax : {ModelSyntax::kJson, ModelSyntax::kText}) {
      const double read = readModelText(writeModel(message, syntax), syntax).message.bodies(0).position(0);
      CAPTURE(value, read);
      REQUIRE(std::memcmp(&read, &value, sizeof(value)) == 0);
    }
  }
}

TEST_CASE("what is written is what protobuf reads", "[server][model_io]") {
  for (const BuiltInModel& model : builtInModels()) {
    CAPTURE(model.name);
    const v1::Model message = openBuiltInModel(model.name).message;
    v1::Model read;
    REQUIRE(google::protobuf::util::JsonStringToMessage(writeModel(message, ModelSyntax::kJson), &read).ok());
    REQUIRE(difference(read, message).empty());
    REQUIRE(google::protobuf::TextFormat::ParseFromString(writeModel(message, ModelSyntax::kText), &read));
    REQUIRE(difference(read, message).empty());
  }
}
