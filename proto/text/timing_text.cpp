#include "proto/text/timing_text.h"

#include "proto/text/table.h"

#include <fmt/format.h>

#include <iterator>

namespace tactus::text {
namespace {

std::string microseconds(double nanoseconds) {
  return fmt::format("{:.1f}", 1e-3 * nanoseconds);
}

void addLateTicks(std::string& text, const v1::TimingReport& report) {
  std::string causes;
  for (const v1::LateTicks& late : report.late_ticks())
    if (late.count() != 0) causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", late.cause(), late.count());
  if (causes.empty()) return;
  const v1::LateTick& worst = report.worst_late();
  text += fmt::format("late ticks: {}; worst: tick {} {} {} us, {}\n", causes, worst.tick(),
                      worst.at_work() ? "took" : "overslept", text::microseconds(worst.lost_ns()), worst.cause());
}

void addReaders(std::string& text, const v1::TimingReport& report) {
  for (const v1::ReaderReport& reader : report.readers()) {
    if (reader.id() == 0 && reader.sent() + reader.missed() == 0) continue;
    const std::string name =
        reader.id() == 0 ? "closed readers" : fmt::format("{} reader {}", reader.stream(), reader.id());
    text += fmt::format("{}: frames sent {}, missed {}\n", name, reader.sent(), reader.missed());
  }
}

void addSolver(std::string& text, const v1::TimingReport& report) {
  text += fmt::format(
      "solver: contraction at most {:.2g} (tick {}), factorizations of a tick at most {}, {} ticks not converged\n",
      report.maximum_contraction(), report.maximum_contraction_tick(), report.maximum_factorizations(),
      report.not_converged());
  const v1::EnergyBalance& energy = report.energy();
  text += fmt::format(
      "energy: at most {:.3g} J in the motion, {:.3g} J gained without an input, drift of the total {:.3g} J\n",
      energy.scale(), energy.growth(), energy.drift());
  if (energy.has_grows_since())
    text += fmt::format("energy grows since tick {}: the step is unstable or too long\n", energy.grows_since());
}

Table phaseTable(const v1::TimingReport& report) {
  Table table({"phase (us)", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "max", "worst tick"}, "lrrrrrrrrr");
  const auto addRow = [&table](const v1::PhaseTiming& phase) {
    table.add({phase.phase(), std::to_string(phase.count()), text::microseconds(phase.minimum_ns()),
               microseconds(phase.mean_ns()), text::microseconds(phase.p50_ns()), text::microseconds(phase.p90_ns()),
               text::microseconds(phase.p99_ns()), text::microseconds(phase.p999_ns()),
               text::microseconds(phase.maximum_ns()), std::to_string(phase.worst_tick())});
  };
  for (const v1::PhaseTiming& phase : report.phases()) addRow(phase);
  if (report.has_host_wake()) addRow(report.host_wake());
  return table;
}

}  // namespace

std::string microseconds(std::int64_t nanoseconds) {
  return microseconds(static_cast<double>(nanoseconds));
}

std::string iterationAdvice(int needed) {
  constexpr int kMaximum = 20;  // the range of the setting
  if (needed > kMaximum) return "more iterations do not let every tick converge; use a shorter period";
  return fmt::format("every tick converges with about {} iterations, or with fewer and a shorter period", needed);
}

std::string timingText(const v1::TimingReport& report) {
  std::string text = fmt::format("ticks {}, missed deadlines {}, overruns {}, ticks on a held input {}\n",
                                 report.ticks(), report.missed_deadlines(), report.overruns(), report.held_ticks());
  if (!report.overrun_policy().empty())
    text += fmt::format(
        "overrun policy {}: overdue deadlines {} (longest run {}), late wake-ups {}, backfilled {}, slipped {} us\n",
        report.overrun_policy(), report.overdue_deadlines(), report.max_consecutive_overdue(), report.late_wakes(),
        report.backfilled(), microseconds(report.slipped_ns()));
  text += fmt::format("inputs used {}, superseded {}, refused {}, late {}, lost {}, duplicate {}\n",
                      report.inputs_used(), report.inputs_superseded(), report.inputs_refused(), report.inputs_late(),
                      report.inputs_lost(), report.inputs_duplicate());
  text += fmt::format("controller losses {}, safe state entered {} times, inputs ignored in the safe state {}\n",
                      report.input_losses(), report.safe_entries(), report.inputs_left_aside());
  if (report.recorder_lost_ticks() + report.recorder_lost_signals() > 0)
    text += fmt::format("recordings lack {} ticks, and the signals of {} ticks\n", report.recorder_lost_ticks(),
                        report.recorder_lost_signals());
  addSolver(text, report);
  addLateTicks(text, report);
  addReaders(text, report);
  text += fmt::format("tick thread: page faults {}, involuntary switches {}, spin margin {} us\n", report.page_faults(),
                      report.involuntary_switches(), microseconds(report.spin_margin_ns()));
  for (const std::string& grant : report.realtime_grants()) text += fmt::format("  {}\n", grant);
  return text + phaseTable(report).text();
}

}  // namespace tactus::text
