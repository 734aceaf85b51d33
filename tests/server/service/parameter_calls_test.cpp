// Parameters and authority over the wire: replies, notices, repeated requests, takeover, and what a recording keeps.
// Covers: server/session/parameter_request.cpp, server/service/download_call.cpp
#include "rt/model/model.h"
#include "server/record/crc32.h"
#include "server/record/recording_reader.h"
#include "server/record/replay.h"
#include "tests/server/record/scratch_folder.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

Answer<v1::ParameterReport> set(Harness& harness, const std::string& session,
                                const std::map<std::string, double>& values, const std::string& id = {}) {
  v1::SetParametersRequest request;
  request.set_session(session);
  request.set_request_id(id);
  for (const auto& [name, value] : values) {
    request.add_values()->set_name(name);
    request.mutable_values(request.values_size() - 1)->set_value(value);
  }
  return harness.call(&Stub::SetParameters, request);
}

v1::ParameterReport get(Harness& harness, const std::string& session) {
  v1::GetParametersRequest request;
  request.set_session(session);
  return harness.call(&Stub::GetParameters, request).response;
}

v1::TickOpen openMotor(const std::string& session) {
  v1::TickOpen open;
  open.set_session(session);
  open.add_inputs("motor");
  open.add_outputs("crank_angle");
  return open;
}

}  // namespace

TEST_CASE("parameters are listed with their ranges, and the reply to a change names the tick", "[server][service]") {
  Harness harness;
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const v1::ParameterReport before = get(harness, "bar");
  REQUIRE(before.parameters_size() == 2);
  CHECK(before.first_tick() == 0);
  CHECK(before.parameters(0).name() == "rocker_mass");
  CHECK(before.parameters(0).value() == 0.6);
  CHECK(before.parameters(0).maximum() == 5);
  CHECK(before.parameters(0).targets(0) == "bodies.rocker.mass");

  harness.step("bar", 10);
  const auto answer = set(harness, "bar", {{"rocker_mass", 2}, {"gravity_y", 0}}, "once");
  REQUIRE(answer.status.ok());
  CHECK(answer.response.first_tick() == 11);
  harness.step("bar", 10);
  CHECK(set(harness, "bar", {{"rocker_mass", 2}, {"gravity_y", 0}}, "once").response.first_tick() == 11);
  CHECK(get(harness, "bar").parameters(1).value() == 0);
  CHECK(get(harness, "bar").first_tick() == 11);

  // The model of the session is the one that runs.
  v1::GetModelRequest request;
  request.set_session("bar");
  const v1::Model model = harness.call(&Stub::GetModel, request).response.model();
  CHECK(model.bodies(2).mass() == 2);
  CHECK(model.gravity(1) == 0);
}

TEST_CASE("a session created with parameters runs the changed model", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest create;
  create.set_model_name("motor_four_bar");
  create.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  create.set_name("heavy");
  create.add_parameters()->set_name("rocker_mass");
  create.mutable_parameters(0)->set_value(3);
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  harness.create("plain", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  CHECK(get(harness, "heavy").parameters(0).value() == 3);
  CHECK(harness.get("heavy").state_hash() != harness.get("plain").state_hash());

  // A snapshot of the one does not fit the other.
  v1::SaveSnapshotRequest save;
  save.set_session("heavy");
  v1::RestoreSnapshotRequest restore;
  restore.set_session("plain");
  *restore.mutable_snapshot() = harness.call(&Stub::SaveSnapshot, save).response;
  CHECK(harness.call(&Stub::RestoreSnapshot, restore).detail.field() == "snapshot.model_hash");
}

TEST_CASE("streams get the event of a change at its tick", "[server][service]") {
  Harness harness;
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  auto stream = harness.tick(openMotor("bar"));
  stream->send(1, {0.1});
  CHECK(stream->frame().tick() == 1);
  REQUIRE(set(harness, "bar", {{"rocker_mass", 2}}).response.first_tick() == 2);
  const v1::TickNotice notice = stream->notice();
  CHECK(notice.reason() == "PARAMETERS_SET");
  CHECK(notice.tick() == 2);
  CHECK(notice.message() == "rocker_mass = 2");
  const auto changed = [](const v1::StateFrame& frame) {
    return (frame.flags() & v1::FRAME_FLAG_PARAMETERS_CHANGED) != 0;
  };
  stream->send(2, {0.1});
  const v1::StateFrame frame = stream->frame();
  CHECK(frame.tick() == 2);
  CHECK(changed(frame));
  stream->send(3, {0.1});
  CHECK_FALSE(changed(stream->frame()));
}

TEST_CASE("a recording holds the parameters with their ticks and replays bit for bit", "[server][service]") {
  const v1::ClockMode clock = GENERATE(v1::CLOCK_MODE_REAL_TIME, v1::CLOCK_MODE_FREE_RUN, v1::CLOCK_MODE_LOCKSTEP);
  const ScratchFolder folder;
  Config config;
  config.recordings_folder = folder.file("recordings");
  Harness harness(config);
  harness.create("bar", clock, "motor_four_bar");
  REQUIRE(set(harness, "bar", {{"rocker_mass", 1}}).status.ok());  // before the recording
  v1::StartRecordingRequest start;
  start.set_session("bar");
  start.set_name("r");
  start.add_signals("energy.*");
  REQUIRE(harness.call(&Stub::StartRecording, start).status.ok());
  const bool steps = clock == v1::CLOCK_MODE_LOCKSTEP;
  if (!steps) harness.start("bar");
  std::int64_t last = 0;
  for (int k = 1; k <= 20; ++k) {
    const auto answer = set(harness, "bar", {{"rocker_mass", 1 + 0.1 * k}, {"gravity_y", -9.81 + 0.5 * k}});
    REQUIRE(answer.status.ok());
    last = answer.response.first_tick();
    if (steps) harness.step("bar", 7);
    if (!steps) harness.awaitTick("bar", last + 3);
  }
  if (!steps) harness.pause("bar");
  const std::string hash = harness.get("bar").state_hash();
  v1::StopRecordingRequest stop;
  stop.set_name("r");
  const auto stopped = harness.call(&Stub::StopRecording, stop);
  REQUIRE(stopped.status.ok());
  RecordingReader recording(stopped.response.file());
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK(report.complete);
  CHECK(rt::formatHash(report.state_hash) == hash);
  CHECK(report.last_tick > last);

  // A free run may be too fast to be recorded whole.
  if (clock == v1::CLOCK_MODE_FREE_RUN) return;
  CHECK(stopped.response.lost_ticks() == 0);
  int changes = 0;
  RecordingReader rows(stopped.response.file());
  RecordedRow row;
  while (rows.next(row)) changes += row.has_new_parameters ? 1 : 0;
  CHECK(changes >= 20);
}

TEST_CASE("a takeover needs a reason, informs every stream, and refuses inputs of the former holder",
          "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  harness.start("rig");
  v1::TickOpen open = openPuck("rig");
  open.set_controller("wheel");
  open.set_credit_window(4096);
  auto former = harness.tick(open);
  REQUIRE(former->opened());
  former->send(1, {1, 1});
  CHECK(harness.get("rig").groups(0).controller() == "wheel");
  CHECK(harness.get("rig").groups(0).inputs_size() == 2);

  open.set_controller("rescue");
  open.set_takeover(true);
  open.set_takeover_reason("the wheel hangs");
  auto next = harness.tick(open);
  REQUIRE(next->opened());
  CHECK(harness.get("rig").groups(0).controller() == "rescue");
  const auto noticed = [](TickClient& stream, const std::string& reason) {
    for (;;) {
      const auto response = stream.read();
      if (!response) return v1::TickNotice();
      if (response->has_notice() && response->notice().reason() == reason) return response->notice();
      if (response->has_frame()) stream.acknowledge(response->frame().sequence());
    }
  };
  CHECK_THAT(noticed(*former, "INPUTS_TAKEN_OVER").message(), Catch::Contains("the wheel hangs"));
  former->send(2, {2, 2});
  CHECK(noticed(*former, "INPUT_REFUSED").detail().reason() == "LEASE_LOST");
  former->closeInputs();
  former->finish();
  CHECK(harness.get("rig").groups(0).controller() == "rescue");
}

TEST_CASE("a recording is downloaded as a whole or from any byte on, within the limits", "[server][service]") {
  const ScratchFolder folder;
  Config config;
  config.recordings_folder = folder.file("recordings");
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::StartRecordingRequest start;
  start.set_session("rig");
  start.set_name("r");
  start.add_signals("*");
  const std::string file = harness.call(&Stub::StartRecording, start).response.file();
  harness.step("rig", 2000);

  const auto stub = harness.stub();
  const auto fetch = [&](const std::string& name, std::uint64_t offset, std::uint32_t chunk_bytes, std::string& bytes) {
    v1::DownloadRecordingRequest request;
    request.set_name(name);
    request.set_offset(offset);
    request.set_chunk_bytes(chunk_bytes);
    grpc::ClientContext context;
    const auto stream = stub->DownloadRecording(&context, request);
    v1::RecordingChunk chunk;
    bytes.clear();
    while (stream->Read(&chunk)) {
      CHECK(chunk.offset() == offset + bytes.size());
      CHECK(chunk.crc() == crc32(chunk.data()));
      CHECK(chunk.data().size() <= (chunk_bytes == 0 ? 262144 : chunk_bytes));
      bytes += chunk.data();
    }
    stream->Finish();
    return detailOf(context);
  };
  std::string bytes, rest;
  CHECK(fetch("r", 0, 0, bytes).reason() == "SESSION_STATE");  // it still runs
  v1::StopRecordingRequest stop;
  stop.set_name("r");
  REQUIRE(harness.call(&Stub::StopRecording, stop).status.ok());
  std::ifstream opened(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(opened), {}};
  CHECK(fetch("r", 0, 0, bytes).reason().empty());
  CHECK(bytes == whole);
  CHECK(fetch("r", 1000, 777, rest).reason().empty());
  CHECK(rest == whole.substr(1000));
  CHECK(fetch("r", whole.size(), 0, rest).reason().empty());
  CHECK(rest.empty());
  CHECK(fetch("r", whole.size() + 1, 0, rest).field() == "offset");
  CHECK(fetch("r", 0, (1 << 20) + 1, rest).field() == "chunk_bytes");
  CHECK(fetch("none", 0, 0, rest).reason() == "RECORDING_UNKNOWN");

  // Whatever lies in its place now is not shown.
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/etc/hostname", file);
  CHECK(fetch("r", 0, 0, rest).reason() == "RECORDING_UNKNOWN");
  CHECK(rest.empty());
}
