#include "server/session/reader_list.h"

#include <catch2/catch.hpp>

#include <optional>
#include <thread>
#include <utility>

using namespace tactus::server;

TEST_CASE("open readers are listed oldest first and counted by the kind of their stream", "[server][session]") {
  ReaderList list;
  const auto counts = [] { return std::pair<std::uint64_t, std::uint64_t>(3, 1); };
  const ReaderList::Place first(list, "tick", counts);
  std::optional<ReaderList::Place> second(std::in_place, list, "observe", counts);
  REQUIRE(list.all().size() == 3);
  CHECK(list.all()[0].stream == "tick");
  CHECK(list.all()[0].id < list.all()[1].id);
  CHECK(list.count("tick") == 1);
  CHECK(list.count("observe") == 1);
  CHECK(list.count("udp") == 0);
  second.reset();
  CHECK(list.count("observe") == 0);
}

TEST_CASE("the counts of a closed reader are added to those of the closed ones", "[server][session]") {
  ReaderList list;
  for (std::uint64_t sent : {10, 5}) {
    const ReaderList::Place reader(list, "tick", [sent] { return std::pair<std::uint64_t, std::uint64_t>(sent, 1); });
    CHECK(list.all().front().sent == sent);
  }
  REQUIRE(list.all().size() == 1);
  CHECK(list.all()[0].id == 0);
  CHECK(list.all()[0].sent == 15);
  CHECK(list.all()[0].missed == 2);
}

TEST_CASE("a reader that closes while the list is read counts once", "[server][session]") {
  ReaderList list;
  const auto sum = [&] {
    std::uint64_t sent = 0;
    for (const ReaderCounts& reader : list.all()) sent += reader.sent;
    return sent;
  };
  std::jthread visitors([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      const ReaderList::Place reader(list, "observe", [] { return std::pair<std::uint64_t, std::uint64_t>(1, 0); });
  });
  std::uint64_t before = 0;
  bool rises = true;
  // Two looks, one at the open and one at the closed readers, differ within some 100 000 rounds.
  for (int k = 0; k < 1'000'000 || before == 0; ++k) {
    const std::uint64_t now = sum();
    rises = rises && now >= before;
    before = now;
  }
  CHECK(rises);
}
