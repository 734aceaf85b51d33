// Every field of every request: a bad value of it, the error that this gets, and a State that no bit of which changes.
// Covers: server/service/signal_calls.cpp, server/service/stream_calls.cpp, server/service/finding.cpp
#include "tests/server/record/scratch_folder.h"
#include "tests/server/service/harness.h"
#include "tests/server/service/request_rows.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using grpc::StatusCode;
using Stub = v1::Simulation::Stub;

namespace {

void collect(const Descriptor& type, std::set<std::string>& fields) {
  for (int i = 0; i < type.field_count(); ++i) fields.insert(type.name() + "." + type.field(i)->name());
}

}  // namespace

TEST_CASE("an invalid value of any field of any request is refused with the field and changes no bit of State",
          "[server][service]") {
  const ScratchFolder folder;
  Config config;
  config.recordings_folder = folder.file("recordings");
  config.udp = parseUdpEndpoint("127.0.0.1:0", false);
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  harness.create("paced", v1::CLOCK_MODE_REAL_TIME);
  harness.step("rig", 10);
  harness.step("bar", 10);
  const std::string rig = harness.get("rig").state_hash(), bar = harness.get("bar").state_hash();
  const auto sessions = harness.sessions().size();
  for (const Row& row : requestRows()) {
    INFO(row.field << " " << row.error_field);
    const Outcome outcome = row.send(harness);
    CHECK(outcome.code == row.code);
    CHECK(outcome.detail.reason() == row.reason);
    CHECK(outcome.detail.field() == row.error_field);
    harness.awaitNoDriver("rig");
    CHECK(harness.get("rig").state_hash() == rig);
    CHECK(harness.get("bar").state_hash() == bar);
    CHECK(harness.sessions().size() == sessions);
  }
}

TEST_CASE("every field of every request has invalid values in the table", "[server][service]") {
  std::set<std::string> fields, covered = fieldsWithoutBadValues();
  for (const Row& row : requestRows()) covered.insert(row.field);
  const auto& service = *v1::TickRequest::descriptor()->file()->FindServiceByName("Simulation");
  for (int i = 0; i < service.method_count(); ++i) collect(*service.method(i)->input_type(), fields);
  collect(*v1::TickOpen::descriptor(), fields);
  collect(*v1::TickInput::descriptor(), fields);
  for (const std::string& field : fields) {
    INFO(field);
    CHECK(covered.count(field) == 1);
  }
}

TEST_CASE("a snapshot with any changed number is refused", "[server][service]") {
  Harness harness;
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  harness.step("bar", 10);
  v1::SaveSnapshotRequest save;
  save.set_session("bar");
  const v1::SessionSnapshot good = harness.call(&Stub::SaveSnapshot, save).response;
  const std::string hash = harness.get("bar").state_hash();
  const auto& reflection = *good.GetReflection();
  int changed = 0;
  for (int i = 0; i < good.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *good.GetDescriptor()->field(i);
    if (field.name() == "model") continue;  // for people; the hash decides
    INFO(field.name());
    v1::RestoreSnapshotRequest request;
    request.set_session("bar");
    v1::SessionSnapshot& bad = *request.mutable_snapshot();
    bad = good;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_UINT32:
        reflection.SetUInt32(&bad, &field, reflection.GetUInt32(bad, &field) + 1);
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        reflection.SetInt64(&bad, &field, reflection.GetInt64(bad, &field) + 1);
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        reflection.SetUInt64(&bad, &field, reflection.GetUInt64(bad, &field) + 1);
        break;
      case FieldDescriptor::CPPTYPE_BOOL: reflection.SetBool(&bad, &field, !reflection.GetBool(bad, &field)); break;
      case FieldDescriptor::CPPTYPE_STRING: reflection.SetString(&bad, &field, "x"); break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        reflection.SetRepeatedDouble(&bad, &field, 0, reflection.GetRepeatedDouble(bad, &field, 0) + 1e-9);
        break;
      default:
        if (field.is_repeated())
          reflection.AddMessage(&bad, &field);
        else
          reflection.ClearField(&bad, &field);
    }
    const auto answer = harness.call(&Stub::RestoreSnapshot, request);
    CHECK_FALSE(answer.status.ok());
    CHECK_FALSE(answer.detail.reason().empty());
    CHECK_THAT(answer.detail.field(), Catch::StartsWith("snapshot"));
    CHECK(harness.get("bar").state_hash() == hash);
    ++changed;
  }
  CHECK(changed > 15);
}
