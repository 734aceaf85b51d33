#include "server/session/request_log.h"

#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>
#include <vector>

using namespace tactus::server;
using tactus::server::tests::kNever;

TEST_CASE("a repeated request gets the answer of the first one and does not act", "[server][session]") {
  RequestLog<int> log;
  int done = 0;
  const auto act = [&] { return ++done; };
  CHECK(log.once("a", "step", kNever, act) == 1);
  CHECK(log.once("a", "step", kNever, act) == 1);
  CHECK(log.once("b", "step", kNever, act) == 2);
  CHECK(done == 2);
}

TEST_CASE("every request without an id takes effect", "[server][session]") {
  RequestLog<int> log;
  int done = 0;
  log.once("", "step", kNever, [&] { return ++done; });
  log.once("", "step", kNever, [&] { return ++done; });
  CHECK(done == 2);
}

TEST_CASE("a failure is an answer, too", "[server][session]") {
  RequestLog<int> log;
  int done = 0;
  const auto fail = [&]() -> int {
    ++done;
    throw RequestError(Reason::kSessionState, "", "no");
  };
  CHECK_THROWS_AS(log.once("a", "start", kNever, fail), RequestError);
  CHECK_THROWS_AS(log.once("a", "start", kNever, fail), RequestError);
  CHECK(done == 1);
}

TEST_CASE("an id that is reused with other content is an error", "[server][session]") {
  RequestLog<int> log;
  log.once("a", "step 1", kNever, [] { return 1; });
  CHECK_THROWS_WITH(log.once("a", "step 2", kNever, [] { return 2; }), Catch::Contains("other content"));
}

TEST_CASE("the last ids are remembered, older ones are not", "[server][session]") {
  RequestLog<int> log(4);
  int done = 0;
  const auto act = [&] { return ++done; };
  for (int i = 0; i < 5; ++i) log.once(std::to_string(i), "", kNever, act);
  CHECK(log.once("4", "", kNever, act) == 5);
  CHECK(log.once("1", "", kNever, act) == 2);
  CHECK(log.once("0", "", kNever, act) == 6);
}

TEST_CASE("concurrent repetitions wait for the first and share its answer", "[server][session]") {
  RequestLog<int> log;
  std::atomic<int> done{0}, asking{0};
  std::atomic<bool> release{false};
  std::vector<int> answers(8, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < answers.size(); ++i)
    threads.emplace_back([&, i] {
      ++asking;
      answers[i] = log.once("a", "", kNever, [&] {
        while (!release) std::this_thread::yield();
        return 100 + done.fetch_add(1);
      });
    });
  while (asking < 8) std::this_thread::yield();
  release = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(done == 1);
  CHECK(answers == std::vector<int>(8, 100));
}

TEST_CASE("a repetition whose caller has left stops waiting", "[server][session]") {
  RequestLog<int> log;
  std::atomic<bool> begun{false}, release{false};
  std::thread first([&] {
    log.once("a", "", kNever, [&] {
      begun = true;
      while (!release) std::this_thread::yield();
      return 1;
    });
  });
  while (!begun) std::this_thread::yield();
  CHECK_THROWS_AS(log.once(
                      "a", "", [] { return true; }, [] { return 2; }),
                  RequestError);
  release = true;
  first.join();
}
