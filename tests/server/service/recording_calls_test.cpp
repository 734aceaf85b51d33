// Recordings and snapshots over the wire.
// Covers: server/service/host_checks.cpp, server/record/recordings.cpp, server/service/recording_calls.cpp
// Covers: server/record/recording_message.cpp
#include "server/model_io/model_file.h"
#include "server/record/recording_reader.h"
#include "server/record/replay.h"
#include "tests/server/puck.h"
#include "tests/server/record/scratch_folder.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

Config configIn(const ScratchFolder& folder) {
  Config config;
  config.recordings_folder = folder.file("recordings");
  return config;
}

v1::StartRecordingRequest recordRequest(const std::string& session, const std::string& name) {
  v1::StartRecordingRequest request;
  request.set_session(session);
  request.set_name(name);
  return request;
}

Answer<v1::Recording> stopRecording(Harness& harness, const std::string& name) {
  v1::StopRecordingRequest request;
  request.set_name(name);
  return harness.call(&Stub::StopRecording, request);
}

v1::SessionSnapshot saveSnapshot(Harness& harness, const std::string& session) {
  v1::SaveSnapshotRequest request;
  request.set_session(session);
  const auto answer = harness.call(&Stub::SaveSnapshot, request);
  REQUIRE(answer.status.ok());
  return answer.response;
}

Answer<v1::Session> restore(Harness& harness, const std::string& session, const v1::SessionSnapshot& snapshot,
                            bool force = false) {
  v1::RestoreSnapshotRequest request;
  request.set_session(session);
  *request.mutable_snapshot() = snapshot;
  request.set_force(force);
  return harness.call(&Stub::RestoreSnapshot, request);
}

v1::Recording listed(Harness& harness) {
  const auto list = harness.call(&Stub::ListRecordings, v1::ListRecordingsRequest());
  REQUIRE(list.response.recordings_size() == 1);
  return list.response.recordings(0);
}

/// A file system of its own in memory, gone with it or with this process. Of this thread, and of those that it starts
/// from now on: make it before the server.
class SmallDisk {
 public:
  explicit SmallDisk(std::string path, const std::string& size) : path_(std::move(path)) {
    std::filesystem::create_directory(path_);
    // A name space of its own, so that a test which is killed leaves no mount behind.
    mounted_ = ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const noexcept { return mounted_; }

 private:
  const std::string path_;
  bool mounted_;
};

ReplayReport replayFile(const std::string& path) {
  RecordingReader recording(path);
  return replay(recording);
}

}  // namespace

TEST_CASE("a running session is recorded into the server's folder and replays bit for bit", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  const v1::ClockMode clock = GENERATE(v1::CLOCK_MODE_REAL_TIME, v1::CLOCK_MODE_FREE_RUN);
  harness.create("rig", clock);
  harness.start("rig");
  harness.awaitTick("rig", 5);
  v1::CommTestResult way;
  way.set_transport("udp");
  way.set_verdict("fair");
  way.set_success_rate(0.97);
  way.set_period_ns(1'000'000);
  REQUIRE(harness.call(&Stub::ReportCommTest, way).status.ok());
  v1::StartRecordingRequest request = recordRequest("rig", "first");
  request.add_signals("body.r.*");
  request.set_signals_every(2);
  const auto started = harness.call(&Stub::StartRecording, request);
  REQUIRE(started.status.ok());
  CHECK(started.response.running());
  CHECK(started.response.file() == folder.file("recordings/first.mcap"));

  auto stream = harness.tick(openPuck("rig"));
  const std::int64_t from = stream->opening().tick();
  for (std::uint64_t i = 1; i <= 30; ++i) {
    stream->send(i, {0.001 * static_cast<double>(i), -0.5}, i);
    harness.awaitTick("rig", from + 3 * static_cast<std::int64_t>(i));
  }
  harness.pause("rig");
  const std::string hash = harness.get("rig").state_hash();
  const auto stopped = stopRecording(harness, "first");
  REQUIRE(stopped.status.ok());
  CHECK_FALSE(stopped.response.running());
  CHECK(stopped.response.error().empty());
  CHECK(stopped.response.ticks() > 60);
  CHECK(stopped.response.bytes() == std::filesystem::file_size(stopped.response.file()));

  RecordingReader recording(stopped.response.file());
  const ReplayReport report = replay(recording);
  CHECK_FALSE(report.difference);
  CHECK(report.complete);
  CHECK(rt::formatHash(report.state_hash) == hash);
  REQUIRE(recording.timing());
  CHECK(recording.timing()->ticks() > 0);
  CHECK(recording.setup().session().name() == "rig");
  CHECK_FALSE(recording.setup().build().compiler().empty());

  // How fit the host was found, and the way to it.
  CHECK_FALSE(recording.setup().host().grade().empty());
  CHECK(recording.setup().host().findings_size() > 5);
  CHECK(recording.setup().comm_test().verdict() == "fair");
  CHECK(recording.setup().comm_test().time_ns() > 0);
  CHECK(harness.call(&Stub::GetServerInfo, v1::GetServerInfoRequest()).response.comm_test().success_rate() == 0.97);

  // What has ended can still be asked for.
  CHECK(stopRecording(harness, "first").response.ticks() == stopped.response.ticks());
  v1::ListRecordingsRequest all;
  CHECK(harness.call(&Stub::ListRecordings, all).response.recordings_size() == 1);
}

TEST_CASE("a recording says whether its server was insecure", "[server][service]") {
  const ScratchFolder folder;
  const bool insecure = GENERATE(false, true);
  Config config = configIn(folder);
  config.endpoint = parseEndpoint(insecure ? "0.0.0.0:0" : "127.0.0.1:0");
  config.access.insecure = insecure;
  Server server(config);
  SessionSpec spec;
  spec.name = "rig";
  spec.model = makePuck();
  spec.model_message = std::make_shared<const v1::Model>(readModelText(kPuckJson, ModelSyntax::kJson).message);
  spec.clock.mode = ClockChoice::Mode::kLockstep;
  const auto session = server.service().sessions().create(std::move(spec));
  const v1::Recording started = server.service().recordings().start(session, "r", {});
  server.service().recordings().stopAll();
  CHECK(RecordingReader(started.file()).setup().insecure() == insecure);
}

TEST_CASE("a recording continues through resets and restores until its session ends", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  harness.step("rig", 20);
  const v1::SessionSnapshot saved = saveSnapshot(harness, "rig");
  REQUIRE(harness.call(&Stub::StartRecording, recordRequest("rig", "r")).status.ok());
  harness.step("rig", 30);
  REQUIRE(restore(harness, "rig", saved).status.ok());
  harness.step("rig", 40);
  v1::ResetSessionRequest reset;
  reset.set_session("rig");
  REQUIRE(harness.call(&Stub::ResetSession, reset).status.ok());
  harness.step("rig", 50);
  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());

  v1::ListRecordingsRequest all;
  const auto list = harness.call(&Stub::ListRecordings, all).response;
  REQUIRE(list.recordings_size() == 1);
  CHECK_FALSE(list.recordings(0).running());
  const ReplayReport report = replayFile(list.recordings(0).file());
  CHECK_FALSE(report.difference);
  CHECK(report.complete);
  CHECK(report.begins == 3);
  CHECK(report.ticks == 1 + 30 + 1 + 40 + 1 + 50);
}

TEST_CASE("names of recordings stay in the folder, and no file is replaced", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const std::vector<std::string> hostile = {".",
                                            "..",
                                            "../a",
                                            "a/b",
                                            "/etc/passwd",
                                            "a\\b",
                                            "~",
                                            "$HOME",
                                            "a b",
                                            "a\nb",
                                            std::string("a\0b", 3),
                                            "%2e%2e",
                                            "a;b",
                                            "a|b",
                                            "a*",
                                            "ä",
                                            std::string(65, 'a'),
                                            "-/..",
                                            "..\\..",
                                            "a:b",
                                            "<a>",
                                            "\"",
                                            "'",
                                            "`a`",
                                            "{a}",
                                            "(a)",
                                            "a,b",
                                            "a=b",
                                            "a+b",
                                            "a@b",
                                            "a#b",
                                            "a!b",
                                            "a&b",
                                            "a?b",
                                            "a^b",
                                            "[a]",
                                            "\t",
                                            "\r",
                                            "\x7f",
                                            " "};
  CHECK(hostile.size() == 40);
  for (const std::string& name : hostile) {
    INFO(name);
    CHECK(harness.call(&Stub::StartRecording, recordRequest("rig", name)).detail.reason() == "REQUEST_INVALID");
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("recordings")));

  REQUIRE(harness.call(&Stub::StartRecording, recordRequest("rig", "a")).status.ok());
  CHECK(harness.call(&Stub::StartRecording, recordRequest("rig", "a")).detail.reason() == "RECORDING_EXISTS");
  // A link in the folder is not followed, even one to nowhere.
  std::filesystem::create_symlink(folder.file("outside"), folder.file("recordings/link.mcap"));
  CHECK(harness.call(&Stub::StartRecording, recordRequest("rig", "link")).detail.reason() == "RECORDING_EXISTS");
  CHECK_FALSE(std::filesystem::exists(folder.file("outside")));

  // Without a name each gets its own; a repeated request gets the same.
  v1::StartRecordingRequest nameless = recordRequest("rig", "");
  nameless.set_request_id("once");
  const std::string name = harness.call(&Stub::StartRecording, nameless).response.name();
  CHECK(harness.call(&Stub::StartRecording, nameless).response.name() == name);
  nameless.set_request_id("twice");
  CHECK(harness.call(&Stub::StartRecording, nameless).response.name() != name);

  v1::StartRecordingRequest unknown = recordRequest("rig", "b");
  unknown.add_signals("body.r.w");
  const auto refused = harness.call(&Stub::StartRecording, unknown);
  CHECK(refused.detail.reason() == "SIGNAL_UNKNOWN");
  CHECK(refused.detail.field() == "signals");
  CHECK(harness.call(&Stub::StartRecording, recordRequest("nobody", "b")).detail.reason() == "SESSION_UNKNOWN");
  CHECK(stopRecording(harness, "nothing").detail.reason() == "RECORDING_UNKNOWN");
}

TEST_CASE("no recording starts on a disk with less room than is to stay free, and no file is left",
          "[server][service]") {
  const ScratchFolder folder;
  Config config = configIn(folder);
  config.limits.disk_reserve = std::uint64_t{1} << 62;  // bytes, more than any disk has
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const auto refused = harness.call(&Stub::StartRecording, recordRequest("rig", "a"));
  CHECK(refused.status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(refused.detail.reason() == "LIMIT_EXCEEDED");
  CHECK_THAT(refused.status.error_message(), Catch::Contains("stay free"));
  CHECK(std::filesystem::is_empty(config.recordings_folder));
}

TEST_CASE("streams of a session hear that the disk of its recording takes nothing, and of each gap",
          "[server][service]") {
  const ScratchFolder folder;
  Config config = configIn(folder);
  config.limits.recording_bytes = 8 << 20;
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_FREE_RUN);
  // A pipe that nobody reads is a disk that takes nothing. It is open already, so that opening it does not wait.
  const std::string pipe = folder.file("stuck.mcap");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  REQUIRE(reader >= 0);
  REQUIRE(::fcntl(reader, F_SETPIPE_SZ, 1 << 20) > 0);  // the front of the file fits
  harness.server().service().recordings().startFile(harness.sessions().find("rig"), pipe, {});
  auto observer = harness.observe(observePuck("rig"));
  REQUIRE(observer->opened());
  harness.start("rig");
  std::string warned, incomplete;
  while (warned.empty() || incomplete.empty()) {
    const auto message = observer->read();
    REQUIRE(message);
    // Before it, a warning may say that the file will be full.
    const bool warns = message->has_notice() && message->notice().reason() == "RECORDING_WARNING";
    if (warns && message->notice().message().find("taken nothing") != std::string::npos)
      warned = message->notice().message();
    if (message->has_notice() && message->notice().reason() == "RECORDING_INCOMPLETE")
      incomplete = message->notice().message();
  }
  CHECK_THAT(warned, Catch::Contains("stuck.mcap: the disk has taken nothing for"));
  // A free run may also overtake the collector, so that there are several gaps.
  CHECK_THAT(incomplete, Catch::Contains(" ticks in ") && Catch::Contains("missing so far"));
  // Whoever asked for the recording and has no stream reads the same in the list, while it runs.
  const v1::Recording running = listed(harness);
  CHECK(running.running());
  CHECK(running.lost_ticks() > 0);
  CHECK(running.gaps() >= 1);
  CHECK(running.has_incomplete_from());
  CHECK_FALSE(running.warning().empty());
  CHECK(running.warning_tick() > 0);

  // The disk answers again: what memory holds is written, and the recording ends without waiting for long.
  harness.pause("rig");
  std::atomic<bool> ended{false};
  std::thread disk([&] {
    std::vector<char> bytes(1 << 20);
    while (!ended)
      if (::read(reader, bytes.data(), bytes.size()) < 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  const v1::Recording stopped = stopRecording(harness, "stuck").response;
  CHECK(stopped.error().empty());
  ended = true;
  disk.join();
  ::close(reader);

  // The report of a session has what its own recordings miss, not those of an earlier session of its name.
  v1::GetTimingReportRequest timing;
  timing.set_session("rig");
  CHECK(harness.call(&Stub::GetTimingReport, timing).response.recorder_lost_ticks() == stopped.lost_ticks());
  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());
  harness.create("rig", v1::CLOCK_MODE_FREE_RUN);
  CHECK(listed(harness).lost_ticks() == stopped.lost_ticks());
  CHECK(harness.call(&Stub::GetTimingReport, timing).response.recorder_lost_ticks() == 0);
}

TEST_CASE("a disk that becomes full is announced before, ends its recording alone, and what it holds replays",
          "[server][service]") {
  const ScratchFolder folder;
  const SmallDisk disk(folder.file("recordings"), "64m");
  if (!disk.mounted()) {
    std::puts("SKIPPED: no right to mount a file system");
    return;
  }
  Config config = configIn(folder);
  config.limits.disk_reserve = 0;
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::StartRecordingRequest request = recordRequest("rig", "full");
  request.add_signals("*");
  REQUIRE(harness.call(&Stub::StartRecording, request).status.ok());
  v1::Recording warned = listed(harness);
  for (; warned.running() && warned.warning().find("full in about") == std::string::npos; warned = listed(harness))
    harness.step("rig", 1);
  CHECK_THAT(warned.warning(), Catch::Contains("full in about"));
  CHECK(warned.running());
  CHECK(warned.error().empty());
  CHECK(warned.lost_ticks() == 0);

  while (listed(harness).running()) harness.step("rig", 1000);
  const v1::Recording ended = listed(harness);
  CHECK_THAT(ended.error(), Catch::Contains("No space left on device"));
  CHECK(ended.bytes() <= (64 << 20));
  harness.step("rig", 1);
  const v1::Recording later = stopRecording(harness, "full").response;
  CHECK(later.lost_ticks() > 0);
  CHECK(static_cast<std::int64_t>(later.ticks() + later.lost_ticks()) == harness.get("rig").tick() + 1);
  const ReplayReport report = replayFile(ended.file());
  CHECK_FALSE(report.difference);
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: No space left on device"));
  CHECK(report.ticks == later.ticks());
}

TEST_CASE("a recording never takes the reserve of its disk, and its end is one notice", "[server][service]") {
  const ScratchFolder folder;
  const SmallDisk disk(folder.file("recordings"), "16m");
  if (!disk.mounted()) {
    std::puts("SKIPPED: no right to mount a file system");
    return;
  }
  Config config = configIn(folder);
  config.limits.disk_reserve = std::uint64_t{8} << 20;
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::StartRecordingRequest request = recordRequest("rig", "kept");
  request.add_signals("*");
  REQUIRE(harness.call(&Stub::StartRecording, request).status.ok());
  auto observer = harness.observe(observePuck("rig"));
  REQUIRE(observer->opened());
  while (listed(harness).running()) harness.step("rig", 1000);
  CHECK_THAT(listed(harness).error(), Catch::Contains("the reserve of 8388608 bytes is reached"));
  CHECK(std::filesystem::space(folder.file("recordings")).available >= config.limits.disk_reserve);
  harness.step("rig", 1000);
  const v1::Recording ended = stopRecording(harness, "kept").response;
  CHECK(ended.lost_ticks() >= 1000);
  const ReplayReport report = replayFile(ended.file());
  CHECK_FALSE(report.complete);
  CHECK_THAT(report.problem, Catch::Contains("has ended early: the reserve of 8388608 bytes is reached"));
  CHECK(report.ticks == ended.ticks());

  v1::DeleteSessionRequest gone;
  gone.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, gone).status.ok());
  int notices = 0;
  while (const auto message = observer->read()) {
    if (!message->has_notice() || message->notice().reason() != "RECORDING_ENDED") continue;
    ++notices;
    CHECK_THAT(message->notice().message(), Catch::Contains("kept.mcap: it has ended early: the reserve of 8388608"));
    CHECK(message->notice().tick() == ended.last_tick() + 1);
  }
  CHECK(notices == 1);
}

TEST_CASE("a recording that has no folder is refused with the folder as the reason", "[server][service]") {
  const ScratchFolder folder;
  Config config = configIn(folder);
  config.recordings_folder = folder.file("missing/recordings");
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const auto refused = harness.call(&Stub::StartRecording, recordRequest("rig", "a"));
  CHECK(refused.status.error_code() == grpc::StatusCode::FAILED_PRECONDITION);
  CHECK(refused.detail.reason() == "RECORDING_FOLDER");
  CHECK_THAT(refused.status.error_message(), Catch::Contains("missing/recordings") && Catch::Contains("No such file"));
  CHECK_THAT(refused.detail.hint(), Catch::Contains("--recordings"));
}

TEST_CASE("the number of concurrent recordings is limited", "[server][service]") {
  const ScratchFolder folder;
  Config config = configIn(folder);
  config.limits.recordings.total = 2;
  Harness harness(config);
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  REQUIRE(harness.call(&Stub::StartRecording, recordRequest("rig", "a")).status.ok());
  REQUIRE(harness.call(&Stub::StartRecording, recordRequest("rig", "b")).status.ok());
  CHECK(harness.call(&Stub::StartRecording, recordRequest("rig", "c")).detail.reason() == "LIMIT_EXCEEDED");
  REQUIRE(stopRecording(harness, "a").status.ok());
  CHECK(harness.call(&Stub::StartRecording, recordRequest("rig", "c")).status.ok());
}

TEST_CASE("the recordings of a session are listed by its name after it was deleted", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  REQUIRE(harness.call(&Stub::StartRecording, recordRequest("rig", "one")).status.ok());
  harness.step("rig", 10);
  v1::DeleteSessionRequest gone;
  gone.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, gone).status.ok());
  v1::ListRecordingsRequest of_session;
  of_session.set_session("rig");
  const auto listed = harness.call(&Stub::ListRecordings, of_session);
  REQUIRE(listed.status.ok());
  CHECK(listed.response.recordings_size() == 1);
  of_session.set_session("rick");
  CHECK(harness.call(&Stub::ListRecordings, of_session).detail.reason() == "SESSION_UNKNOWN");
}

TEST_CASE("a snapshot of one session continues in another one, bit for bit", "[server][service][determinism]") {
  Harness harness;
  harness.create("a", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  harness.create("b", v1::CLOCK_MODE_FREE_RUN, "motor_four_bar");
  v1::TickOpen open;
  open.set_session("a");
  open.add_inputs("motor");
  auto stream = harness.tick(open);
  for (std::uint64_t i = 1; i <= 50; ++i) {
    stream->send(i, {std::sin(0.1 * static_cast<double>(i))});
    stream->frame();
  }
  const v1::SessionSnapshot saved = saveSnapshot(harness, "a");
  CHECK(saved.tick() == 50);
  CHECK(saved.inputs(0) == std::sin(5.0));

  const auto restored = restore(harness, "b", saved);
  REQUIRE(restored.status.ok());
  CHECK(restored.response.state() == v1::SESSION_STATE_PAUSED);
  CHECK(restored.response.tick() == 50);
  CHECK(restored.response.state_hash() == harness.get("a").state_hash());
  CHECK(harness.step("b", 200).state_hash() == harness.step("a", 200).state_hash());

  // Back in time in the same session with an open stream: the stream gets the event and continues.
  REQUIRE(restore(harness, "a", saved).status.ok());
  CHECK(harness.step("a", 200).state_hash() == harness.get("b").state_hash());
}

TEST_CASE("a snapshot of another session is refused and changes no bit", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  harness.create("other", v1::CLOCK_MODE_LOCKSTEP, "four_bar");
  harness.step("rig", 10);
  const v1::SessionSnapshot saved = saveSnapshot(harness, "rig");
  harness.step("rig", 10);
  const std::string hash = harness.get("rig").state_hash();
  const double inf = std::numeric_limits<double>::infinity();

  using S = v1::SessionSnapshot;
  const std::vector<std::pair<const char*, std::function<void(S&)>>> changes = {
      {"snapshot.model_hash", [](S& s) { s.set_model_hash("0000000000000000"); }},
      {"snapshot.settings", [](S& s) { s.mutable_settings()->set_iterations(9); }},
      {"snapshot.script_hash", [](S& s) { s.set_script_hash(3); }},
      {"snapshot.build", [](S& s) { s.mutable_build()->set_commit("other"); }},
      {"snapshot.format", [](S& s) { s.set_format(0); }},
      {"snapshot.tick", [](S& s) { s.set_tick(-5); }},
      {"snapshot.state", [](S& s) { s.clear_state(); }},
      {"snapshot.inputs", [](S& s) { s.clear_inputs(); }},
      {"snapshot.state[3]", [inf](S& s) { s.set_state(3, -inf); }},
      {"snapshot.inputs[1]", [](S& s) { s.set_inputs(1, std::nan("")); }},
      {"snapshot.inputs[0]", [](S& s) { s.set_inputs(0, 11); }},
      {"snapshot.content_hash", [](S& s) { s.set_state(0, 1e308); }},
  };
  for (const auto& [field, change] : changes) {
    S bad = saved;
    change(bad);
    const auto refused = restore(harness, "rig", bad);
    INFO(field);
    CHECK(refused.detail.field() == field);
    CHECK(harness.get("rig").state_hash() == hash);
  }
  v1::RestoreSnapshotRequest empty;
  empty.set_session("rig");
  CHECK(harness.call(&Stub::RestoreSnapshot, empty).detail.field() == "snapshot");
  CHECK(restore(harness, "other", saved).detail.reason() == "SNAPSHOT_INCOMPATIBLE");

  // Another binary's is taken if it must be.
  S foreign = saved;
  foreign.mutable_build()->set_commit("other");
  CHECK(restore(harness, "rig", foreign, true).response.tick() == 10);
}

TEST_CASE("a FIFO in the place of a recording is refused and blocks no download", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const auto started = harness.call(&Stub::StartRecording, recordRequest("rig", "swapped"));
  REQUIRE(started.status.ok());
  harness.step("rig", 3);
  REQUIRE(stopRecording(harness, "swapped").status.ok());
  std::filesystem::remove(started.response.file());
  REQUIRE(::mkfifo(started.response.file().c_str(), 0600) == 0);
  v1::DownloadRecordingRequest request;
  request.set_name("swapped");
  grpc::ClientContext context;
  const auto stream = harness.stub()->DownloadRecording(&context, request);
  v1::RecordingChunk chunk;
  CHECK_FALSE(stream->Read(&chunk));
  CHECK(stream->Finish().error_code() == grpc::StatusCode::NOT_FOUND);
}

TEST_CASE("of more recordings than a server remembers, those that ended first are forgotten", "[server][service]") {
  const ScratchFolder folder;
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const std::shared_ptr<Session> session = harness.sessions().find("rig");
  Recordings recordings(folder.file("recordings"), {.remembered = 3}, [](v1::RecordingSetup&) {});
  const auto names = [&] {
    std::string all;
    for (const v1::Recording& recording : recordings.list("")) all += recording.name();
    return all;
  };
  for (const char* name : {"d", "a", "c"}) recordings.start(session, name, {});
  for (const char* name : {"c", "d"}) recordings.stop(name);
  recordings.start(session, "b", {});
  CHECK(names() == "abd");
  recordings.stop("b");
  recordings.stop("d");  // again, which does not make it younger
  recordings.start(session, "e", {});
  CHECK(names() == "abe");
  CHECK(std::filesystem::exists(folder.file("recordings/c.mcap")));
  recordings.stopAll();
}

TEST_CASE("recordings whose disks do not answer are ended at the same time", "[server][service]") {
  const ScratchFolder folder;
  Harness harness(configIn(folder));
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  Recordings& recordings = harness.server().service().recordings();
  std::vector<int> pipes;
  for (const char* name : {"a", "b", "c", "d"}) {
    const std::string path = folder.file(std::string(name) + ".mcap");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int pipe = pipes.emplace_back(::open(path.c_str(), O_RDWR | O_NONBLOCK));
    REQUIRE(pipe >= 0);
    REQUIRE(::fcntl(pipe, F_SETPIPE_SZ, 1 << 19) > 0);  // the front of the file fits
    recordings.startFile(harness.sessions().find("rig"), path, {});
    // The rest of the pipe is filled: the disk takes nothing any more.
    for (std::size_t bytes : {std::size_t{4096}, std::size_t{1}})
      for (const std::string junk(bytes, '-'); ::write(pipe, junk.data(), bytes) > 0;) continue;
  }
  harness.step("rig", 100);
  std::atomic<bool> ended{false};
  std::thread stopping([&] {
    recordings.stopAll();
    ended = true;
  });

  // All of them come to their end before one of them has waited for as long as it may: none reports its disk yet.
  const auto all = [&](const std::function<bool(const v1::Recording&)>& has) {
    const std::vector<v1::Recording> list = recordings.list("");
    return std::all_of(list.begin(), list.end(), has);
  };
  while (!all([](const v1::Recording& recording) { return !recording.running(); }))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(all([](const v1::Recording& recording) { return recording.error().empty(); }));

  std::vector<char> bytes(1 << 20);
  while (!ended)
    for (const int pipe : pipes)
      if (::read(pipe, bytes.data(), bytes.size()) < 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  stopping.join();
  CHECK(all([](const v1::Recording& recording) { return recording.ticks() == 101; }));
  for (const int pipe : pipes) ::close(pipe);
}
