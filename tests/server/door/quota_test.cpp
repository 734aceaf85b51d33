#include "server/door/quota.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <string>

using namespace tactus::server;

namespace {

constexpr Quota kStreams{"streams", "open streams", "close one first", 10, 3, 2};
const Peer kLab{"lab", Role::kControl}, kWatcher{"watcher", Role::kObserve}, kBoss{"boss", Role::kAdmin}, kAnybody;

struct Refusal {
  std::string text, hint;
};

// Empty if there is room.
Refusal refusal(const Peer& peer, const QuotaUse& use, std::size_t more = 1) {
  try {
    requireRoom(kStreams, peer, use, more);
    return {};
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLimitExceeded);
    CHECK(error.field().empty());
    return {error.what(), error.hint()};
  }
}

}  // namespace

TEST_CASE("an identity has its share, and is told how to get more", "[server][door]") {
  for (const Peer& peer : {kLab, kWatcher}) {
    CHECK(refusal(peer, {5, 2}).text.empty());
    const Refusal refused = refusal(peer, {5, 3});
    CHECK(refused.text == '"' + peer.name + "\" has 3 open streams already, the share of one client");
    CHECK(refused.hint == "close one first, or raise the share: tactus serve --share streams=N");
  }
}

TEST_CASE("identities together leave the reserve to the role admin", "[server][door]") {
  CHECK(refusal(kLab, {7, 0}).text.empty());
  for (const std::size_t all : {8u, 9u})
    CHECK(refusal(kLab, {all, 0}).text ==
          "there are " + std::to_string(all) + " open streams already; the last 2 of 10 are kept for the role admin");
  // Admins are held by the total alone.
  CHECK(refusal(kBoss, {9, 9}).text.empty());
  const Refusal refused = refusal(kBoss, {10, 0});
  CHECK(refused.text == "there are 10 open streams already");
  CHECK(refused.hint == "close one first");
  CHECK(refusal(kLab, {10, 3}).text == refused.text);
}

TEST_CASE("where no identities are known only the total counts", "[server][door]") {
  CHECK(refusal(kAnybody, {9, 9}).text.empty());
  CHECK(refusal(kAnybody, {10, 10}).text == "there are 10 open streams already");
}

TEST_CASE("several things are counted at once", "[server][door]") {
  CHECK(refusal(kLab, {5, 0}, 3).text.empty());
  CHECK(refusal(kLab, {5, 1}, 3).text ==
        "\"lab\" has 1 open streams already; 3 more exceed the share of one client, 3");
  CHECK(refusal(kLab, {6, 0}, 3).text ==
        "there are 6 open streams already; 3 more exceed what clients may have together, 8; the last 2 of 10 are kept "
        "for the role admin");
  CHECK(refusal(kBoss, {6, 0}, 4).text.empty());
  CHECK(refusal(kBoss, {6, 0}, 5).text ==
        "there are 6 open streams already; 5 more exceed the limit of this server, 10");
  CHECK(refusal(kLab, {5, 3}, 0).text.empty());  // a model without bodies
}

TEST_CASE("a use is counted for everybody and for its owner", "[server][door]") {
  QuotaUse use;
  use.add(kLab, "lab", 2);
  use.add(kLab, "other");
  use.add(kLab, "");
  CHECK(use.all == 4);
  CHECK(use.own == 2);
}
