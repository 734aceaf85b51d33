#include "clients/cpp/frame.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using tactus::client::Frame;
using tactus::client::Layout;

namespace {

std::shared_ptr<const Layout> layoutOf(std::initializer_list<const char*> names) {
  tactus::v1::Layout message;
  message.set_hash(42);
  for (const char* name : names) message.add_signals(name);
  return std::make_shared<const Layout>(message);
}

}  // namespace

TEST_CASE("a layout finds each name at its position and no other", "[clients]") {
  const auto layout = layoutOf({"b.r.x", "b.r.y", "motor"});
  CHECK(layout->size() == 3);
  CHECK(layout->hash() == 42);
  CHECK(layout->indexOf("b.r.y") == 1);
  CHECK(layout->contains("motor"));
  CHECK_FALSE(layout->contains("b.r"));
  CHECK_THROWS_AS(layout->indexOf("b.r.z"), std::out_of_range);
}

TEST_CASE("a frame reads its values by name and outlives its stream", "[clients]") {
  tactus::v1::StateFrame message;
  message.set_tick(3);
  message.set_sim_time_ns(3'000'000);
  message.set_flags(tactus::v1::FRAME_FLAG_OVERRUN | tactus::v1::FRAME_FLAG_FRAMES_MISSED);
  for (const double value : {1.0, 2.0}) message.add_values(value);

  Frame frame;
  frame.take(message, layoutOf({"a", "b"}));
  CHECK(frame["b"] == 2.0);
  CHECK(frame.values().size() == 2);
  CHECK(frame.simTime() == 3'000'000 * 1e-9);
  CHECK(frame.has(tactus::v1::FRAME_FLAG_OVERRUN));
  CHECK_FALSE(frame.has(tactus::v1::FRAME_FLAG_INPUT_HELD));
  CHECK_THROWS_AS(frame["c"], std::out_of_range);
}
