#include "rt/ali3p/team.h"

#include <catch2/catch.hpp>

#include <set>
#include <thread>
#include <vector>

using namespace tactus::rt;

TEST_CASE("no thread passes a barrier before all have arrived, and what they wrote is seen", "[rt][ali3p]") {
  for (const int threads : {2, 3}) {
    constexpr int kRounds = 200;
    SpinBarrier barrier(threads);
    std::vector<int> rounds(static_cast<std::size_t>(threads), 0);  // one number a thread, written without a lock
    std::vector<int> early(static_cast<std::size_t>(threads), 0);
    {
      std::vector<std::jthread> team;
      for (int t = 0; t < threads; ++t)
        team.emplace_back([&, t] {
          const Team mine{t, threads, &barrier};
          const auto self = static_cast<std::size_t>(t);
          for (int round = 1; round <= kRounds; ++round) {
            rounds[self] = round;
            mine.wait();
            for (const int other : rounds) early[self] += other == round ? 0 : 1;
            mine.wait();
          }
        });
    }
    CHECK(early == std::vector<int>(static_cast<std::size_t>(threads), 0));
  }
}

TEST_CASE("each thread of a team runs the body once, and the threads stay the same", "[rt][ali3p]") {
  const auto threadsOf = [](int threads) {
    std::vector<std::thread::id> ids(static_cast<std::size_t>(threads));
    runInTeam(threads, [&](int thread) { ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id(); });
    return ids;
  };
  const auto first = threadsOf(3);
  CHECK(std::set(first.begin(), first.end()).size() == 3);
  CHECK(first[0] == std::this_thread::get_id());
  CHECK(threadsOf(3) == first);
}

TEST_CASE("a team of one waits for nobody", "[rt][ali3p]") {
  const Team alone;
  alone.wait();
  CHECK(alone.threads == 1);
}

TEST_CASE("short chains have one thread, longer ones a thread for eight segments", "[rt][ali3p]") {
  CHECK(maxThreads(4) == 1);
  CHECK(maxThreads(8) == 1);
  CHECK(maxThreads(16) == 2);
  CHECK(maxThreads(64) == 8);
}
