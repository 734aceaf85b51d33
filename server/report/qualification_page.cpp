#include "server/report/qualification_page.h"

#include "proto/text/duration.h"
#include "server/batch/shown.h"
#include "server/report/line_chart.h"
#include "server/report/report_page.h"
#include "server/report/validation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tactus::server {
namespace {

double micro(double ns) {
  return 1e-3 * ns;
}

/// With one decimal, so that the digits of a column stand below each other.
std::string micro(std::int64_t ns) {
  return fmt::format("{:.1f}", micro(static_cast<double>(ns)));
}

PageHead headOf(const std::string& model_name, const PageOrigin& origin, const QualificationReport& report) {
  PageHead head{"Qualification of " + model_name, origin, "", report.deciding, Tone::kBad, report.reasons};
  const std::string period = text::formatDuration(report.period_ns);
  if (report.interrupted) {
    head.verdict = "Interrupted: results so far, no verdict.";
    return head;
  }
  switch (report.fitness) {
    case Fitness::kFit: head.tone = Tone::kGood; break;
    case Fitness::kFitWith: head.tone = Tone::kMixed; break;
    case Fitness::kNotFit: break;
  }
  head.verdict = period + " on this machine: " + toString(report.fitness) + '.';
  return head;
}

std::string tickTimes(const QualificationReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const rt::Phase phase :
       {rt::Phase::kWake, rt::Phase::kInput, rt::Phase::kSolve, rt::Phase::kPublish, rt::Phase::kTotal}) {
    const rt::LatencySummary& s = report.stats.phases[static_cast<std::size_t>(phase)];
    if (s.count > 0)
      rows.push_back({rt::toString(phase), micro(s.p50), micro(s.p90), micro(s.p99), micro(s.p999), micro(s.maximum),
                      std::to_string(s.worst_tick)});
  }
  return tableOf({"\u00b5s", "50 %", "90 %", "99 %", "99.9 %", "maximum", "tick of the maximum"}, rows) +
         "<p>Wake: delay of the start of a tick. Total: from reading the input to the end of publishing.</p>\n";
}

/// Histogram of tick times in octaves, with the period.
std::string histogram(const QualificationReport& report) {
  const rt::LatencySummary& total = report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
  ChartLine ticks{"ticks", {}, {}, LineKind::kColumns};
  double most = 1;
  for (std::size_t k = 1; k < rt::kOctaves; ++k) {
    ticks.x.push_back(micro(std::ldexp(1.0, static_cast<int>(k) - 1)));
    ticks.y.push_back(static_cast<double>(total.octaves[k]));
    most = std::max(most, ticks.y.back());
  }
  const double period = micro(static_cast<double>(report.period_ns));
  // The line of the period begins below 1, so that a single tick has a height.
  ChartLine limit{"period", {period, period}, {0.5, most}};
  return toSvg({"Tick time", "\u00b5s", "ticks", true, true, {ticks, limit}});
}

/// Share of the ticks that take at least a time, from the octaves.
std::string longTicks(const QualificationReport& report) {
  const rt::LatencySummary& total = report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
  if (total.count <= 0) return "";
  ChartLine share{"ticks", {}, {}, LineKind::kPoints};
  double longer = 0;
  for (std::size_t k = rt::kOctaves; k-- > 1;) {
    longer += static_cast<double>(total.octaves[k]);
    if (longer == 0) continue;
    share.x.insert(share.x.begin(), micro(std::ldexp(1.0, static_cast<int>(k) - 1)));
    share.y.insert(share.y.begin(), longer / static_cast<double>(total.count));
    if (longer >= static_cast<double>(total.count)) break;
  }
  const double period = micro(static_cast<double>(report.period_ns));
  return toSvg({"Ticks that take at least this time",
                "\u00b5s",
                "share of the ticks",
                true,
                true,
                {share, {"period", {period, period}, {1 / static_cast<double>(total.count), 1}}}});
}

/// Missed deadlines and the longest tick so far, over the paced run.
std::string pacedOverTime(const QualificationReport& report) {
  if (report.paced_over_time.size() < 2) return "";
  ChartLine missed{"missed", {}, {}}, longest{"longest tick", {}, {}}, period{"period", {}, {}};
  for (const PacedPoint& point : report.paced_over_time) {
    const double t = 1e-9 * static_cast<double>(point.tick * report.period_ns);
    for (ChartLine* line : {&missed, &longest, &period}) line->x.push_back(t);
    missed.y.push_back(static_cast<double>(point.missed));
    longest.y.push_back(micro(static_cast<double>(point.longest_ns)));
    period.y.push_back(micro(static_cast<double>(report.period_ns)));
  }
  return toSvg({"Missed deadlines so far", "t, s", "deadlines", false, false, {missed}}) +
         toSvg({"Longest tick so far", "t, s", "\u00b5s", false, true, {longest, period}});
}

std::string paced(const QualificationReport& report) {
  const rt::TickStatsReport& stats = report.stats;
  std::string text = sectionOf("Paced run") + "<p>" + std::to_string(report.ticks) + " ticks, " +
                     std::to_string(stats.missed_deadlines) +
                     " deadlines missed. Headroom: " + shown(report.head_room) + " at the 99.9 % tick, " +
                     shown(report.worst_head_room) +
                     " at the longest. Without pauses: " + shown(report.times_real_time) + " times real time; " +
                     std::to_string(report.not_converged) + " ticks did not converge.</p>\n" + tickTimes(report) +
                     histogram(report) + longTicks(report) + pacedOverTime(report);
  std::vector<std::vector<std::string>> late;
  for (std::size_t i = 0; i < rt::kLateCauses; ++i)
    if (stats.late_ticks[i] > 0)
      late.push_back({rt::toString(static_cast<rt::LateCause>(i)), std::to_string(stats.late_ticks[i])});
  if (!late.empty()) text += tableOf({"cause of a late tick", "ticks"}, late);
  return text;
}

/// The machine, the rights that it granted, and its shortcomings.
std::string machine(const QualificationReport& report) {
  std::string text = sectionOf("The machine") + listOf({report.host});
  std::vector<std::string> grants;
  for (const rt::Grant& grant : report.grants) grants.push_back(rt::describe(grant));
  if (!grants.empty()) text += "<p>Granted:</p>\n" + listOf(grants);
  std::vector<std::string> lacking;
  for (const HostFinding& finding : report.host_findings)
    if (finding.grade != Grade::kGood)
      lacking.push_back(finding.what + ", " + toString(finding.grade) + ": " + finding.found +
                        "; required: " + finding.wanted + ". Effect: " + finding.effect);
  if (lacking.empty()) return text;
  return text + "<p>Findings of <code>tactus doctor</code>, which also prints how to fix them:</p>\n" + listOf(lacking);
}

std::string determinism(const QualificationReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const Rerun& rerun : report.reruns)
    rows.push_back({rerun.how, rerun.first_difference == 0
                                   ? "the same bits"
                                   : "other bits by tick " + std::to_string(rerun.first_difference)});
  return sectionOf("Determinism") + "<p>Reruns, compared state by state.</p>\n" + tableOf({"rerun", "result"}, rows);
}

}  // namespace

std::string toHtml(const std::string& model_name, const PageOrigin& origin, const QualificationReport& report) {
  std::string body;
  if (!report.conditions.empty()) body += "<p>Conditions:</p>\n" + listOf(report.conditions);
  if (report.ticks > 0) body += paced(report);
  if (!report.host.empty()) body += machine(report);
  if (!report.reruns.empty()) body += determinism(report);
  if (report.accuracy) body += sectionOf("Accuracy") + accuracyOf(*report.accuracy);
  return pageOf(headOf(model_name, origin, report), body);
}

}  // namespace tactus::server
