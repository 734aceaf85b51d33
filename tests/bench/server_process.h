// Server processes: a bare ping-pong server, and the program itself.
#pragma once

#include "tests/bench/ping_pong_server.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace tactus::bench {

/// A child process that writes text to a pipe; terminated and reaped in the destructor. It also ends with this process.
class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The next line of output of the child; empty if it ended.
  std::string readLine();

 protected:
  /// Forks; the child runs `body` with the writing end of the pipe and exits with its result.
  /// @throws Error if a pipe or a process cannot be created
  void start(const std::function<int(int output)>& body);

 private:
  pid_t child_ = -1;
  int output_ = -1;
};

/// A bare server on a loopback port and on a Unix socket. Fork all servers before this process uses gRPC.
class PingPongProcess : public ChildProcess {
 public:
  PingPongProcess(Api api, bool hand_offs, int outputs, const std::string& unix_path);
  ~PingPongProcess();

  /// Waits until the child accepts connections. Call it after all forks.
  /// @throws Error if it ended before that
  void waitUntilReady();

  const std::string& tcpAddress() const { return tcp_address_; }
  const std::string& unixAddress() const { return unix_address_; }

 private:
  std::string tcp_address_, unix_address_, unix_path_;
};

/// `tactus serve` with further arguments.
class ProgramProcess : public ChildProcess {
 public:
  /// @param program  path of the executable
  ProgramProcess(const std::string& program, const std::vector<std::string>& arguments);

  /// Waits until the server has printed its endpoint.
  /// @throws Error if it ended before that
  std::string waitForEndpoint();
};

}  // namespace tactus::bench
