#include "proto/text/timing_change.h"

#include <catch2/catch.hpp>

using namespace tactus;

TEST_CASE("the change between two timing reports is given as rates and counts of the interval", "[proto][text]") {
  v1::TimingReport before, now;
  before.set_period_ns(1'000'000);
  before.set_ticks(1000);
  before.set_inputs_used(10);
  before.set_missed_deadlines(3);
  before.add_readers()->set_missed(5);
  now = before;
  now.set_ticks(3000);
  now.set_inputs_used(1010);
  now.set_missed_deadlines(7);
  now.set_overruns(1);
  now.set_inputs_left_aside(2);
  now.mutable_readers(0)->set_missed(6);
  CHECK(text::timingChange(before, now, 2) ==
        "in the last 2.0 s: 1000.0 ticks/s (1.000 of real time), 500.0 inputs/s, missed deadlines 4, overruns 1, "
        "inputs ignored in the safe state 2, frames missed by readers 1\n");
}

TEST_CASE("counts that were reset between two reports count from zero", "[proto][text]") {
  v1::TimingReport before, now;
  before.set_ticks(1000);
  before.set_missed_deadlines(9);
  now.set_ticks(50);
  now.set_missed_deadlines(2);
  const std::string text = text::timingChange(before, now, 0.5);
  CHECK(text.find("100.0 ticks/s") != std::string::npos);
  CHECK(text.find("missed deadlines 2,") != std::string::npos);
}
