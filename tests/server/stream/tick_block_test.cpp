// The ticks of a RunSession call: rows in, rows out, and why a block ends early.
#include "server/stream/tick_block.h"

#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "server/session/notice.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

SessionSpec lockstepSpec() {
  return specOf(ClockChoice::Mode::kLockstep);
}

v1::RunSessionRequest requestOf(std::int64_t ticks, const std::vector<double>& rows = {}) {
  v1::RunSessionRequest request;
  request.set_ticks(ticks);
  if (!rows.empty()) request.add_inputs("push_x");
  request.set_rows(rows.data(), rows.size() * sizeof(double));
  request.add_outputs("body.r.*");
  return request;
}

bool stays() {
  return false;
}

std::vector<double> numbersOf(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

TEST_CASE("a block with one answer has few ticks and few rows", "[server][stream]") {
  Session session(lockstepSpec());
  const auto refusal = [&](std::int64_t ticks, std::uint32_t every, const std::string& outputs) {
    v1::RunSessionRequest request = requestOf(ticks);
    request.set_every(every);
    request.set_outputs(0, outputs);
    try {
      TickBlock(session, request, stays).requireShort();
    } catch (const RequestError& error) {
      CHECK(error.reason() == Reason::kLimitExceeded);
      CHECK_THAT(error.hint(), Catch::Contains("RunSession"));
      return error.field();
    }
    return std::string();
  };
  CHECK(refusal(kMaxShortBlockTicks, 1, "body.r.*").empty());
  CHECK(refusal(kMaxShortBlockTicks + 1, 1, "body.r.*") == "ticks");
  const auto width = static_cast<std::int64_t>(session.feed().signals().signals().size());
  const std::int64_t rows = (256 << 10) / (8 * width);  // as many as fit, or one too many
  REQUIRE(rows < kMaxShortBlockTicks);
  CHECK(refusal(rows - 1, 1, "*").empty());
  CHECK(refusal(rows + 1, 1, "*") == "outputs");
  CHECK(refusal(kMaxShortBlockTicks, 10, "*").empty());
  CHECK(session.status().tick == 0);

  // The largest block is one answer.
  v1::RunSessionRequest request = requestOf(rows - 1);
  request.set_outputs(0, "*");
  v1::RunSessionResponse response;
  TickBlock block(session, request, stays);
  CHECK_FALSE(block.next(response));
  CHECK(response.ticks_size() == rows - 1);
  CHECK(block.ticksMade() == rows - 1);
}

TEST_CASE("a block has the State of its ticks one by one", "[server][stream]") {
  const std::vector<double> rows = {1, -2, 0.5, 3, 0};
  Session one(lockstepSpec()), block(lockstepSpec());
  {
    const auto lease = one.inputs().lease();
    rt::Snapshot result(one.model());
    for (const double value : rows) {
      lease->input().values[0] = value;
      REQUIRE(one.rendezvous().tick(*lease, result) != 0);
    }
  }
  const v1::RunSessionRequest request = requestOf(5, rows);
  v1::RunSessionResponse response;
  CHECK_FALSE(TickBlock(block, request, stays).next(response));
  CHECK(block.status().state_hash == one.status().state_hash);
  CHECK(response.outputs().signals_size() == 3);
  CHECK(response.ticks_size() == 5);
  CHECK(numbersOf(response.rows()).size() == 15);
  // The lease is back.
  block.inputs().lease();
}

TEST_CASE("a long block is sent in messages below the limit, without a gap", "[server][stream]") {
  Session session(lockstepSpec());
  const v1::RunSessionRequest request = requestOf(kMaxBlockTicks);
  TickBlock block(session, request, stays);
  v1::RunSessionResponse response;
  std::int64_t next = 1;
  int messages = 0;
  for (bool more = true; more; ++messages) {
    more = block.next(response);
    CHECK(response.has_outputs() == (messages == 0));
    CHECK(response.ByteSizeLong() < std::size_t{1} << 20);
    for (const std::int64_t tick : response.ticks()) CHECK(tick == next++);
  }
  CHECK(next == kMaxBlockTicks + 1);
  CHECK(messages > 1);
}

TEST_CASE("a block ends with the error that says after how many ticks", "[server][stream]") {
  const auto endOf = [](Session& session, TickBlock& block, v1::RunSessionResponse& response) {
    try {
      block.next(response);
      return std::string("no error");
    } catch (const RequestError& error) {
      CHECK(session.status().tick == response.ticks_size());
      return std::string(toString(session.state())) + ": " + error.what();
    }
  };
  v1::RunSessionResponse response;
  SECTION("at the stop tick") {
    SessionSpec spec = lockstepSpec();
    spec.stop_tick = 7;
    Session session(spec);
    const v1::RunSessionRequest request = requestOf(10);
    TickBlock block(session, request, stays);
    CHECK(endOf(session, block, response) == "finished: the session is finished, after 7 of 10 ticks");
  }
  SECTION("when the client leaves") {
    Session session(lockstepSpec());
    int asked = 0;
    const v1::RunSessionRequest request = requestOf(100'000);
    const auto start = std::chrono::steady_clock::now();
    TickBlock block(session, request, [&] { return ++asked > 2; });
    try {
      while (block.next(response)) {}
      FAIL("it ran to its end");
    } catch (const RequestError& error) {
      CHECK(error.reason() == Reason::kCancelled);
      CHECK_THAT(error.what(), Catch::Contains("after " + std::to_string(block.ticksMade()) + " of 100000 ticks"));
    }
    CHECK(session.status().tick == block.ticksMade());
    CHECK(asked == 3);
    // It is asked every 2 ms.
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(6));
  }
  SECTION("when the client of a large model leaves, after few ticks") {
    Session session(specOf(ClockChoice::Mode::kLockstep,
                           std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("chain:n=2000").spec))));
    v1::RunSessionRequest request = requestOf(1000);
    request.set_outputs(0, "tip_x");
    TickBlock block(session, request, [] { return true; });
    const std::string end = endOf(session, block, response);
    CHECK_THAT(end, Catch::Contains("the call was cancelled"));
    CHECK(block.ticksMade() < 64);
  }
  SECTION("in a paused session") {
    Session session(lockstepSpec());
    session.start();
    session.pause();
    const v1::RunSessionRequest request = requestOf(10);
    TickBlock block(session, request, stays);
    CHECK(endOf(session, block, response) == "paused: the session is paused, after 0 of 10 ticks");
  }
  SECTION("when another controller takes the inputs over") {
    Session session(lockstepSpec());
    const v1::RunSessionRequest request = requestOf(10);
    TickBlock block(session, request, stays);
    LeaseRequest rescue;
    rescue.controller = "rescue";
    rescue.takeover_reason = "it hangs";
    const auto lease = session.inputs().lease(rescue);
    CHECK(endOf(session, block, response) ==
          "ready: the inputs were taken over by \"rescue\": it hangs, after 0 of 10 ticks");
  }
  SECTION("when a step fails") {
    Session session(lockstepSpec());
    v1::RunSessionRequest request = requestOf(3, {0, 0, 0});
    request.set_inputs(0, "push_y");
    const std::vector<double> rows = {0, 1e308, 0};
    request.set_rows(rows.data(), rows.size() * sizeof(double));
    TickBlock block(session, request, stays);
    CHECK_THAT(endOf(session, block, response),
               Catch::StartsWith("faulted: the step to tick 2 failed") && Catch::EndsWith("after 1 of 3 ticks"));
  }
}

TEST_CASE("a notice of a takeover says to whom it happened", "[server][stream]") {
  Session session(lockstepSpec());
  LeaseRequest first, second;
  first.controller = "wheel";
  second.controller = "rescue";
  second.takeover_reason = "it hangs";
  const auto lost = session.inputs().lease(first);
  std::uint64_t seen = session.feed().events().newest();
  const auto holder = session.inputs().lease(second);
  const std::vector<SessionEvent> events = session.feed().events().after(seen);
  REQUIRE(events.size() == 1);
  CHECK(events[0].lost_leases == std::vector<std::uint64_t>{lost->id()});
  v1::TickNotice told, other, observer;
  writeNotice(events[0], told, lost->id());
  writeNotice(events[0], other, holder->id());
  writeNotice(events[0], observer);
  CHECK(told.detail().reason() == "LEASE_LOST");
  CHECK_FALSE(other.has_detail());
  CHECK_FALSE(observer.has_detail());
  CHECK(told.message() == observer.message());
}
