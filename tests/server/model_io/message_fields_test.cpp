// Covers: server/model_io/model_message.cpp
#include "server/model_io/message_fields.h"
#include "rt/model/model.h"

#include "server/model_io/model_message.h"
#include "tests/support/field_tables.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/message_differencer.h>
#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus;
using namespace tactus::server;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using rt::FieldType;

namespace {

/// What a field of a message must be for the type of a member.
struct Expected {
  FieldDescriptor::CppType type;
  bool repeated, optional;  ///< optional: with presence
};

Expected expectedFor(const rt::Field& field) {
  using D = FieldDescriptor;
  switch (field.type) {
    case FieldType::kText: return {D::CPPTYPE_STRING, false, false};
    case FieldType::kTexts: return {D::CPPTYPE_STRING, true, false};
    case FieldType::kOptionalNumber: return {D::CPPTYPE_DOUBLE, false, true};
    case FieldType::kOptionalWhole: return {D::CPPTYPE_UINT32, false, true};
    case FieldType::kOptionalTruth: return {D::CPPTYPE_BOOL, false, true};
    case FieldType::kWhole: return {D::CPPTYPE_UINT32, false, false};
    case FieldType::kTruth: return {D::CPPTYPE_BOOL, false, false};
    case FieldType::kChoice: return {D::CPPTYPE_ENUM, false, false};
    case FieldType::kInertia: return {D::CPPTYPE_MESSAGE, false, true};
    case FieldType::kCoefficients: return {D::CPPTYPE_MESSAGE, true, false};
    case FieldType::kRecords:
      if (field.records->shape == rt::RecordAccess::Shape::kList) return {D::CPPTYPE_MESSAGE, true, false};
      return {D::CPPTYPE_MESSAGE, false, true};
    case FieldType::kNumber: return {D::CPPTYPE_DOUBLE, false, false};
    default: return {D::CPPTYPE_DOUBLE, true, false};  // vectors, lists, matrices
  }
}

/// Holds a table against its message, then the tables below it. Names of all fields go to `described`.
void requireSame(const Descriptor& message, rt::Fields fields, void* spec, std::set<std::string>& described) {
  for (const rt::Field& field : fields) {
    CAPTURE(message.full_name(), field.name);
    void* const member = field.member(spec);
    if (field.type == FieldType::kPart) {
      requireSame(message, field.records->fields(), member, described);
      continue;
    }
    if (field.type == FieldType::kKind) {
      const auto* oneof = message.FindOneofByName(field.name);
      REQUIRE(oneof != nullptr);
      CHECK(static_cast<std::size_t>(oneof->field_count()) == field.kinds->kinds.size());
      for (const rt::KindInfo& kind : field.kinds->kinds) {
        const FieldDescriptor* const in = message.FindFieldByName(kind.name);
        REQUIRE(in != nullptr);
        REQUIRE(in->containing_oneof() == oneof);
        described.insert(in->full_name());
        kind.choose(member);
        requireSame(*in->message_type(), kind.fields(), field.kinds->held(member), described);
      }
      continue;
    }
    const FieldDescriptor* const in = message.FindFieldByName(field.name);
    REQUIRE(in != nullptr);
    described.insert(in->full_name());
    const Expected expected = expectedFor(field);
    CHECK(in->cpp_type() == expected.type);
    CHECK(in->is_repeated() == expected.repeated);
    // A number that is not zero when left out needs presence on the wire; another one may have it.
    if (field.type != FieldType::kNumber)
      CHECK(in->has_presence() == expected.optional);
    else if (field.of<double>(spec) != 0)
      CHECK(in->has_presence());
    if (field.type == FieldType::kChoice) {
      const auto& choice = *field.choice;
      CHECK(in->enum_type()->value_count() == choice.count + choice.first);
      CHECK(in->enum_type()->value(in->enum_type()->value_count() - 1)->number() == choice.first + choice.count - 1);
    }
    if (field.type != FieldType::kRecords) continue;
    field.records->resize(member, 1);
    requireSame(*in->message_type(), field.records->fields(), field.records->at(member, 0), described);
  }
}

void collectDeclared(const Descriptor& message, std::set<std::string>& declared, std::set<std::string>& visited) {
  if (!visited.insert(message.full_name()).second) return;
  for (int i = 0; i < message.field_count(); ++i) {
    declared.insert(message.field(i)->full_name());
    if (message.field(i)->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      collectDeclared(*message.field(i)->message_type(), declared, visited);
  }
}

void collectSet(const Message& message, std::set<std::string>& set) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    set.insert(field->full_name());
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collectSet(message.GetReflection()->GetMessage(message, field), set);
      continue;
    }
    for (int k = 0; k < message.GetReflection()->FieldSize(message, field); ++k)
      collectSet(message.GetReflection()->GetRepeatedMessage(message, field, k), set);
  }
}

std::set<std::string> declaredFields() {
  std::set<std::string> declared, visited;
  collectDeclared(*v1::Model::descriptor(), declared, visited);
  // The name of a file goes when its values come: grid_file_test.cpp.
  CHECK(declared.erase("tactus.v1.SurfaceGrid.file") == 1);
  CHECK(declared.erase("tactus.v1.MeshVisual.file") == 1);        // mesh_file_test.cpp
  CHECK(declared.erase("tactus.v1.MagicFormulaTyre.file") == 1);  // tyre_file_test.cpp
  CHECK(declared.erase("tactus.v1.MagicFormulaTyre.side") == 1);
  // What becomes plain numbers where a model is read: composition_test.cpp.
  for (const char* field : {"Model.includes", "Model.tables", "Model.joint_rates", "Body.placement",
                            "Body.point_masses", "Curve.table", "Table.table", "InitialCondition.joint_rates"})
    CHECK(declared.erase(std::string("tactus.v1.") + field) == 1);
  for (const char* message : {"Include", "Override", "NamedTable", "InitialRate", "Placement", "PointMass"})
    CHECK(std::erase_if(declared, [message](const std::string& field) {
            return field.rfind("tactus.v1." + std::string(message) + '.', 0) == 0;
          }) > 0);
  return declared;
}

}  // namespace

TEST_CASE("each field of a message is a field of its spec, of the same name and type", "[server][model_io]") {
  rt::ModelSpec spec;
  std::set<std::string> described;
  requireSame(*v1::Model::descriptor(), rt::ModelSpec::fields(), &spec, described);
  std::set<std::string> declared = declaredFields();
  // Tensors and coefficients are one member each in their spec.
  std::erase_if(declared, [](const std::string& name) {
    return name.find("v1.Inertia.") != std::string::npos || name.find("v1.Coefficient.") != std::string::npos;
  });
  CHECK(described == declared);
}

TEST_CASE("a description with every field set sets every field of the message", "[server][model_io]") {
  std::set<std::string> set;
  collectSet(toProto(test::filledSpec()), set);
  CHECK(set == declaredFields());
}

TEST_CASE("every field survives the way into a message and back", "[server][model_io]") {
  const v1::Model message = toProto(test::filledSpec());
  rt::ModelSpec again;
  rt::FindingList out;
  readFields(message, rt::ModelSpec::fields(), &again, "", out);
  for (const rt::Finding& finding : out.take()) FAIL_CHECK(finding.path << ": " << finding.rule);
  std::string difference;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  const bool equal = differencer.Compare(toProto(again), message);
  INFO(difference);
  CHECK(equal);
}

TEST_CASE("an enum number that is not known is reported with the known values", "[server][model_io]") {
  v1::Model message;
  message.add_actuators()->mutable_body_force()->set_frame(static_cast<v1::Frame>(7));
  rt::ModelSpec spec;
  bool found = false;
  for (const rt::Finding& finding : fromProto(message, spec))
    if (finding.path == "actuators[0].body_force.frame")
      found = finding.value == "7" && finding.rule == "must be FRAME_WORLD or FRAME_BODY";
  CHECK(found);
}
