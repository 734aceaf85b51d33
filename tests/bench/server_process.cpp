#include "tests/bench/server_process.h"

#include "rt/error.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace tactus::bench {

void ChildProcess::start(const std::function<int(int output)>& body) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw Error("cannot open a pipe");
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) throw Error("cannot fork");
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // The parent may have ended before this line.
    if (getppid() != parent) _exit(1);
    close(pipe_ends[0]);
    _exit(body(pipe_ends[1]));
  }
  close(pipe_ends[1]);
  output_ = pipe_ends[0];
}

ChildProcess::~ChildProcess() {
  if (child_ > 0) {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  if (output_ >= 0) close(output_);
}

std::string ChildProcess::readLine() {
  std::string line;
  for (char c; read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

PingPongProcess::PingPongProcess(Api api, bool hand_offs, int outputs, const std::string& unix_path)
    : unix_address_("unix:" + unix_path), unix_path_(unix_path) {
  start([&](int output) { return servePingPong(api, hand_offs, outputs, unix_path, output); });
}

PingPongProcess::~PingPongProcess() {
  unlink(unix_path_.c_str());
}

void PingPongProcess::waitUntilReady() {
  const std::string port = readLine();
  if (port.empty()) throw Error("the ping-pong server ended before it was ready");
  tcp_address_ = "127.0.0.1:" + port;
}

ProgramProcess::ProgramProcess(const std::string& program, const std::vector<std::string>& arguments) {
  start([&](int output) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    dup2(output, STDOUT_FILENO);
    execv(program.c_str(), argv.data());
    return 127;
  });
}

std::string ProgramProcess::waitForEndpoint() {
  const std::string label = "endpoint";
  for (std::string line = readLine(); !line.empty(); line = readLine())
    if (line.starts_with(label)) return line.substr(line.find_first_not_of(' ', label.size()));
  throw Error("tactus serve ended before it printed its endpoint");
}

}  // namespace tactus::bench
