// Cost of a device link compared with a bare blocking echo of datagrams of equal size: the tag, the window and the
// tick. The server runs a session with an external clock in its own process, as it does for users.
#include "clients/cpp/client.h"
#include "clients/udp/tactus_udp.h"
#include "rt/error.h"
#include "tests/bench/command_line.h"
#include "tests/bench/lanes.h"
#include "tests/bench/server_process.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>

namespace tactus::bench {
namespace {

using Buffer = std::array<std::uint8_t, TACTUS_UDP_LARGEST>;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

const sockaddr* raw(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// A child process that answers each datagram with one of another size that begins with the received bytes. A datagram
/// of a std::uint32_t sets that size.
class EchoProcess : public ChildProcess {
 public:
  EchoProcess() {
    start([](int output) {
      const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
      sockaddr_in here = loopback(0), from{};
      socklen_t size = sizeof here;
      if (::bind(fd, raw(here), sizeof here) != 0 || ::getsockname(fd, reinterpret_cast<sockaddr*>(&here), &size) != 0)
        return 1;
      ::dprintf(output, "%d\n", ntohs(here.sin_port));
      Buffer buffer{};
      std::uint32_t bytes = 0;
      while (true) {
        socklen_t length = sizeof from;
        const ssize_t got =
            ::recvfrom(fd, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
        if (got == sizeof bytes) std::memcpy(&bytes, buffer.data(), sizeof bytes);
        ::sendto(fd, buffer.data(), bytes, 0, raw(from), length);
      }
    });
    port_ = static_cast<std::uint16_t>(std::stoi(readLine()));
  }
  std::uint16_t port() const { return port_; }

  /// Answers are of this size from here on.
  void answerWith(std::uint32_t bytes) const {
    const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
    const sockaddr_in there = loopback(port_);
    Buffer answer;
    if (::connect(fd, raw(there), sizeof there) != 0 || ::send(fd, &bytes, sizeof bytes, 0) != sizeof bytes ||
        ::recv(fd, answer.data(), answer.size(), 0) != static_cast<ssize_t>(bytes))
      throw Error("the echo does not answer");
    ::close(fd);
  }

 private:
  std::uint16_t port_;
};

/// Sends datagrams of a device to a port; a bare echo may answer with any bytes.
class DatagramLane : public RoundTripClient {
 public:
  DatagramLane(std::uint16_t port, const tactus_udp_link& link, bool bare)
      : link_(link), bare_(bare), values_(link.inputs), fd_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    const sockaddr_in there = loopback(port);
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(fd_, raw(there), sizeof there) != 0) throw Error("cannot reach port " + std::to_string(port));
  }
  ~DatagramLane() override { ::close(fd_); }

  void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) override {
    Pacer pacer(period);
    tactus_udp_state state{};
    for (int i = 0; i < count; ++i) {
      pacer.wait();
      const auto begin = Pacer::Clock::now();
      request_ = tactus_udp_write_input(&link_, ++sequence_, 0, 0, 0, values_.data(), 1, buffer_.data());
      ::send(fd_, buffer_.data(), request_, 0);
      const ssize_t got = ::recv(fd_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) throw Error("a datagram was not answered in time");
      response_ = static_cast<std::size_t>(got);
      if (!bare_ && tactus_udp_read(&link_, buffer_.data(), response_, &state) != TACTUS_UDP_STATE)
        throw Error("the answer is not a state");
      samples.push_back((Pacer::Clock::now() - begin) / std::chrono::nanoseconds(1));
    }
  }
  MessageBytes messageBytes() const override { return {request_, response_}; }

 private:
  tactus_udp_link link_;
  bool bare_;
  std::vector<double> values_;
  int fd_;
  Buffer buffer_{};
  std::uint64_t sequence_ = 0;
  std::size_t request_ = 0, response_ = 0;
};

struct Options {
  LaneOptions lanes;
  std::string program = TACTUS_PROGRAM, model = "motor_four_bar", priority = "0";
  std::vector<std::string> signals = {"crank.r.*", "crank.p.*", "crank.v.*", "crank.omega.*", "energy.total"};
};

void run(const Options& options) {
  // Fork all processes before gRPC starts its first thread.
  EchoProcess echo;
  const std::string stem = "/tmp/tactus_udp_round_trip_" + std::to_string(getpid());
  ProgramProcess server(options.program,
                        {"serve", options.model, "--clock", "external", "--udp", "127.0.0.1:0", "--priority",
                         options.priority, "--listen", "unix:" + stem + ".sock", "--report-every", "24h"});
  const client::Client client(server.waitForEndpoint());
  const client::Session session = client.session("main");
  v1::OpenDeviceLinkRequest request;
  request.add_inputs(session.inputs().at(0));
  for (const std::string& signal : options.signals) request.add_outputs(signal);
  request.set_idle_limit_ns(60'000'000'000);
  const v1::DeviceLink opened = session.openLink(request);

  tactus_udp_link link{};
  link.token = opened.token();
  std::copy(opened.key().begin(), opened.key().end(), link.key);
  link.input_layout = opened.inputs().hash();
  link.output_layout = opened.outputs().hash();
  link.inputs = 1;
  echo.answerWith(static_cast<std::uint32_t>(TACTUS_UDP_HEADER + TACTUS_UDP_TAG + 8 * opened.outputs().signals_size()));
  const std::string& address = opened.address();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));

  std::vector<Lane> lanes;
  lanes.push_back({"bare echo", std::make_unique<DatagramLane>(echo.port(), link, true), true});
  lanes.push_back({"link, " + options.model, std::make_unique<DatagramLane>(port, link, false)});
  measureLanes(lanes, options.lanes);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  tactus::bench::CommandLine line(
      "Compare round trips of datagrams with an external clock and of a bare echo of equal size");
  line.add("MODEL", options.model, "a built-in model or a file, with an input")
      .add("--signals", options.signals, "names or globs")
      .add("--priority", options.priority, "SCHED_FIFO priority of the tick thread");
  tactus::bench::addLaneOptions(line, options.lanes);
  return line.main(argc, argv, [&] { tactus::bench::run(options); });
}
