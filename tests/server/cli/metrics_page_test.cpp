// Covers: server/cli/metrics_page.cpp
#include "server/cli/metrics_page.h"

#include "server/service/server.h"
#include "tests/support/page_request.h"

#include <catch2/catch.hpp>

#include <string>

using tactus::server::Config;
using tactus::server::MetricsPage;
using tactus::server::Server;
using tactus::tests::ask;

TEST_CASE("the health page fails while the server shuts down and the timing page answers", "[server][cli]") {
  Config config;
  config.endpoint = tactus::server::parseEndpoint("127.0.0.1:0");
  Server server(config);
  const MetricsPage pages(server.service(), "127.0.0.1:0");
  const std::string health = ask(pages.address(), "GET /health HTTP/1.1\r\n\r\n");
  CHECK(health.starts_with("HTTP/1.1 200 "));
  CHECK(health.ends_with("\r\n\r\nSERVING\n"));
  server.drain("the test ends it");
  CHECK(ask(pages.address(), "GET /health HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 500 "));
  CHECK_THAT(ask(pages.address(), "GET /metrics HTTP/1.1\r\n\r\n"), Catch::Contains("\ntactus_sessions 0\n"));
}
