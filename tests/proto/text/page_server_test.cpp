// Covers: proto/text/page_server.cpp
#include "proto/text/page_server.h"

#include "tests/support/page_request.h"

#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using tactus::tests::ask;
using tactus::tests::connectTo;
using tactus::text::PageServer;

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
  const std::string head = ask(server.address(), "HEAD /count HTTP/1.1\r\n\r\n");
  CHECK(head.starts_with("HTTP/1.1 200 "));
  CHECK(head.ends_with("\r\n\r\n"));
  server.stop();
  thread.join();
  CHECK(made == 3);
}

TEST_CASE("a request that cannot be answered with a page is told why", "[proto][text]") {
  PageServer server("--metrics", "127.0.0.1:0");
  std::thread thread([&] { server.serve({{"/", {"text/plain", [] { return std::string("here"); }}}}); });
  const auto status = [&](const std::string& request) { return ask(server.address(), request).substr(0, 13); };
  const std::string refused = ask(server.address(), "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
  CHECK(refused.starts_with("HTTP/1.1 405 "));
  CHECK_THAT(refused, Catch::Contains("\r\nAllow: GET, HEAD\r\n"));
  for (const char* line : {"GET", "GET /", "GET / FTP/1.1", "GET nowhere HTTP/1.1", "G@T / HTTP/1.1",
                           "GET /a b HTTP/1.1", "\x16\x03\x01", " / HTTP/1.1"})
    CHECK(status(std::string(line) + "\r\n\r\n") == "HTTP/1.1 400 ");
  CHECK(status("GET / HTTP/1.1\r\nA: " + std::string(9000, 'a') + "\r\n\r\n") == "HTTP/1.1 431 ");
  CHECK(status("GET /" + std::string(9000, 'a')) == "HTTP/1.1 431 ");
  CHECK(status("GET / HTTP/1.1\r\n") == "HTTP/1.1 408 ");
  // Lines that end with LF alone are lines, too.
  CHECK(status("GET / HTTP/1.1\n\n") == "HTTP/1.1 200 ");
  CHECK(status("GET / HTTP/1.1\nA: b\r\n\n") == "HTTP/1.1 200 ");
  CHECK(status("GET /\n\n") == "HTTP/1.1 400 ");
  server.stop();
  thread.join();
}

TEST_CASE("readers that say nothing delay neither others nor the end", "[proto][text]") {
  PageServer server("--metrics", "127.0.0.1:0");
  std::thread thread([&] { server.serve({{"/", {"text/plain", [] { return std::string("here"); }}}}); });
  std::vector<int> silent;
  // More than there are places: the oldest ones lose theirs.
  for (std::size_t i = 0; i < 3 * tactus::text::kPageReaders; ++i) silent.push_back(connectTo(server.address()));
  CHECK(ask(server.address(), "GET / HTTP/1.1\r\n\r\n").ends_with("here"));
  // One that came last is still connected, so the answer did not come after the end of its time.
  char byte = 0;
  CHECK(::recv(silent.back(), &byte, 1, MSG_DONTWAIT) < 0);
  server.stop();
  thread.join();
  CHECK(::recv(silent.back(), &byte, 1, 0) == 0);  // it was ended, and not waited for
  for (const int fd : silent) ::close(fd);
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
