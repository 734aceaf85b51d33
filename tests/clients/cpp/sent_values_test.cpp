#include "clients/cpp/sent_values.h"

#include <catch2/catch.hpp>

#include <cmath>

using tactus::client::SentValues;

namespace {

void send(SentValues& sent, std::uint64_t sequence, const SentValues::Changes& changes) {
  sent.next() = changes;
  sent.add(sequence);
}

}  // namespace

TEST_CASE("a refused input takes back what no later input has changed again", "[clients]") {
  SentValues sent;
  sent.begin({1, 2, 3});
  send(sent, 1, {{0, 10}, {1, 20}});
  send(sent, 2, {{1, 21}});
  CHECK(sent.newest() == std::vector<double>{10, 21, 3});
  sent.forget(1);
  CHECK(sent.newest() == std::vector<double>{1, 21, 3});
  sent.forget(2);
  CHECK(sent.newest() == std::vector<double>{1, 2, 3});
  sent.forget(2);
  sent.forget(99);
  CHECK(sent.newest() == std::vector<double>{1, 2, 3});
}

TEST_CASE("changes that were written and not sent have no effect", "[clients]") {
  SentValues sent;
  sent.begin({1});
  sent.next().emplace_back(0, std::nan(""));
  send(sent, 1, {});
  CHECK(sent.newest() == std::vector<double>{1});
}

TEST_CASE("a refused input is taken back after many others, and an older one stays", "[clients]") {
  SentValues sent;
  sent.begin({0, 0});
  for (std::uint64_t n = 1; n <= 1000; ++n) send(sent, n, {{n % 10 == 0 ? 1 : 0, static_cast<double>(n)}});
  CHECK(sent.newest() == std::vector<double>{999, 1000});
  sent.forget(1000);
  CHECK(sent.newest() == std::vector<double>{999, 990});
  for (std::uint64_t n = 745; n <= 1000; ++n) sent.forget(n);
  CHECK(sent.newest() == std::vector<double>{744, 740});
  sent.forget(744);
  CHECK(sent.newest() == std::vector<double>{744, 740});
}
