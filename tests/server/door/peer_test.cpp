#include "server/door/peer.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <functional>

using namespace tactus::server;

namespace {

// kInternal: no error.
Reason reasonOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const RequestError& error) { return error.reason(); }
  return Reason::kInternal;
}

const Peer kWatcher{"watcher", Role::kObserve}, kDriver{"driver", Role::kControl}, kBoss{"boss", Role::kAdmin};

}  // namespace

TEST_CASE("without identities everybody may do everything", "[server][door]") {
  const Peer anybody;
  CHECK_NOTHROW(requireRole(anybody, Role::kAdmin, "x"));
  CHECK_NOTHROW(requireOwner(anybody, "", "x"));
  CHECK_NOTHROW(requireOwner(anybody, "driver", "x"));
}

TEST_CASE("a role includes the lower ones and no higher one", "[server][door]") {
  CHECK_NOTHROW(requireRole(kBoss, Role::kObserve, "x"));
  CHECK_NOTHROW(requireRole(kDriver, Role::kControl, "x"));
  CHECK(reasonOf([] { requireRole(kDriver, Role::kAdmin, "x"); }) == Reason::kRoleTooLow);
  CHECK(reasonOf([] { requireRole(kWatcher, Role::kControl, "x"); }) == Reason::kRoleTooLow);
  try {
    requireRole(kWatcher, Role::kControl, "PauseSession");
    FAIL("no error");
  } catch (const RequestError& error) {
    CHECK_THAT(error.what(), Catch::Contains("PauseSession needs the role control"));
    CHECK_THAT(error.hint(), Catch::Contains("control"));
  }
}

TEST_CASE("below the role admin only the owner changes a session", "[server][door]") {
  CHECK_NOTHROW(requireOwner(kDriver, "driver", "x"));
  CHECK_NOTHROW(requireOwner(kBoss, "driver", "x"));
  CHECK(reasonOf([] { requireOwner(kDriver, "other", "x"); }) == Reason::kNotOwner);
  // A session of the server itself has no owner.
  CHECK(reasonOf([] { requireOwner(kDriver, "", "x"); }) == Reason::kNotOwner);
}

TEST_CASE("inputs go to one's own sessions and to those of the server", "[server][door]") {
  CHECK_NOTHROW(requireDriver(kDriver, "driver", "x"));
  CHECK_NOTHROW(requireDriver(kDriver, "", "main"));
  CHECK_NOTHROW(requireDriver(kBoss, "driver", "x"));
  CHECK(reasonOf([] { requireDriver(kDriver, "other", "x"); }) == Reason::kNotOwner);
  CHECK(reasonOf([] { requireDriver(kWatcher, "", "main"); }) == Reason::kRoleTooLow);
}
