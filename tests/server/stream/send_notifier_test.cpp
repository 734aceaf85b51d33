#include "server/stream/send_notifier.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

using namespace tactus::server;

TEST_CASE("a notification before the wait ends it at once, and only one wait", "[server][stream]") {
  SendNotifier notifier;
  notifier.notify();
  notifier.notify();
  CHECK(notifier.wait(std::chrono::hours(1)));
  CHECK_FALSE(notifier.wait(std::chrono::milliseconds(1)));
}

TEST_CASE("a notification wakes the waiting sender", "[server][stream]") {
  SendNotifier notifier;
  std::thread other([&] { notifier.notify(); });
  CHECK(notifier.wait(std::chrono::hours(1)));
  other.join();
}
