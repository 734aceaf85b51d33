#include "server/door/frame_budget.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

using namespace tactus::server;
using Clock = Bucket::Clock;

namespace {

// Types and flags. @source RFC 9113, section 6
constexpr char kData = 0, kHeaders = 1, kPriority = 2, kReset = 3, kSettings = 4, kPing = 6, kWindow = 8,
               kContinuation = 9;
constexpr char kEndStream = 1, kEndHeaders = 4, kPadded = 8;
constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string frame(char type, char flags, std::uint32_t stream, std::size_t size = 4) {
  const auto byte = [](std::size_t value, int shift) { return static_cast<char>(value >> shift & 0xff); };
  return std::string{byte(size, 16),   byte(size, 8),    byte(size, 0),   type,           flags,
                     byte(stream, 24), byte(stream, 16), byte(stream, 8), byte(stream, 0)} +
         std::string(size, 'x');
}

/// A connection, and the reserve that it shares.
struct Connection {
  explicit Connection(std::shared_ptr<Reserve> shared = std::make_shared<Reserve>())
      : reserve(std::move(shared)), budget(*reserve, begin) {
    budget.receive(kPreface);
  }
  bool closed() const { return budget.excess() != nullptr; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }

  /// Begins a call and ends it as `end` does. @returns how many there were when the connection was closed
  template <class End>
  int resetUntilClosed(int most, End&& end) {
    int count = 0;
    for (; count < most && !closed(); ++count, stream += 2) {
      budget.receive(frame(kHeaders, kEndHeaders, stream));
      end(stream);
    }
    return count;
  }

  const std::shared_ptr<Reserve> reserve;
  const Clock::time_point begin = Clock::now();
  FrameBudget budget;
  std::uint32_t stream = 1;
};

}  // namespace

TEST_CASE("a connection may have 1020 resets at once and 205 a second, whichever side resets", "[server][door]") {
  const bool by_client = GENERATE(true, false);
  Connection connection;
  const int count = connection.resetUntilClosed(1'000'000, [&](std::uint32_t stream) {
    if (by_client)
      connection.budget.receive(frame(kReset, 0, stream));
    else
      connection.budget.send(frame(kReset, 0, stream));
  });
  CHECK(count >= 1021);
  CHECK(count <= 1022 + 205 * connection.seconds());
  CHECK(std::string(connection.budget.excess()).find("resets") != std::string::npos);
}

TEST_CASE("many connections together have a reserve, and each its free resets", "[server][door]") {
  const auto reserve = std::make_shared<Reserve>();
  const Clock::time_point begin = Clock::now();
  double count = 0;
  for (int i = 0; i < 10; ++i) {
    Connection connection(reserve);
    const int resets = connection.resetUntilClosed(
        1'000'000, [&](std::uint32_t stream) { connection.budget.receive(frame(kReset, 0, stream)); });
    CHECK(resets > 20);
    count += resets;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  CHECK(count >= 2000 + 10 * 20);
  CHECK(count <= 2000 + 10 * 21 + (500 + 10 * 5) * seconds + 1);
}

TEST_CASE("frames are counted however the bytes are cut", "[server][door]") {
  const std::size_t piece = GENERATE(1, 7, 9, 1000);
  const auto reserve = std::make_shared<Reserve>();
  FrameBudget budget(*reserve, Clock::now());
  std::string bytes = kPreface;
  for (std::uint32_t stream = 1; stream < 4000; stream += 2)
    bytes += frame(kHeaders, kEndHeaders, stream, 61) + frame(kReset, 0, stream);
  const std::size_t to_closing = sizeof kPreface - 1 + 1020 * (9 + 61 + 9 + 4);
  std::size_t at = 0;
  for (; at < bytes.size() && budget.excess() == nullptr; at += piece)
    budget.receive(std::string_view(bytes).substr(at, piece));
  CHECK(at > to_closing);
  CHECK(at < bytes.size());
}

TEST_CASE("what a client that works sends is free", "[server][door]") {
  Connection connection;
  for (std::uint32_t stream = 1; stream < 60'000; stream += 2) {  // as fast as it can
    connection.budget.receive(frame(kHeaders, kEndHeaders, stream, 120));
    connection.budget.receive(frame(kData, kEndStream, stream, 30) + frame(kWindow, 0, 0));
    connection.budget.send(frame(kHeaders, kEndHeaders, stream) + frame(kData, 0, stream, 900));
    connection.budget.send(frame(kHeaders, kEndHeaders | kEndStream, stream));
  }
  for (int i = 0; i < 50; ++i) connection.budget.receive(frame(kPing, 0, 0, 8) + frame(kSettings, 1, 0, 0));
  connection.budget.receive(frame(kHeaders, kEndHeaders, 60'001) + frame(kData, kEndStream, 60'001, 0));
  CHECK_FALSE(connection.closed());
}

TEST_CASE("a connection may have 320 open streams", "[server][door]") {
  Connection connection;
  std::uint32_t stream = 1;
  const auto open = [&] {
    connection.budget.receive(frame(kHeaders, kEndHeaders, stream));
    stream += 2;
  };
  for (int i = 0; i < 320; ++i) open();
  REQUIRE_FALSE(connection.closed());
  SECTION("an answer makes room for one") {
    connection.budget.send(frame(kHeaders, kEndHeaders | kEndStream, 301));
    connection.budget.send(frame(kReset, 0, 301));  // as gRPC does when the request has not ended
    open();
    CHECK_FALSE(connection.closed());
  }
  SECTION("a reset makes room for one") {
    connection.budget.receive(frame(kReset, 0, 1));
    open();
    CHECK_FALSE(connection.closed());
  }
  SECTION("trailers open nothing") {
    connection.budget.receive(frame(kHeaders, kEndHeaders | kEndStream, 1));
    CHECK_FALSE(connection.closed());
    return;
  }
  open();
  CHECK(connection.closed());
}

TEST_CASE("connections that end with many open streams leave fewer to others, for a while", "[server][door]") {
  const auto reserve = std::make_shared<Reserve>();
  const auto open = [&](int most) {
    Connection connection(reserve);
    int count = 0;
    for (std::uint32_t stream = 1; count < most && !connection.closed(); stream += 2, ++count)
      connection.budget.receive(frame(kHeaders, kEndHeaders, stream));
    return count;
  };
  for (int i = 0; i < 13; ++i) open(300);  // 2000 are in the reserve, and it goes down to -2000
  CHECK(open(16) == 16);
  CHECK(open(300) == 17);                                // the last one closed it
  for (int i = 0; i < 1000; ++i) CHECK(open(16) == 16);  // few at a time cost nothing
}

TEST_CASE("frames without a request have a price", "[server][door]") {
  struct Row {
    char type, flags;
    std::size_t size;
    double price;
  };
  const Row row = GENERATE(values<Row>({{kPing, 0, 8, 10},
                                        {kSettings, 0, 6, 10},
                                        {kPriority, 0, 5, 1},
                                        {kContinuation, 0, 0, 1},
                                        {kContinuation, 0, 15'360, 61},
                                        {kData, 0, 0, 1},
                                        {kData, kPadded, 100, 1},
                                        {77, 0, 3, 1},
                                        {kWindow, 0, 4, 0.02}}));
  CAPTURE(static_cast<int>(row.type), row.size);
  Connection connection;
  const std::string one = frame(row.type, row.flags, 1, row.size);
  double count = 0;
  while (!connection.closed()) {
    connection.budget.receive(one);
    ++count;
  }
  CHECK(count >= 2000 / row.price);
  CHECK(count <= (2000 + 1000 * connection.seconds()) / row.price + 2);
}

TEST_CASE("bytes that do not begin as HTTP/2 are not counted", "[server][door]") {
  const auto reserve = std::make_shared<Reserve>();
  FrameBudget budget(*reserve, Clock::now());
  budget.receive("PRI * HTTX");
  for (int i = 0; i < 100'000; ++i) budget.receive(frame(kPing, 0, 0, 8));
  CHECK(budget.excess() == nullptr);
}
