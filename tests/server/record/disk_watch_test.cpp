#include "server/record/disk_watch.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

using namespace tactus::server;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kMega = 1 << 20;

}  // namespace

TEST_CASE("a disk that takes nothing is reported after 2 s, and again after 10 s", "[server][record]") {
  const DiskWatch::Time start{};
  DiskWatch watch;
  // A mebibyte a second is made, and at first written.
  for (int s = 0; s <= 12; ++s) CHECK(watch.look(start + s * 1s, {s * kMega, 0, 64 * kMega, {}}).empty());
  int told = 0;
  std::string last;
  for (int s = 1; s <= 20; ++s) {
    const std::string text = watch.look(start + 12s + s * 1s, {12 * kMega, s * kMega, 64 * kMega, {}});
    if (text.empty()) continue;
    ++told;
    last = text;
    CHECK(s >= 2);
  }
  CHECK(told == 2);
  CHECK_THAT(last, Catch::Contains("has taken nothing for 12 s") && Catch::Contains("about 52 s more"));
  // It answers again, and gets stuck again.
  CHECK(watch.look(start + 40s, {40 * kMega, 1, 64 * kMega, {}}).empty());
  CHECK(watch.look(start + 41s, {40 * kMega, kMega, 64 * kMega, {}}).empty());
  CHECK_FALSE(watch.look(start + 42s, {40 * kMega, 2 * kMega, 64 * kMega, {}}).empty());
}

TEST_CASE("a disk without anything to take is not stuck", "[server][record]") {
  const DiskWatch::Time start{};
  DiskWatch watch;
  for (int s = 0; s < 100; ++s) CHECK(watch.look(start + s * 1s, {kMega, 0, 64 * kMega, 10 * kMega}).empty());
}

TEST_CASE("a disk that will be full is announced ten minutes and one minute before", "[server][record]") {
  const DiskWatch::Time start{};
  DiskWatch watch;
  // Half of what fills the disk is written by others.
  const bool by_others = GENERATE(false, true);
  int told = 0;
  for (int s = 0; s <= 1000; ++s) {
    const std::uint64_t room = (1000 - s) * kMega, written = s * kMega / (by_others ? 2 : 1);
    const std::string text = watch.look(start + s * 1s, {written, 0, 64 * kMega, room});
    if (text.empty()) continue;
    ++told;
    INFO(s << ": " << text);
    // The rate is that of the last ten seconds.
    CHECK((s == 400 || s == 940));
    CHECK_THAT(text, Catch::Contains(s == 400 ? "in about 600 s: 600.0 MiB are left" : "in about 60 s"));
  }
  CHECK(told == 2);
  // Room was made: the next shortage is announced again.
  const std::uint64_t written = 1000 * kMega / (by_others ? 2 : 1);
  CHECK(watch.look(start + 1001s, {written + kMega, 0, 64 * kMega, 4000 * kMega}).empty());
  CHECK_FALSE(watch.look(start + 1002s, {written + 2 * kMega, 0, 64 * kMega, 25 * kMega}).empty());
}
