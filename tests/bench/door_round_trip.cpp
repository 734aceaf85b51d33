// Cost of the door: round trips of the Tick stream in plaintext, with mutual TLS in the process, and through HAProxy
// with mutual TLS before a Unix socket (docker/haproxy.cfg), in one run.
#include "tests/bench/command_line.h"
#include "tests/bench/lanes.h"
#include "tests/bench/server_process.h"
#include "tests/bench/tick_client.h"

#include "rt/error.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <thread>

extern char** environ;

namespace tactus::bench {
namespace {

struct Options {
  LaneOptions lanes;
  std::string program = TACTUS_PROGRAM, haproxy = "/usr/sbin/haproxy";
  std::string model = "motor_four_bar";
  std::vector<std::string> signals = {"crank.r.*", "crank.p.*", "crank.v.*", "crank.omega.*", "energy.total"};
};

void runProgram(const std::string& program, std::vector<std::string> arguments) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t child = 0;
  int status = 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0 || waitpid(child, &status, 0) != child || status != 0)
    throw Error(program + " " + arguments.front() + " failed");
}

// A port that is free now.
std::string freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw Error("no free port");
  ::close(fd);
  return std::to_string(ntohs(address.sin_port));
}

bool listensAt(const std::string& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  const bool listens = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return listens;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// HAProxy with the configuration of the repository; paths and port are those of the bench.
class Front : public ChildProcess {
 public:
  Front(const std::string& haproxy, const std::string& folder) : port_(freePort()) {
    std::ifstream source(TACTUS_SOURCE_DIR "/docker/haproxy.cfg");
    std::string text{std::istreambuf_iterator<char>(source), {}};
    replaceAll(text, "/etc/tactus", folder + "/ca");
    replaceAll(text, "/run/tactus", folder);
    replaceAll(text, "bind :50051", "bind 127.0.0.1:" + port_);
    // It stays the user of this program, whose folder nobody else may read.
    replaceAll(text, "    user haproxy\n    group haproxy\n", "");
    const std::string file = folder + "/haproxy.cfg";
    std::ofstream(file) << text;
    start([&](int) {
      ::execl(haproxy.c_str(), haproxy.c_str(), "-db", "-f", file.c_str(), nullptr);
      return 1;
    });
  }

  std::string waitForAddress() const {
    for (int i = 0; i < 500 && !listensAt(port_); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return "127.0.0.1:" + port_;
  }

 private:
  const std::string port_;
};

void certify(const std::string& program, const std::string& folder) {
  const std::string ca = folder + "/ca";
  runProgram(program, {"certificate", "new-ca", "--folder", ca});
  runProgram(program, {"certificate", "issue", "--folder", ca, "--name", "server", "--host", "localhost"});
  runProgram(program, {"certificate", "issue", "--folder", ca, "--name", "driver", "--role", "control"});
  std::ofstream front(ca + "/front.pem");
  for (const char* part : {"/server.crt", "/server.key"}) front << std::ifstream(ca + part).rdbuf();
}

void run(const Options& options) {
  std::string folder = "/tmp/tactus_door_XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) throw Error("no folder in /tmp");
  const std::unique_ptr<std::string, void (*)(std::string*)> remove(
      &folder, [](std::string* path) { std::filesystem::remove_all(*path); });
  certify(options.program, folder);
  const std::string ca = folder + "/ca";

  // Fork all processes before gRPC starts its first thread.
  const std::vector<std::string> serve = {"serve",          options.model, "--clock", "lockstep",
                                          "--report-every", "24h",         "--listen"};
  const auto server = [&](std::initializer_list<std::string> arguments) {
    std::vector<std::string> all = serve;
    all.insert(all.end(), arguments);
    return std::make_unique<ProgramProcess>(options.program, all);
  };
  const auto plain = server({"127.0.0.1:0"});
  const auto tls = server({"127.0.0.1:0", "--tls-cert", ca + "/server.crt", "--tls-key", ca + "/server.key",
                           "--tls-client-ca", ca + "/ca.crt"});
  std::unique_ptr<ProgramProcess> behind;
  std::unique_ptr<Front> front;
  if (std::filesystem::exists(options.haproxy)) {
    behind = server({"unix:" + folder + "/server.sock", "--trust-peer-header"});
    behind->waitForEndpoint();
    front = std::make_unique<Front>(options.haproxy, folder);
  } else {
    std::cerr << "no " << options.haproxy << ": its lane is left out (docker/install_packages.sh front)\n";
  }

  std::vector<Lane> lanes;
  const auto add = [&](const std::string& name, const std::string& address, bool base) {
    lanes.push_back({name, connectWithLibrary(address, options.model, options.signals), base});
  };
  add("plaintext", plain->waitForEndpoint(), true);
  // The library takes these from its environment.
  ::setenv("TACTUS_TLS_CA", (ca + "/ca.crt").c_str(), 1);
  ::setenv("TACTUS_TLS_CERT", (ca + "/driver.crt").c_str(), 1);
  ::setenv("TACTUS_TLS_KEY", (ca + "/driver.key").c_str(), 1);
  add("mutual TLS in process", tls->waitForEndpoint(), false);
  if (front) add("HAProxy", front->waitForAddress(), false);
  std::cout << "model:    " << options.model << " in lockstep\n";
  measureLanes(lanes, options.lanes);
  lanes.clear();
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  tactus::bench::CommandLine line(
      "Compare round trips of the Tick stream in plaintext, with mutual TLS, and through HAProxy");
  line.add("MODEL", options.model, "a built-in model or a file")
      .file("--program", options.program, "path of the server program")
      .add("--haproxy", options.haproxy, "path of HAProxy");
  tactus::bench::addLaneOptions(line, options.lanes);
  return line.main(argc, argv, [&] { tactus::bench::run(options); });
}
