#include "server/door/audit_log.h"

#include "rt/error.h"
#include "tests/server/record/scratch_folder.h"

#include "tactus/v1/simulation.pb.h"

#include <catch2/catch.hpp>

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

std::string contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

long linesOf(const std::string& path) {
  const std::string content = contentOf(path);
  return std::count(content.begin(), content.end(), '\n');
}

std::string lastLineOf(const std::string& path) {
  std::istringstream content(contentOf(path));
  std::string line, last;
  while (std::getline(content, line)) last = line;
  return last;
}

}  // namespace

TEST_CASE("a line tells who asked for what, and nothing of a model", "[server][door]") {
  v1::CreateSessionRequest request;
  request.set_name("rig");
  request.mutable_model()->set_description("a long text");
  v1::ParameterValue& parameter = *request.add_parameters();
  parameter.set_name("k");
  parameter.set_value(3);
  const std::string text = describeRequest(request);
  CHECK_THAT(text, Catch::Contains("name: \"rig\""));
  CHECK_THAT(text, Catch::Contains("parameters: {name: \"k\" value: 3}"));
  CHECK(text.find("long text") == std::string::npos);

  v1::TickOpen open;
  open.set_session("rig");
  open.set_takeover(true);
  open.set_takeover_reason("a\nb");
  CHECK(describeRequest(open).find('\n') == std::string::npos);
  CHECK_THAT(describeRequest(open), Catch::Contains("takeover: true"));
}

TEST_CASE("a request with long lists gives a line of bounded length", "[server][door]") {
  v1::SetParametersRequest request;
  for (int i = 0; i < 1000; ++i) request.add_values()->set_name(std::string(100, 'x'));
  CHECK(describeRequest(request).size() < 600);  // 512 bytes and the end of the text
}

TEST_CASE("an audit log is one line a call in a file of mode 0600", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  AuditLog log(path);
  v1::PauseSessionRequest request;
  request.set_session("rig\n2026 admin forged");
  const Peer peer{"lab", Role::kControl};
  log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", request, "", "OK");
  log.write(&peer, "ipv4:10.0.0.7:1", "CreateSession", request, "session-1", "refused (7): a\nb");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(linesOf(path) == 2);
  CHECK_THAT(contentOf(path), Catch::Contains("lab control ipv4:10.0.0.7:1 PauseSession session: \"rig"));
  CHECK_THAT(contentOf(path), Catch::Contains("as \"session-1\" -> refused (7): a?b"));
}

TEST_CASE("strangers cannot push the lines of others out of an audit log", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  AuditLog log(path);
  for (int i = 0; i < 10'000; ++i)
    log.write(nullptr, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "refused (16): no token");
  // Several seconds may have passed.
  CHECK(linesOf(path) < 1000);
}

TEST_CASE("neither refused calls of one identity nor ticks one by one push the lines of others out of an audit log",
          "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  const Peer observer{"screen", Role::kObserve}, driver{"lab", Role::kControl};
  v1::StartSessionRequest start;
  start.set_session(std::string(400, 'x'));
  v1::RunSessionRequest block, other;
  block.set_session("rig");
  block.set_ticks(1);
  other.set_session("bench");
  {
    AuditLog log(path);
    for (int i = 0; i < 10'000; ++i) {
      log.write(&observer, "ipv4:10.0.0.7:1", "StartSession", start, "", "refused (7): the role is too low");
      log.write(&driver, "ipv4:10.0.0.8:1", "RunBlock", block, "", "OK");
      if (i == 0) log.write(&driver, "ipv4:10.0.0.8:1", "RunBlock", other, "", "OK");
    }
  }
  // Several seconds may have passed.
  CHECK(linesOf(path) < 1000);
  const std::string content = contentOf(path);
  CHECK_THAT(content, Catch::Contains("RunBlock session: \"rig\"") && Catch::Contains("RunBlock session: \"bench\"") &&
                          Catch::Contains("more calls of screen were refused") &&
                          Catch::Contains("more calls RunBlock of lab session: \"rig\""));
}

TEST_CASE("an audit log tells what a second has left out when the second is over, without a further call",
          "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  AuditLog log(path);
  constexpr int kCalls = 500;
  for (int round = 1; round <= 2; ++round) {
    const long before = linesOf(path);
    for (int i = 0; i < kCalls; ++i)
      log.write(nullptr, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "refused (16): no token");
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const auto isTold = [&] { return lastLineOf(path).find("more calls without an identity") != std::string::npos; };
    while (!isTold() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    CHECK(isTold());
    CHECK(linesOf(path) - before <= kCalls / 2);  // the second may end in the midst of the calls
  }
}

TEST_CASE("an audit log tells who leaves a safe state, and keeps the mode that somebody gave it", "[server][door]") {
  v1::TickOpen open;
  open.set_session("rig");
  open.set_leave_safe_state(true);
  CHECK_THAT(describeRequest(open), Catch::Contains("leave_safe_state: true"));

  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  const Peer peer{"lab", Role::kControl};
  const auto modeOf = [&] {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
  };
  { AuditLog first(path); }
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  AuditLog log(path);
  CHECK(modeOf() == 0640);
  REQUIRE(std::rename(path.c_str(), (path + ".old").c_str()) == 0);
  log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "OK");
  CHECK(modeOf() == 0640);
}

TEST_CASE("without a file there is no audit log, and a file that cannot be opened is an error", "[server][door]") {
  CHECK_FALSE(AuditLog("").on());
  const ScratchFolder folder;
  CHECK_THROWS_AS(AuditLog(folder.path()), Error);
  CHECK_THROWS_WITH(AuditLog("/dev/full"), Catch::Contains("is not a regular file; name a file"));
}

TEST_CASE("an audit log that somebody deletes or renames continues in a new file of mode 0600", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log"), renamed = folder.file("audit.old");
  AuditLog log(path);
  const Peer peer{"lab", Role::kControl};
  const auto write = [&] { log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "OK"); };
  write();
  REQUIRE(std::rename(path.c_str(), renamed.c_str()) == 0);
  write();
  write();
  CHECK(linesOf(renamed) == 1);
  CHECK(linesOf(path) == 2);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a full audit log is renamed; one that cannot be renamed grows and loses nothing", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log"), first = folder.file("audit.1.log");
  const auto before = spdlog::default_logger();
  std::ostringstream told;
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("told", std::make_shared<spdlog::sinks::ostream_sink_mt>(told)));
  AuditLog log(path);
  const Peer peer{"lab", Role::kControl};
  const std::string third = folder.file("audit.3.log"), fourth = folder.file("audit.4.log");
  std::ofstream(third) << "older\n";
  std::filesystem::create_directories(fourth + "/in the way");
  std::filesystem::resize_file(path, AuditLog::kFileBytes);
  const auto write = [&] { log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "OK"); };
  write();
  write();
  CHECK(std::filesystem::file_size(path) > AuditLog::kFileBytes);
  CHECK(linesOf(path) == 2);
  std::filesystem::remove_all(fourth);
  write();
  spdlog::set_default_logger(before);
  CHECK(linesOf(first) == 2);
  CHECK(linesOf(path) == 1);
  CHECK(contentOf(fourth) == "older\n");
  const std::string text = told.str(), rule = third + ": cannot be renamed to " + fourth;
  CHECK(text.find(rule) != std::string::npos);
  CHECK(text.find(rule) == text.rfind(rule));  // once
}

TEST_CASE("a line of which a part was written is taken back", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  AuditLog log(path);
  const Peer peer{"lab", Role::kControl};
  const auto write = [&] { log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "OK"); };
  write();
  const auto kept = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const rlimit full{std::filesystem::file_size(path) + 20, limit.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  write();
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  std::signal(SIGXFSZ, kept);
  CHECK(linesOf(path) == 1);
  CHECK(contentOf(path).back() == '\n');
  write();
  CHECK(linesOf(path) == 2);
}

TEST_CASE("lines that an audit log cannot write are counted in the log of the server", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("audit.log");
  const auto before = spdlog::default_logger();
  std::ostringstream told;
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("told", std::make_shared<spdlog::sinks::ostream_sink_mt>(told)));
  {
    AuditLog log(path);
    const Peer peer{"lab", Role::kControl};
    // A link to the device that is always full stands in for a full disk: opening succeeds, each write fails.
    std::filesystem::remove(path);
    std::filesystem::create_symlink("/dev/full", path);
    for (int i = 0; i < 3; ++i)
      log.write(&peer, "ipv4:10.0.0.7:1", "PauseSession", v1::PauseSessionRequest(), "", "OK");
  }
  spdlog::set_default_logger(before);
  CHECK_THAT(told.str(), Catch::Contains("--audit-log " + path + ": 1 line could not be written: "));
  CHECK_THAT(told.str(), Catch::Contains("--audit-log " + path + ": 2 lines could not be written: "));
  CHECK_THAT(told.str(), Catch::Contains("No space left on device"));
}
