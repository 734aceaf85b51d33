#include "server/session/session_registry.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;
using tests::reasonOf;

namespace {

constexpr Quota kBodies{"bodies", "bodies of sessions", "", 100, 100, 0};

// Of sessions or of bodies; the share is for the tests that name a peer.
Quota upTo(std::size_t total, std::size_t share = 0) {
  return {"sessions", "things", "", total, share, 0};
}

SessionSpec puckNamed(const std::string& name) {
  SessionSpec spec;
  spec.name = name;
  spec.model = tests::makePuck();
  spec.clock.mode = ClockChoice::Mode::kLockstep;
  return spec;
}

}  // namespace

TEST_CASE("a session name has 1 to 64 letters, digits, dots, dashes and underscores", "[server][session]") {
  for (const char* name : {"a", "main", "rig-2_B.7", "..."}) CHECK(isValidName(name));
  CHECK(isValidName(std::string(64, 'x')));
  for (const char* name : {"", ".", "..", "a/b", "a b", "a\n", "ä", "../x"}) {
    INFO(name);
    CHECK_FALSE(isValidName(name));
  }
  CHECK_FALSE(isValidName(std::string(65, 'x')));
  CHECK_FALSE(isValidName(std::string("a\0b", 3)));
}

TEST_CASE("a session is found by its name until it is removed", "[server][session]") {
  SessionRegistry registry(upTo(8), kBodies);
  const auto session = registry.create(puckNamed("rig"));
  CHECK(registry.find("rig") == session);
  CHECK(reasonOf([&] { registry.create(puckNamed("rig")); }) == Reason::kSessionExists);
  registry.remove("rig");
  CHECK(reasonOf([&] { registry.find("rig"); }) == Reason::kSessionUnknown);
  CHECK(reasonOf([&] { registry.remove("rig"); }) == Reason::kSessionUnknown);
  CHECK(session->feed().events().ending());
  CHECK(registry.create(puckNamed("rig")) != session);
}

TEST_CASE("a session without a name gets one that is free", "[server][session]") {
  SessionRegistry registry(upTo(8), kBodies);
  registry.create(puckNamed("session-1"));
  const auto session = registry.create(puckNamed(""));
  CHECK(session->spec().name == "session-2");
  CHECK(registry.find("session-2") == session);
}

TEST_CASE("an unknown session is refused with the nearest name", "[server][session]") {
  SessionRegistry registry(upTo(8), kBodies);
  registry.create(puckNamed("four_bar"));
  try {
    registry.find("for_bar");
    FAIL("found");
  } catch (const RequestError& error) { CHECK_THAT(error.hint(), Catch::Contains("four_bar")); }
}

TEST_CASE("sessions are limited in number, and a removed one makes room", "[server][session]") {
  SessionRegistry registry(upTo(2), kBodies);
  registry.create(puckNamed("a"));
  registry.create(puckNamed("b"));
  CHECK(reasonOf([&] { registry.create(puckNamed("c")); }) == Reason::kLimitExceeded);
  registry.remove("a");
  CHECK_NOTHROW(registry.create(puckNamed("c")));
}

TEST_CASE("sessions are limited in the bodies that they have together", "[server][session]") {
  SessionRegistry registry(upTo(8), upTo(2));  // a puck is one body
  registry.create(puckNamed("a"));
  SessionSpec bad = puckNamed("bad");
  bad.solver = {{"iterations", -1}};
  CHECK_THROWS(registry.create(bad));  // gives its body back
  registry.create(puckNamed("b"));
  try {
    registry.create(puckNamed("c"));
    FAIL("created");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLimitExceeded);
    CHECK_THAT(error.what(), Catch::Contains("there are 2 things already"));
  }
  registry.remove("b");
  CHECK_NOTHROW(registry.create(puckNamed("c")));
}

TEST_CASE("each identity has its share of sessions and of bodies", "[server][session]") {
  const Peer lab{"lab", Role::kControl}, other{"other", Role::kControl}, boss{"boss", Role::kAdmin};
  SessionRegistry registry(upTo(8, 2), upTo(100, 3));
  SessionSpec bad = puckNamed("bad");
  bad.solver = {{"iterations", -1}};
  CHECK_THROWS(registry.create(bad, lab));  // takes nothing of the share
  CHECK(registry.create(puckNamed("a"), lab)->spec().owner == "lab");
  registry.create(puckNamed("b"), lab);
  CHECK(reasonOf([&] { registry.create(puckNamed("c"), lab); }) == Reason::kLimitExceeded);
  CHECK(reasonOf([&] { registry.find("c"); }) == Reason::kSessionUnknown);
  registry.create(puckNamed("d"), other);
  for (const char* name : {"e", "f", "g"}) registry.create(puckNamed(name), boss);
  registry.remove("b");  // whoever removes it
  CHECK_NOTHROW(registry.create(puckNamed("c"), lab));

  SessionRegistry narrow(upTo(8, 8), upTo(100, 2));
  narrow.create(puckNamed("a"), lab);
  narrow.create(puckNamed("b"), lab);
  CHECK(reasonOf([&] { narrow.create(puckNamed("c"), lab); }) == Reason::kLimitExceeded);
  narrow.remove("a");
  CHECK_NOTHROW(narrow.create(puckNamed("c"), lab));
}

TEST_CASE("a session that cannot be built leaves its name free", "[server][session]") {
  SessionRegistry registry(upTo(1), kBodies);
  SessionSpec bad = puckNamed("a");
  bad.solver = {{"iterations", -1}};
  CHECK_THROWS(registry.create(bad));
  CHECK(registry.size() == 0);
  CHECK_NOTHROW(registry.create(puckNamed("a")));
}

TEST_CASE("draining posts an event to every session and refuses new ones", "[server][session]") {
  SessionRegistry registry(upTo(4), kBodies);
  const auto a = registry.create(puckNamed("a")), b = registry.create(puckNamed("b"));
  registry.drain("maintenance");
  for (const auto& session : {a, b}) {
    REQUIRE(session->feed().events().ending());
    CHECK(session->feed().events().ending()->kind == SessionEvent::Kind::kDraining);
    CHECK(session->feed().events().ending()->message == "maintenance");
  }
  CHECK(reasonOf([&] { registry.create(puckNamed("c")); }) == Reason::kDraining);
}
