#include "server/stream/stream_slots.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace tactus::server;
using namespace std::chrono_literals;

namespace {

Quota slotsOf(std::size_t total, std::size_t share = 0, std::size_t reserve = 0) {
  return {"streams", "open streams", "close one first", total, share, reserve};
}

const Peer kAnybody;

}  // namespace

TEST_CASE("streams are limited in number, and one that ends makes room", "[server][stream]") {
  StreamSlots slots(slotsOf(2));
  std::optional<StreamSlots::Slot> first(std::in_place, slots, kAnybody), second(std::in_place, slots, kAnybody);
  CHECK_THROWS_AS(StreamSlots::Slot(slots, kAnybody), RequestError);
  first.reset();
  CHECK_NOTHROW(StreamSlots::Slot(slots, kAnybody));
}

TEST_CASE("a server waits for the last stream, at most for its time", "[server][stream]") {
  StreamSlots slots(slotsOf(1));
  slots.awaitNone(10s);  // returns at once
  std::optional<StreamSlots::Slot> slot(std::in_place, slots, kAnybody);
  slots.awaitNone(1ms);
  std::thread ending([&] { slot.reset(); });
  slots.awaitNone(10s);
  CHECK_NOTHROW(StreamSlots::Slot(slots, kAnybody));
  ending.join();
}

TEST_CASE("identities that open streams at the same time get their shares and no more", "[server][stream]") {
  constexpr int kIdentities = 5;
  constexpr std::size_t kShare = 3;
  StreamSlots slots(slotsOf(kIdentities * kShare + 2, kShare, 2));
  std::vector<std::vector<std::unique_ptr<StreamSlots::Slot>>> held(kIdentities);
  std::vector<std::thread> threads;
  for (int i = 0; i < kIdentities; ++i)
    threads.emplace_back([&, i] {
      const Peer peer{"client-" + std::to_string(i), Role::kObserve};
      for (std::size_t attempt = 0; attempt < 2 * kShare; ++attempt) {
        try {
          held[static_cast<std::size_t>(i)].push_back(std::make_unique<StreamSlots::Slot>(slots, peer));
        } catch (const RequestError&) {}
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& streams : held) CHECK(streams.size() == kShare);

  const Peer late{"late", Role::kControl}, boss{"boss", Role::kAdmin};
  CHECK_THROWS_AS(StreamSlots::Slot(slots, late), RequestError);
  const StreamSlots::Slot first(slots, boss), second(slots, boss);
  CHECK_THROWS_AS(StreamSlots::Slot(slots, boss), RequestError);
  held.front().clear();
  CHECK_NOTHROW(StreamSlots::Slot(slots, late));
}
