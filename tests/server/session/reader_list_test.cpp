#include "server/session/reader_list.h"

#include <catch2/catch.hpp>

#include <optional>
#include <utility>

using namespace tactus::server;

TEST_CASE("open readers are listed oldest first and counted by the kind of their stream", "[server][session]") {
  ReaderList list;
  const auto counts = [] { return std::pair<std::uint64_t, std::uint64_t>(3, 1); };
  const ReaderList::Place first(list, "tick", counts);
  std::optional<ReaderList::Place> second(std::in_place, list, "observe", counts);
  REQUIRE(list.open().size() == 2);
  CHECK(list.open()[0].stream == "tick");
  CHECK(list.open()[0].id < list.open()[1].id);
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
    CHECK(list.open().front().sent == sent);
  }
  CHECK(list.open().empty());
  CHECK(list.closed().sent == 15);
  CHECK(list.closed().missed == 2);
}
