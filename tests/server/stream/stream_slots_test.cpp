#include "server/stream/stream_slots.h"

#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <optional>
#include <thread>

using namespace tactus::server;

TEST_CASE("no more streams are open than the limit allows", "[server][stream]") {
  StreamSlots slots(2);
  std::optional<StreamSlots::Slot> first(std::in_place, slots), second(std::in_place, slots);
  CHECK_THROWS_AS(StreamSlots::Slot(slots), RequestError);
  first.reset();
  CHECK_NOTHROW(StreamSlots::Slot(slots));
}

TEST_CASE("waiting for no open stream ends with the last slot, or at its timeout", "[server][stream]") {
  StreamSlots slots(1);
  slots.awaitNone(std::chrono::hours(1));
  std::optional<StreamSlots::Slot> slot(std::in_place, slots);
  slots.awaitNone(std::chrono::milliseconds(1));
  std::thread closing([&] { slot.reset(); });
  slots.awaitNone(std::chrono::hours(1));
  closing.join();
  CHECK_NOTHROW(StreamSlots::Slot(slots));
}
