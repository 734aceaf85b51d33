#include "server/door/grpc_log.h"

#include <catch2/catch.hpp>

#include <grpc/support/log.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <vector>

using namespace tactus::server;

TEST_CASE("a budget of lines leaves out what is too much in a second, and says how much", "[server][door]") {
  LineBudget budget(2);
  const LineBudget::Clock::time_point start = LineBudget::Clock::now();
  const std::chrono::milliseconds step(100);
  CHECK(budget.take(start) == 0u);
  CHECK(budget.take(start + step) == 0u);
  for (int i = 2; i < 9; ++i) CHECK_FALSE(budget.take(start + i * step));
  CHECK(budget.take(start + 10 * step) == 7u);
  CHECK(budget.take(start + 11 * step) == 0u);
  CHECK_FALSE(budget.take(start + 12 * step));
  CHECK(budget.leftOut() == 1u);
  CHECK(budget.leftOut() == 0u);
}

TEST_CASE("a message of gRPC is one short line without control characters", "[server][door]") {
  CHECK(grpcLine("./src/core/a.cc", 7, "lost\r\nthe\tpeer\x1b[2J") == "gRPC: lost??the?peer?[2J (a.cc:7)");
  const std::string line = grpcLine("a.cc", 7, std::string(100'000, 'x').c_str());
  CHECK(line.size() < 330);  // 300 characters of the message, and the frame
  CHECK_THAT(line, Catch::EndsWith("... (a.cc:7)"));
}

TEST_CASE("gRPC logs into the log of the server, however much it has to say", "[server][door]") {
  const auto former = spdlog::default_logger();
  const auto sink = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(5000);
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
  takeGrpcLog();
  const auto begin = LineBudget::Clock::now();
  for (int i = 0; i < 2000; ++i) gpr_log("a.cc", 1, GPR_LOG_SEVERITY_ERROR, "handshake %d failed", i);
  const auto seconds = (LineBudget::Clock::now() - begin) / std::chrono::seconds(1) + 1;
  endGrpcLog();
  spdlog::set_default_logger(former);

  const std::vector<std::string> lines = sink->last_formatted();
  REQUIRE(!lines.empty());
  CHECK_THAT(lines.front(), Catch::Contains("[warning] gRPC: handshake 0 failed (a.cc:1)"));
  CHECK_THAT(lines.back(), Catch::Contains("messages left out; at most 5 a second are written"));
  // In each second five messages and what was left out before them, and at the end what was left out last.
  CHECK(lines.size() <= static_cast<std::size_t>(seconds + 1) * (kGrpcLines + 1));
}
