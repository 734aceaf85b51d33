// Covers: rt/loop/time_source.cpp
#include "rt/loop/wake_probe.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace tactus::rt;

TEST_CASE("the probe counts its own wake-ups and can be reset", "[rt][loop]") {
  WakeProbe probe({.priority = 0, .cpus = {}, .stack_bytes = 0});
  while (probe.summary().count < 5) std::this_thread::yield();
  const LatencySummary summary = probe.summary();
  CHECK(summary.minimum >= 0);
  CHECK(summary.p50 <= summary.p99);
  while (probe.summary().count >= 5) {
    probe.requestReset();
    std::this_thread::yield();
  }
  while (probe.summary().count < 2) std::this_thread::yield();
}
