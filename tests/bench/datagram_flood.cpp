// Sends unauthentic datagrams to a link at a steady rate. beside_cyclictest.py runs it beside a session.
#include "tests/bench/command_line.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr int kBatch = 64;   ///< datagrams per system call
constexpr int kBytes = 200;  ///< bytes per datagram

std::atomic<bool> done{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void end(int) {
  done.store(true);
}

/// Sends one batch to a connected socket. @returns number of datagrams that the kernel accepted
int sendBatch(int way, std::array<std::uint8_t, kBytes>& noise, int count) {
  std::array<iovec, kBatch> parts;
  std::array<mmsghdr, kBatch> messages{};
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    parts[k] = {noise.data(), noise.size()};
    messages[k].msg_hdr.msg_iov = &parts[k];
    messages[k].msg_hdr.msg_iovlen = 1;
  }
  return std::max(0, ::sendmmsg(way, messages.data(), static_cast<unsigned>(count), 0));
}

void flood(const std::string& host, int port, int rate) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  const int way = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (::inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1 || way < 0 ||
      ::connect(way, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    throw std::runtime_error("cannot reach " + host + ":" + std::to_string(port));
  }
  std::signal(SIGTERM, end);
  std::signal(SIGINT, end);
  std::array<std::uint8_t, kBytes> noise;
  std::mt19937 random(1);
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());

  // Once per millisecond, as many datagrams as are due.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::int64_t sent = 0, due = 0;
  while (!done.load()) {
    const std::int64_t now_due = std::chrono::nanoseconds(Clock::now() - begin).count() / 1000 * rate / 1'000'000;
    for (; due < now_due && !done.load(); due += kBatch)
      sent += sendBatch(way, noise, static_cast<int>(std::min<std::int64_t>(kBatch, now_due - due)));
    due = now_due;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("%lld datagrams, %.0f a second\n", static_cast<long long>(sent), static_cast<double>(sent) / seconds);
  ::close(way);
}

}  // namespace

int main(int argc, char** argv) {
  std::string host = "127.0.0.1";
  int port = 0, rate = 90'000;
  tactus::bench::CommandLine line(
      "Send unauthentic datagrams to a port of this machine until interrupted; print their number");
  line.add("--host", host, "IPv4 address")
      .add("port", port, "port of the link", {1, 65535})
      .required()
      .add("--rate", rate, "datagrams per second", {1, 10'000'000});
  return line.main(argc, argv, [&] { flood(host, port, rate); });
}
