#include "server/session/event_log.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace tactus::server;
using Kind = SessionEvent::Kind;

TEST_CASE("each reader gets every event once, in order", "[server][session]") {
  EventLog log;
  log.post({Kind::kStarted, 1, ""});
  std::uint64_t early = 0, late = log.newest();
  log.post({Kind::kPaused, 2, ""});
  log.post({Kind::kReset, 0, ""});

  const auto all = log.after(early);
  REQUIRE(all.size() == 3);
  CHECK(all[0].kind == Kind::kStarted);
  CHECK(all[2].kind == Kind::kReset);
  CHECK(log.after(late).size() == 2);
  CHECK(log.after(early).empty());
  CHECK(log.after(late).empty());
}

TEST_CASE("an event log keeps the newest events only", "[server][session]") {
  EventLog log(4);
  for (std::int64_t tick = 1; tick <= 10; ++tick) log.post({Kind::kPaused, tick, ""});
  std::uint64_t seen = 0;
  const auto events = log.after(seen);
  REQUIRE(events.size() == 4);
  CHECK(events.front().tick == 7);
  CHECK(seen == 10);
}

TEST_CASE("a stream begins with the end of a session that has finished, until that begins again", "[server][session]") {
  EventLog log;
  CHECK_FALSE(log.opening().finished);
  log.post({Kind::kStarted, 0, ""});
  log.post({Kind::kFinished, 5, ""});
  log.post({Kind::kRecordingEnded, 5, ""});
  REQUIRE(log.opening().finished);
  CHECK(log.opening().finished->tick == 5);
  CHECK(log.opening().newest == 3);
  for (const Kind again : {Kind::kReset, Kind::kRestored}) {
    log.post({Kind::kFinished, 7, ""});
    log.post({again, 0, ""});
    CHECK_FALSE(log.opening().finished);
  }
}

TEST_CASE("a later stream finds the event that ended the streams", "[server][session]") {
  EventLog log(2);
  CHECK_FALSE(log.ending());
  log.post({Kind::kDraining, 5, "the end"});
  for (int i = 0; i < 5; ++i) log.post({Kind::kPaused, 6, ""});
  REQUIRE(log.ending());
  CHECK(log.ending()->message == "the end");
}

TEST_CASE("a waiting reader is woken by an event", "[server][session]") {
  EventLog log;
  std::thread poster([&] { log.post({Kind::kStarted, 1, ""}); });
  while (!log.wait(0, std::chrono::hours(1))) {}
  CHECK(log.newest() == 1);
  poster.join();
}

TEST_CASE("a wait without an event ends at its timeout", "[server][session]") {
  EventLog log;
  log.post({Kind::kStarted, 1, ""});
  CHECK_FALSE(log.wait(1, std::chrono::milliseconds(1)));
  CHECK(log.wait(0, std::chrono::hours(1)));
}
