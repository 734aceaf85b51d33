#include "server/link/sequence_window.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using tactus::server::SequenceWindow;
using Verdict = SequenceWindow::Verdict;

TEST_CASE("numbers that arrive in order are fresh, and none is lost", "[server][link]") {
  SequenceWindow window;
  for (std::uint64_t n = 41; n < 400; ++n) REQUIRE(window.record(n) == Verdict::kFresh);
  CHECK(window.lost() == 0);
  CHECK(window.newest() == 399);
}

TEST_CASE("a number is fresh once", "[server][link]") {
  SequenceWindow window;
  window.record(1);
  CHECK(window.record(1) == Verdict::kDuplicate);
  CHECK(window.record(5) == Verdict::kFresh);
  CHECK(window.lost() == 3);
  CHECK(window.record(3) == Verdict::kOvertaken);
  CHECK(window.record(3) == Verdict::kDuplicate);
  CHECK(window.lost() == 2);
  CHECK(window.record(5) == Verdict::kDuplicate);
}

TEST_CASE("numbers behind the window are old, whether they arrived or not", "[server][link]") {
  SequenceWindow window;
  window.record(100);
  CHECK(window.record(100 + SequenceWindow::kReach - 1) == Verdict::kFresh);
  CHECK(window.record(100) == Verdict::kDuplicate);
  CHECK(window.record(100 + SequenceWindow::kReach) == Verdict::kFresh);
  CHECK(window.record(100) == Verdict::kOld);
  CHECK(window.record(1) == Verdict::kOld);

  // A leap over the whole window forgets it.
  CHECK(window.record(1'000'000) == Verdict::kFresh);
  CHECK(window.record(1'000'000 - 1) == Verdict::kOvertaken);
  CHECK(window.record(100 + SequenceWindow::kReach) == Verdict::kOld);
}

TEST_CASE("numbers before the first one are not lost", "[server][link]") {
  SequenceWindow window;
  window.record(10);
  CHECK(window.record(9) == Verdict::kOvertaken);
  CHECK(window.lost() == 0);
  window.record(12);
  CHECK(window.lost() == 1);
}

TEST_CASE("a number of an expected gap was not lost, and is not taken off the losses where it comes late",
          "[server][link]") {
  SequenceWindow window;
  window.record(1);
  window.expectGap();
  CHECK(window.record(10) == Verdict::kFresh);
  CHECK(window.lost() == 0);
  CHECK(window.record(9) == Verdict::kOvertaken);
  CHECK(window.record(2) == Verdict::kOvertaken);
  CHECK(window.lost() == 0);
  // Behind the gap numbers are lost and found as ever.
  window.record(13);
  CHECK(window.lost() == 2);
  CHECK(window.record(12) == Verdict::kOvertaken);
  CHECK(window.lost() == 1);
}

TEST_CASE("verdicts and losses agree with a set of all numbers, in any order of arrival", "[server][link]") {
  std::mt19937 random(20261121);
  for (int round = 0; round < 200; ++round) {
    // Some are dropped, some come twice, all within a reach of their place.
    std::vector<std::uint64_t> arrivals;
    for (std::uint64_t n = 1; n <= 300; ++n)
      for (int copies = random() % 10 == 0 ? 0 : 1 + (random() % 10 == 0); copies > 0; --copies) arrivals.push_back(n);
    for (std::size_t i = 0; i + 8 < arrivals.size(); ++i)
      if (random() % 8 == 0) std::swap(arrivals[i], arrivals[i + random() % 8]);

    SequenceWindow window;
    std::set<std::uint64_t> seen;
    for (const std::uint64_t n : arrivals) {
      const std::uint64_t newest = seen.empty() ? 0 : *seen.rbegin();
      const Verdict expected = n > newest         ? Verdict::kFresh
                               : seen.contains(n) ? Verdict::kDuplicate
                                                  : Verdict::kOvertaken;
      REQUIRE(window.record(n) == expected);
      seen.insert(n);
    }
    const std::uint64_t first = arrivals.front();
    const auto known =
        static_cast<std::uint64_t>(std::count_if(seen.begin(), seen.end(), [&](auto n) { return n >= first; }));
    REQUIRE(window.lost() == window.newest() - first + 1 - known);
  }
}
