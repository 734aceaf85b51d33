// Covers: server/service/connection_guard.cpp, server/service/server.cpp, server/door/traffic_watch.cpp
//
// Hand-made HTTP/2 frames on a bare socket: calls that are reset as soon as they have begun.
#include "server/door/traffic_watch.h"
#include "tests/server/service/harness.h"

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

constexpr int kChunk = 200;  // calls in one write

/// @source RFC 9113, section 4.1
std::string frame(char type, char flags, std::uint32_t stream, const std::string& payload) {
  const auto byte = [](std::size_t value, int shift) { return static_cast<char>(value >> shift & 0xff); };
  const std::size_t size = payload.size();
  return std::string{byte(size, 16),   byte(size, 8),    byte(size, 0),   type,           flags,
                     byte(stream, 24), byte(stream, 16), byte(stream, 8), byte(stream, 0)} +
         payload;
}

std::string text(const std::string& value) {
  return static_cast<char>(value.size()) + value;
}

/// The header fields of a unary call, without Huffman codes and without the dynamic table. @source RFC 7541
std::string headers(const std::string& method) {
  return "\x83\x86\x04" + text("/tactus.v1.Simulation/" + method) + "\x01" + text("localhost") + "\x0f\x10" +
         text("application/grpc") + std::string(1, '\0') + text("te") + text("trailers");
}

/// One connection after the other, each as long as the server lets it.
class Flood {
 public:
  Flood(const std::string& address, const std::string& method) : headers_(headers(method)) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    ::inet_pton(AF_INET, "127.0.0.1", &address_.sin_addr);
  }

  /// Begins and resets so many calls. @returns the number of connections that this took
  int run(int calls) {
    int connections = 0;
    while (calls > 0) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (::connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0) {
        ++connections;
        std::string out = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "") + frame(4, 1, 0, "");
        for (std::uint32_t stream = 1; calls > 0 && send(fd, out); calls -= kChunk) {
          out.clear();
          for (int i = 0; i < kChunk; ++i, stream += 2)
            out += frame(1, 4, stream, headers_) + frame(3, 0, stream, std::string("\0\0\0\x08", 4));
        }
      }
      ::close(fd);
    }
    return connections;
  }

  /// Makes calls that end as they should, all at once, and reads until the server closes or has nothing to say.
  void callAndWait() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0) {
      std::string out = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "");
      for (std::uint32_t stream = 1; stream < 2 * kChunk; stream += 2)
        out += frame(1, 4, stream, headers_) + frame(0, 1, stream, std::string(5, '\0'));
      char unread[4096];
      if (send(fd, out))
        while (::recv(fd, unread, sizeof unread, 0) > 0) {}
    }
    ::close(fd);
  }

 private:
  static bool send(int fd, const std::string& bytes) {
    char unread[4096];
    while (::recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0) {}
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  const std::string headers_;
  sockaddr_in address_{};
};

int threadsOfThisProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

/// Memory that this process holds, MiB.
double residentMiB() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// Whether a line of the log names the connection.
bool names(spdlog::sinks::ringbuffer_sink_mt& lines) {
  const std::vector<std::string> all = lines.last_formatted();
  return std::any_of(all.begin(), all.end(), [](const std::string& line) {
    return line.find("closed the connection of ipv4:127.0.0.1:") != std::string::npos;
  });
}

// MiB. The thread sanitizer keeps a multiple of all that its threads have written: 421 were seen.
#if defined(__SANITIZE_THREAD__)
constexpr double kMostMemory = 1024;
#else
constexpr double kMostMemory = 256;
#endif

}  // namespace

// In the middle of a flood every thread may be taken: then a call of another client is refused at once, and served
// later.
TEST_CASE("a flood of stream resets takes bounded threads and memory, and other clients are served after it",
          "[server][service]") {
  const std::string method = GENERATE("GetServerInfo", "ListSignals", "Observe", "Tick");
  const Limits limits;
  Harness harness(limits);
  REQUIRE(harness.call(&Stub::GetServerInfo, v1::GetServerInfoRequest{}).status.ok());
  const double before = residentMiB();
  const TrafficCounts seen = trafficCounts();
  std::atomic<bool> flooding{true};
  int connections = 0;
  std::thread attacker([&] {
    connections = Flood(harness.server().address(), method).run(40'000);
    flooding = false;
  });
  int threads = 0, served = 0;  // the second for the message alone
  double memory = 0;
  const auto isServed = [&] {
    const grpc::Status status = harness.call(&Stub::GetServerInfo, v1::GetServerInfoRequest{}).status;
    if (!status.ok()) CHECK(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
    return status.ok();
  };
  do {
    served += isServed();
    threads = std::max(threads, threadsOfThisProcess());
    memory = std::max(memory, residentMiB());
  } while (flooding);
  attacker.join();
  CAPTURE(method, connections, served, threads, memory - before);
  // The server may still read what the attacker has sent.
  for (int calls = 0; trafficCounts().connections == seen.connections && calls < 10'000; ++calls) isServed();
  CHECK(trafficCounts().connections > seen.connections);
  CHECK(threads < limits.threads + 50);  // those of gRPC, of the client and of the test
  CHECK(memory - before < kMostMemory);  // without limits, the same flood takes more than 2 GiB
  while (!isServed()) {}
}

TEST_CASE("a connection with more calls under way than the limit is closed, and the log names it",
          "[server][service]") {
  const auto former = spdlog::default_logger();
  const auto lines = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(16);
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", lines));
  {
    Limits limits;
    limits.calls = 4;
    Harness harness(limits);
    Flood flood(harness.server().address(), "GetServerInfo");
    while (!names(*lines)) flood.callAndWait();
  }
  spdlog::set_default_logger(former);
}
