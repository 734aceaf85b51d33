// Covers: proto/text/page_server.cpp
#include "proto/text/page_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <thread>

using tactus::text::PageServer;

namespace {

/// A connection to ADDR:PORT of this host.
int connectTo(const std::string& address) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  return fd;
}

std::string ask(const std::string& address, const std::string& request) {
  const int fd = connectTo(address);
  REQUIRE(::send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
  std::string answer;
  char part[512];
  for (ssize_t n = 0; (n = ::recv(fd, part, sizeof part, 0)) > 0;) answer.append(part, static_cast<std::size_t>(n));
  ::close(fd);
  return answer;
}

}  // namespace

TEST_CASE("pages are served by their paths, made anew, until the server stops", "[proto][text]") {
  PageServer server("--metrics", "127.0.0.1:0");
  int made = 0;
  std::thread thread([&] {
    server.serve({{"/count", {"text/plain", [&] { return std::to_string(++made); }}},
                  {"/fails", {"text/plain", []() -> std::string { throw std::runtime_error("a secret"); }}}});
  });
  CHECK(ask(server.address(), "GET /count HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n1"));
  CHECK(ask(server.address(), "GET /count?x=1 HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n2"));
  CHECK(ask(server.address(), "GET /other HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
  const std::string failed = ask(server.address(), "GET /fails HTTP/1.1\r\n\r\n");
  CHECK(failed.starts_with("HTTP/1.1 500 "));
  CHECK(failed.find("secret") == std::string::npos);
  CHECK(ask(server.address(), "POST /count HTTP/1.1\r\n\r\n").empty());
  server.stop();
  thread.join();
  CHECK(made == 2);
}

TEST_CASE("a reader that sends its request drop by drop is left after the time of one request", "[proto][text]") {
  PageServer server("--metrics", "127.0.0.1:0");
  std::thread thread([&] { server.serve({{"/", {"text/plain", [] { return std::string("here"); }}}}); });
  std::thread slow([&] {
    const int fd = connectTo(server.address());
    // More drops than fit into its time: the connection is closed before the last one.
    bool open = true;
    while (open) {
      open = ::send(fd, "G", 1, MSG_NOSIGNAL) == 1;
      ::usleep(50'000);
    }
    ::close(fd);
  });
  slow.join();
  CHECK(ask(server.address(), "GET / HTTP/1.1\r\n\r\n").ends_with("here"));
  server.stop();
  thread.join();
}

TEST_CASE("pages are for readers of this host, and a message names the option", "[proto][text]") {
  CHECK_THROWS_WITH(PageServer("--metrics", "0.0.0.0:1"),
                    Catch::Contains("--metrics 0.0.0.0:1") && Catch::Contains("loopback"));
  CHECK_THROWS_WITH(PageServer("--metrics", "9464"), Catch::Contains("ADDR:PORT"));
}
