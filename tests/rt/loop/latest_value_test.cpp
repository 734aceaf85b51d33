#include "rt/loop/latest_value.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using tactus::rt::LatestValue;

struct Words {
  std::uint64_t sequence = 0;
  std::vector<std::uint64_t> values;
};

/// Every word follows from the sequence, so a torn value shows.
void fill(Words& words, std::uint64_t sequence) {
  words.sequence = sequence;
  for (std::size_t i = 0; i < words.values.size(); ++i) words.values[i] = sequence * 1'000'003 + i;
}

bool whole(const Words& words) {
  for (std::size_t i = 0; i < words.values.size(); ++i)
    if (words.values[i] != words.sequence * 1'000'003 + i) return false;
  return true;
}

}  // namespace

TEST_CASE("a value is taken once, and a newer value replaces an older one", "[rt][loop]") {
  LatestValue<int> slot(0);
  CHECK(slot.take().value == nullptr);

  slot.offer(1);
  auto taken = slot.take();
  REQUIRE(taken.value != nullptr);
  CHECK(*taken.value == 1);
  CHECK(taken.superseded == 0);
  CHECK(slot.take().value == nullptr);

  for (int value : {2, 3, 4}) slot.offer(value);
  taken = slot.take();
  REQUIRE(taken.value != nullptr);
  CHECK(*taken.value == 4);
  CHECK(taken.superseded == 2);
  CHECK(slot.take().value == nullptr);
}

TEST_CASE("a taken value does not change while newer ones are offered", "[rt][loop]") {
  LatestValue<int> slot(0);
  slot.offer(1);
  const auto taken = slot.take();
  for (int value = 2; value < 10; ++value) slot.offer(value);
  CHECK(*taken.value == 1);
}

TEST_CASE("values are never torn, repeated or out of order, and every offer is accounted for", "[rt][loop]") {
  constexpr std::uint64_t kOffers = 200'000;
  Words prototype;
  prototype.values.resize(24);
  LatestValue<Words> slot(prototype);

  std::atomic<bool> done{false};
  std::thread writer([&] {
    Words words = prototype;
    for (std::uint64_t i = 1; i <= kOffers; ++i) {
      fill(words, i);
      slot.offer(words);
    }
    done.store(true, std::memory_order_release);
  });

  std::uint64_t taken = 0, superseded = 0, torn = 0, disordered = 0, last = 0;
  for (bool finish = false; !finish;) {
    finish = done.load(std::memory_order_acquire);
    while (true) {
      const auto next = slot.take();
      if (!next.value) break;
      ++taken;
      superseded += next.superseded;
      torn += whole(*next.value) ? 0u : 1u;
      disordered += next.value->sequence == last + next.superseded + 1 ? 0u : 1u;
      last = next.value->sequence;
    }
  }
  writer.join();

  CHECK(torn == 0);
  CHECK(disordered == 0);
  CHECK(last == kOffers);
  CHECK(taken + superseded == kOffers);
}
