#include "proto/text/timing_text.h"

#include <catch2/catch.hpp>

using namespace tactus;

TEST_CASE("a timing report reads as counters and a table of phases", "[proto][text]") {
  v1::TimingReport report;
  report.set_ticks(1000);
  report.set_missed_deadlines(2);
  report.set_overruns(1);
  report.set_held_ticks(3);
  report.set_overrun_policy("skip");
  report.set_overdue_deadlines(2);
  report.set_max_consecutive_overdue(2);
  report.set_input_losses(1);
  report.set_safe_entries(1);
  v1::LateTicks& stall = *report.add_late_ticks();
  stall.set_cause("host stall");
  stall.set_count(4);
  report.add_late_ticks()->set_cause("preemption");
  report.mutable_worst_late()->set_tick(17);
  report.mutable_worst_late()->set_lost_ns(123'456);
  report.mutable_worst_late()->set_cause("host stall");
  v1::PhaseTiming& solve = *report.add_phases();
  solve.set_phase("solve");
  solve.set_count(1000);
  solve.set_p50_ns(12'340);
  solve.set_maximum_ns(98'760);
  solve.set_worst_tick(17);
  report.add_realtime_grants("memory locked");
  report.set_maximum_contraction(0.034);
  report.set_maximum_contraction_tick(12);
  report.set_maximum_factorizations(2);
  report.set_not_converged(1);
  report.mutable_energy()->set_growth(25);
  report.mutable_energy()->set_scale(200);
  report.mutable_energy()->set_drift(26.5);
  report.mutable_energy()->set_grows_since(48);
  CHECK(text::timingText(report) ==
        "ticks 1000, missed deadlines 2, overruns 1, ticks on a held input 3\n"
        "overrun policy skip: overdue deadlines 2 (longest run 2), late wake-ups 0, backfilled 0, slipped 0.0 us\n"
        "inputs used 0, superseded 0, refused 0, late 0, lost 0, duplicate 0\n"
        "controller losses 1, safe state entered 1 times, inputs ignored in the safe state 0\n"
        "solver: contraction at most 0.034 (tick 12), factorizations of a tick at most 2, 1 ticks not converged\n"
        "energy: at most 200 J in the motion, 25 J gained without an input, drift of the total 26.5 J\n"
        "energy grows since tick 48: the step is unstable or too long\n"
        "late ticks: host stall 4; worst: tick 17 overslept 123.5 us, host stall\n"
        "tick thread: page faults 0, involuntary switches 0, spin margin 0.0 us\n"
        "  memory locked\n"
        "phase (us)  count  min  mean   p50  p90  p99  p99.9   max  worst tick\n"
        "solve        1000  0.0   0.0  12.3  0.0  0.0    0.0  98.8          17\n");
}

TEST_CASE("a timing report leaves out what did not happen", "[proto][text]") {
  const std::string text = text::timingText({});
  CHECK(text.find("overrun policy") == std::string::npos);
  CHECK(text.find("late ticks") == std::string::npos);
  CHECK(text.find("recordings") == std::string::npos);
  CHECK(text.find("reader") == std::string::npos);
  CHECK(text.find("energy grows") == std::string::npos);
}
