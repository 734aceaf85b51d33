// Covers: server/session/held_signals.h
#include "server/session/tick_thread.h"
#include "rt/model/model.h"

#include "server/models/built_in_models.h"
#include "server/session/session_message.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <sched.h>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("the threads that share the steps of a session exist before its first tick", "[server][session]") {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("four_bar_up").spec)));
  spec.period_ns = 100'000'000;
  spec.realtime.threads = 2;
  spec.realtime.oversubscribe = true;
  Session session(spec);
  const auto before = threads();
  session.start();
  const auto started = threads();
  // The tick thread, the one that shares its steps, the wake probe, and the one that watches the safe state.
  CHECK(started >= before + 4);
  awaitTick(session, 2);
  CHECK(threads() <= started);
}

TEST_CASE("no signal is handled in the threads that make the ticks of a session", "[server][session]") {
  const auto threadsThatBlock = [](int signal) {
    int count = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream status(task.path() / "status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigBlk:")) count += (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    }
    return count;
  };
  SessionSpec spec = specOf(Mode::kFreeRun);
  spec.realtime.threads = 2;
  spec.realtime.oversubscribe = true;
  Session session(spec);
  session.start();
  awaitTick(session, 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    INFO(signal);
    // Every thread blocks signals for a moment when it starts; the tick thread blocks them as long as it runs.
    int fewest = threadsThatBlock(signal);
    for (int looks = 0; looks < 100; ++looks) fewest = std::min(fewest, threadsThatBlock(signal));
    CHECK(fewest >= 1);
  }
}

TEST_CASE("all threads that share the steps of a session have the class and the priority of its tick",
          "[server][session]") {
  constexpr int kPriority = 5;
  const auto raisedThreads = [] {
    int raised = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      const int id = std::stoi(task.path().filename());
      sched_param parameters{};
      sched_getparam(id, &parameters);
      raised += (sched_getscheduler(id) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO && parameters.sched_priority == kPriority;
    }
    return raised;
  };
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("four_bar_up").spec)));
  spec.period_ns = 100'000'000;
  spec.realtime.priority = kPriority;
  spec.realtime.threads = 2;
  spec.realtime.oversubscribe = true;
  Session session(spec);
  session.start();
  const std::vector<rt::Grant> grants = session.thread().grants();
  const auto team = std::find_if(grants.begin(), grants.end(), [](const rt::Grant& grant) {
    return grant.asked == "SCHED_FIFO 5 for the 2 threads of a step";
  });
  if (!rt::allGranted(grants) && team == grants.end()) {
    std::puts("SKIPPED: no right to SCHED_FIFO on this host");
    return;
  }
  REQUIRE(team != grants.end());
  CHECK(team->granted);
  awaitTick(session, 2);
  CHECK(raisedThreads() == 3);  // the tick thread, the one that shares its steps, and the wake probe
}

TEST_CASE("more threads than cores are refused unless the request allows it", "[server][session]") {
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("four_bar_up").spec)));
  spec.realtime.threads = 2;
  spec.realtime.cpus = {0};
  CHECK(reasonOf([&] { Session session(spec); }) == Reason::kRequestInvalid);
  spec.realtime.oversubscribe = true;
  CHECK_NOTHROW(Session(spec));
}

TEST_CASE("a session says how many threads share its steps, not how many were asked for", "[server][session]") {
  // One thread makes the steps of so small a tree.
  SessionSpec spec =
      specOf(Mode::kLockstep, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("double_pendulum").spec)));
  spec.realtime.threads = 1000;
  CHECK_THROWS_WITH(Session(spec), Catch::Contains("1000 threads are more than the"));
  spec.realtime.oversubscribe = true;
  Session session(spec);
  v1::Session message;
  writeSession(session, message);
  CHECK(message.threads() == 1);
}
