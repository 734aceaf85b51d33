// Sends unauthentic datagrams to a link at a steady rate. beside_cyclictest.py runs it beside a session.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <random>
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Send unauthentic datagrams to a port of this machine until interrupted; print their number");
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::int64_t rate = 90'000;
  app.add_option("--host", host, "IPv4 address")->capture_default_str();
  app.add_option("port", port, "port of the link")->required();
  app.add_option("--rate", rate, "datagrams per second")->check(CLI::Range(1, 10'000'000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  const int way = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (::inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1 || way < 0 ||
      ::connect(way, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    std::fprintf(stderr, "datagram_flood: cannot reach %s:%d\n", host.c_str(), port);
    return 1;
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
  return 0;
}
