#include "server/stream/state_streamer.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus;
using namespace tactus::server;
using Delivery = StreamOptions::Delivery;

namespace {

/// A ring to publish numbered ticks into.
struct Source {
  explicit Source(std::size_t capacity) : ring(rt::Snapshot(*model), capacity), snapshot(*model) {}

  void publish(int count = 1) {
    for (int i = 0; i < count; ++i) {
      ++snapshot.header.tick;
      ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    }
  }

  std::shared_ptr<const rt::Model> model = tests::makePuck();
  rt::SignalDirectory directory{*model};
  rt::SnapshotRing ring;
  rt::Snapshot snapshot;
};

StreamOptions optionsOf(Delivery delivery, std::uint64_t divisor, std::uint64_t credit) {
  StreamOptions options;
  options.delivery = delivery;
  options.divisor = divisor;
  options.credit_window = credit;
  options.queue_depth = 4;
  return options;
}

}  // namespace

TEST_CASE("the newest frame is sent, and overtaken frames are counted", "[server][stream]") {
  Source source(64);
  StateStreamer streamer(source.ring, source.directory, optionsOf(Delivery::kLatest, 1, 0));
  v1::StateFrame frame;
  CHECK_FALSE(streamer.next(frame));

  source.publish();
  REQUIRE(streamer.next(frame));
  CHECK(frame.sequence() == 1);
  CHECK(frame.frames_missed() == 0);
  CHECK(frame.flags() == v1::FRAME_FLAG_NONE);
  CHECK_FALSE(streamer.next(frame));

  source.publish(5);
  REQUIRE(streamer.next(frame));
  CHECK(frame.tick() == 6);
  CHECK(frame.sequence() == 2);
  CHECK(frame.frames_missed() == 4);
  CHECK(frame.flags() == v1::FRAME_FLAG_FRAMES_MISSED);

  source.publish();
  REQUIRE(streamer.next(frame));
  CHECK(frame.flags() == v1::FRAME_FLAG_NONE);
  CHECK(frame.frames_missed() == 4);
}

TEST_CASE("a reader begins with the newest or with the next publication", "[server][stream]") {
  Source source(64);
  source.publish(3);
  StreamOptions options = optionsOf(Delivery::kLatest, 1, 0);
  v1::StateFrame frame;
  StateStreamer later(source.ring, source.directory, options);
  CHECK_FALSE(later.next(frame));
  options.from_current = true;
  StateStreamer now(source.ring, source.directory, options);
  REQUIRE(now.next(frame));
  CHECK(frame.tick() == 3);
  CHECK(frame.frames_missed() == 0);
}

TEST_CASE("without credit frames are skipped, and the newest one is sent when credit returns", "[server][stream]") {
  constexpr int kWindow = 8;
  Source source(1024);
  StateStreamer streamer(source.ring, source.directory, optionsOf(Delivery::kLatest, 1, kWindow));
  v1::StateFrame frame;
  for (int i = 0; i < kWindow; ++i) {
    source.publish();
    REQUIRE(streamer.next(frame));
  }
  source.publish(500);
  CHECK_FALSE(streamer.hasCredit());
  CHECK_FALSE(streamer.next(frame));

  // Numbers that were not sent give no credit.
  streamer.acknowledge(kWindow + 1);
  CHECK_FALSE(streamer.next(frame));

  streamer.acknowledge(1);
  REQUIRE(streamer.next(frame));
  CHECK(frame.tick() == kWindow + 500);
  CHECK(frame.frames_missed() == 499);
  CHECK(frame.flags() == v1::FRAME_FLAG_FRAMES_MISSED);
  CHECK_FALSE(streamer.hasCredit());

  // An older number takes no credit back.
  streamer.acknowledge(kWindow + 1);
  streamer.acknowledge(2);
  CHECK(streamer.hasCredit());
}

TEST_CASE("a queue delivers in order and drops its oldest", "[server][stream]") {
  Source source(64);
  StateStreamer streamer(source.ring, source.directory, optionsOf(Delivery::kQueue, 1, 0));
  v1::StateFrame frame;
  source.publish(3);
  for (int tick = 1; tick <= 3; ++tick) {
    REQUIRE(streamer.next(frame));
    CHECK(frame.tick() == tick);
    CHECK(frame.frames_missed() == 0);
  }
  source.publish(10);
  for (int tick = 10; tick <= 13; ++tick) {
    REQUIRE(streamer.next(frame));
    CHECK(frame.tick() == tick);
    CHECK(frame.frames_missed() == 6);
    CHECK(frame.flags() == (tick == 10 ? v1::FRAME_FLAG_FRAMES_MISSED : v1::FRAME_FLAG_NONE));
  }
  CHECK_FALSE(streamer.next(frame));
}

TEST_CASE("a queued frame counts only the frames lost before it", "[server][stream]") {
  Source source(8);
  StateStreamer streamer(source.ring, source.directory, optionsOf(Delivery::kQueue, 1, 1));
  v1::StateFrame frame;
  source.publish();
  REQUIRE(streamer.next(frame));
  source.publish(2);
  CHECK_FALSE(streamer.next(frame));  // queues ticks 2 and 3
  source.publish(30);                 // laps the ring
  streamer.acknowledge(1);
  REQUIRE(streamer.next(frame));
  // Filling the queue of four from the lapped ring has dropped ticks 2 and 3: those, and what the ring lost, are
  // missed.
  CHECK(frame.tick() == 30);
  CHECK(frame.sequence() + frame.frames_missed() == 30);
}

TEST_CASE("each due frame is sent or counted, for any pace, credit and ring", "[server][stream]") {
  const auto delivery = GENERATE(Delivery::kLatest, Delivery::kQueue);
  const std::uint64_t divisor = GENERATE(1u, 3u, 50u);
  const std::uint64_t window = GENERATE(0u, 2u, 8u);
  const std::size_t capacity = GENERATE(2u, 16u);
  CAPTURE(static_cast<int>(delivery), divisor, window, capacity);

  std::mt19937 random(20240607);
  Source source(capacity);
  StateStreamer streamer(source.ring, source.directory, optionsOf(delivery, divisor, window));
  v1::StateFrame frame;
  std::int64_t last_tick = 0;
  std::uint64_t received = 0, last_missed = 0;
  bool exact = true, flagged = true, rising = true;
  for (int round = 0; round < 2000; ++round) {
    source.publish(static_cast<int>(random() % (4 * divisor)));
    for (auto tries = random() % 4; tries > 0 && streamer.next(frame); --tries) {
      ++received;
      const auto due = (static_cast<std::uint64_t>(frame.tick()) - 1) / divisor + 1;
      exact = exact && (static_cast<std::uint64_t>(frame.tick()) - 1) % divisor == 0;
      exact = exact && frame.sequence() == received && frame.sequence() + frame.frames_missed() == due;
      flagged = flagged && (frame.flags() == v1::FRAME_FLAG_FRAMES_MISSED) == (frame.frames_missed() > last_missed);
      rising = rising && frame.tick() > last_tick;
      last_tick = frame.tick();
      last_missed = frame.frames_missed();
    }
    if (random() % 3 == 0) streamer.acknowledge(received);
  }
  CHECK(exact);
  CHECK(flagged);
  CHECK(rising);
  CHECK(received > 20);
  CHECK(last_missed > 0);
}
