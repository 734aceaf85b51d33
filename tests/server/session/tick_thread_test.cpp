#include "server/session/tick_thread.h"

#include "server/models/built_in_models.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <iterator>
#include <memory>

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
  CHECK(started >= before + 2);  // the tick thread, and one that shares its steps
  awaitTick(session, 2);
  CHECK(threads() <= started);
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
