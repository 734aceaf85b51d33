#include "proto/text/prometheus.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <sstream>

namespace tactus::text {
namespace {

// Octave k of a PhaseTiming ends at 2^k - 1 ns; the last one that the server counts, number 40, has no end.
constexpr int kBounds = 40;

/// 15 digits: exact for counts below 10^15, and without the round-off of products.
std::string metric(double value) {
  return fmt::format("{:.15g}", value);
}

double seconds(std::int64_t nanoseconds) {
  return 1e-9 * static_cast<double>(nanoseconds);
}

/// Writes families of metrics.
class Exposition {
 public:
  explicit Exposition(std::string session) : session_(std::move(session)) {}

  void family(const char* name, const char* type, const char* help) {
    name_ = std::string("tactus_") + name;
    text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name_, help, type);
  }

  /// @param[in] labels  after the session, for example `,cause="host stall"`
  void sample(double value, const std::string& labels = {}, const char* suffix = "") {
    text_ += fmt::format("{}{}{{session=\"{}\"{}}} {}\n", name_, suffix, session_, labels, metric(value));
  }

  void counter(const char* name, const char* help, double value) {
    family(name, "counter", help);
    sample(value);
  }

  void histogram(const v1::PhaseTiming& phase) {
    const std::string label = ",phase=\"" + phase.phase() + "\"";
    double below = 0;
    // A bound belongs to its bucket. Empty buckets are written, too: rate() cannot see the first value of a series.
    for (int k = 0; k < kBounds; ++k) {
      if (k < phase.octaves_size()) below += static_cast<double>(phase.octaves(k));
      sample(below, label + fmt::format(",le=\"{:.9g}\"", 1e-9 * (std::ldexp(1.0, k) - 1)), "_bucket");
    }
    sample(static_cast<double>(phase.count()), label + ",le=\"+Inf\"", "_bucket");
    sample(1e-9 * phase.mean_ns() * static_cast<double>(phase.count()), label, "_sum");
    sample(static_cast<double>(phase.count()), label, "_count");
  }

  std::string text() const { return text_; }

 private:
  std::string session_, name_, text_;
};

double asDouble(std::uint64_t value) {
  return static_cast<double>(value);
}
double asDouble(std::int64_t value) {
  return static_cast<double>(value);
}

}  // namespace

std::string prometheusText(const std::string& session, const v1::TimingReport& report) {
  Exposition out(session);
  out.family("period_seconds", "gauge", "Simulated time of a tick.");
  out.sample(seconds(report.period_ns()));
  out.counter("ticks_total", "Ticks computed.", asDouble(report.ticks()));
  out.counter("missed_deadlines_total", "Deadlines at which no tick started.", asDouble(report.missed_deadlines()));
  out.counter("overruns_total", "Ticks that ended after the next deadline.", asDouble(report.overruns()));
  out.counter("late_wakes_total", "Sleeps that ended at least one period too late.", asDouble(report.late_wakes()));
  out.counter("overdue_deadlines_total", "Deadlines whose tick could not start in time.",
              asDouble(report.overdue_deadlines()));
  out.counter("backfilled_ticks_total", "Ticks that the catch-up policy started late.", asDouble(report.backfilled()));
  out.counter("slipped_seconds_total", "Total time by which the slip policy has shifted the tick grid.",
              seconds(report.slipped_ns()));
  out.counter("held_ticks_total", "Ticks without a new input.", asDouble(report.held_ticks()));
  out.counter("page_faults_total", "Page faults of the tick thread.", asDouble(report.page_faults()));
  out.counter("involuntary_switches_total", "Involuntary context switches of the tick thread.",
              asDouble(report.involuntary_switches()));

  out.family("late_ticks_total", "counter", "Ticks late by more than a tenth of the period, by cause.");
  for (const v1::LateTicks& late : report.late_ticks())
    out.sample(asDouble(late.count()), ",cause=\"" + late.cause() + "\"");
  out.family("inputs_total", "counter", "Inputs of clients, by fate.");
  out.sample(asDouble(report.inputs_used()), ",fate=\"used\"");
  out.sample(asDouble(report.inputs_superseded()), ",fate=\"superseded\"");
  out.sample(asDouble(report.inputs_refused()), ",fate=\"refused\"");
  out.sample(asDouble(report.inputs_late()), ",fate=\"late\"");
  out.sample(asDouble(report.inputs_lost()), ",fate=\"lost\"");
  out.sample(asDouble(report.inputs_duplicate()), ",fate=\"duplicate\"");
  out.sample(asDouble(report.inputs_left_aside()), ",fate=\"left aside\"");
  out.counter("input_losses_total", "Controllers lost: silent for longer than their miss limit.",
              asDouble(report.input_losses()));
  out.counter("safe_entries_total", "Number of times that the safe state was entered.",
              asDouble(report.safe_entries()));

  out.counter("not_converged_ticks_total", "Ticks whose last Newton increment exceeded its limit.",
              asDouble(report.not_converged()));
  out.family("contraction_maximum", "gauge", "Largest ratio of the last two Newton increments of a step.");
  out.sample(report.maximum_contraction());
  out.family("factorizations_maximum", "gauge", "Largest number of factorizations of a step.");
  out.sample(report.maximum_factorizations());
  out.family("energy_growth_joules", "gauge", "Energy that the motion gained without an input, since the start.");
  out.sample(report.energy().growth());
  out.family("energy_grows", "gauge", "1 if the energy grows without an input: the step is unstable or too long.");
  out.sample(report.energy().has_grows_since() ? 1 : 0);

  out.counter("recorder_lost_ticks_total", "Ticks missing in the recordings of the session.",
              asDouble(report.recorder_lost_ticks()));
  out.counter("recorder_lost_signals_total", "Ticks in the recordings of the session whose signals are missing.",
              asDouble(report.recorder_lost_signals()));

  // The sum over all readers: the report moves the counts of a reader that closes to those of the closed readers.
  std::uint64_t sent = 0, missed = 0;
  for (const v1::ReaderReport& reader : report.readers()) {
    sent += reader.sent();
    missed += reader.missed();
  }
  out.family("reader_frames_total", "counter", "Frames due to the readers of the session, open and closed, by fate.");
  out.sample(asDouble(sent), ",fate=\"sent\"");
  out.sample(asDouble(missed), ",fate=\"missed\"");

  out.family("phase_seconds", "histogram", "Durations of the phases of a tick, and the wake-up latency of the host.");
  for (const v1::PhaseTiming& phase : report.phases()) out.histogram(phase);
  if (report.has_host_wake()) out.histogram(report.host_wake());
  return out.text();
}

std::string prometheusText(const std::vector<std::pair<std::string, v1::TimingReport>>& reports) {
  // Each text is a sequence of families, a family its two lines of comment and its samples.
  std::vector<std::string> order;
  std::map<std::string, std::string> comments, samples;
  for (const auto& [session, report] : reports) {
    std::istringstream lines(prometheusText(session, report));
    std::string family;
    for (std::string line; std::getline(lines, line); line.clear()) {
      if (line.starts_with("# HELP ")) {
        family = line.substr(7, line.find(' ', 7) - 7);
        if (comments.emplace(family, line + '\n').second) order.push_back(family);
      } else if (line.starts_with('#')) {
        if (samples[family].empty()) comments[family] += line + '\n';
      } else {
        samples[family] += line + '\n';
      }
    }
  }
  std::string text;
  for (const std::string& family : order) text += comments[family] + samples[family];
  return text;
}

}  // namespace tactus::text
