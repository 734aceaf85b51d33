#include "server/report/validation_page.h"

#include "server/batch/shown.h"
#include "server/batch/verdict.h"
#include "server/report/line_chart.h"
#include "server/report/report_page.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tactus::server {
namespace {

constexpr std::size_t kColumns = 15;

std::string comparison(const ValidationReport& report) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> failures;
  for (const ValidationRow& row : report.rows) {
    const std::string step = shown(1e-6 * static_cast<double>(row.step_ns));
    if (!row.failure.empty()) {
      // No figure of a run that failed may look like a good one.
      rows.push_back({row.method, step, "failed"});
      rows.back().resize(kColumns, "");
    } else {
      rows.push_back({row.method, step, shown(row.share), row.worst, shown(row.position_error),
                      shown(row.rotation_error), shown(row.velocity_error), row.order != 0 ? shown(row.order) : "",
                      shown(row.energy_drift), shown(row.worst_position), shown(row.worst_velocity),
                      shown(row.worst_acceleration), shown(row.iterations_a_step), shown(row.wall_seconds),
                      row.steps > 0 ? shown(1e6 * row.wall_seconds / static_cast<double>(row.steps)) : ""});
    }
    if (!row.failure.empty()) failures.push_back(row.method + ", step " + step + " ms: " + row.failure);
  }
  const std::string table =
      tableOf({"method", "step, ms", "share of what is allowed", "largest in", "position, m", "rotation, rad",
               "velocity, m/s", "order", "energy drift, J", "|\u03a6|", "|d\u03a6/dt|", "|d\u00b2\u03a6/dt\u00b2|",
               "iterations", "time, s", "\u00b5s a step"},
              rows);
  return failures.empty() ? table : table + listOf(failures);
}

std::string signalTable(const ValidationReport& report) {
  std::vector<std::string> head = {"signal", "unit", "maximum"};
  head.insert(head.end(), report.compared.begin(), report.compared.end());
  std::vector<std::vector<std::string>> rows;
  for (const SignalError& e : report.signals) {
    rows.push_back({e.name, e.unit, shown(e.size)});
    for (const double error : e.errors) rows.back().push_back(std::isnan(error) ? "failed" : shown(error));
  }
  return tableOf(head, rows);
}

/// Every judged quantity of the real-time solver.
std::string judgedTable(const ValidationReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const JudgedError& e : report.judged)
    rows.push_back({e.name, toString(e.kind), e.unit, shown(e.error), shown(e.limit),
                    e.unjudged.empty() ? shown(e.share()) : e.unjudged, shown(e.scale), shown(e.uncertainty),
                    shown(e.at)});
  return sectionOf("Every quantity") +
         "<p>Error of the real-time solver at the chosen step. Allowed: tolerance times "
         "scale; the tolerances are " +
         escaped(report.tolerances.text()) + ".</p>\n" +
         tableOf({"quantity", "kind", "unit", "error", "allowed", "share", "scale", "references differ by", "at t, s"},
                 rows);
}

/// The errors of each kind over time, as shares of what is allowed.
LineChart timeline(const ValidationReport& report) {
  LineChart chart{"Errors of the real-time solver", "t, s", "share of what is allowed", false, true, {}};
  for (std::size_t k = 0; k < report.share_over_time.size(); ++k) {
    const std::vector<double>& shares = report.share_over_time[k];
    if (std::any_of(shares.begin(), shares.end(), [](double share) { return share > 0; }))
      chart.lines.push_back({toString(static_cast<Kind>(k)), report.t, shares});
  }
  return chart;
}

std::string references(const ValidationReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const ReferenceFigures& r : report.references)
    rows.push_back({r.text, shown(r.covered), std::to_string(r.steps), shown(r.wall_seconds),
                    r.failure.empty() ? "" : "failed: " + r.failure});
  return tableOf({"reference", "up to t, s", "steps", "time, s", ""}, rows) +
         "<p>The references have coordinates and formulas of integration of their own. All methods, the references "
         "among them, share the elements: laws of springs, tyres and joints, inertia and the Jacobians of "
         "constraints. An agreement says nothing about a law that is wrong for the machine.</p>\n";
}

/// Error over cost, one line for each method.
LineChart workPrecision(const ValidationReport& report) {
  LineChart chart{"Work and precision", "wall time, s", "maximum position error, m", true, true, {}};
  std::map<std::string, std::size_t> lines;
  for (const ValidationRow& row : report.rows) {
    if (!row.failure.empty()) continue;
    const auto [at, fresh] = lines.emplace(row.method, chart.lines.size());
    if (fresh) chart.lines.push_back({row.method, {}, {}, LineKind::kPoints});
    chart.lines[at->second].x.push_back(row.wall_seconds);
    chart.lines[at->second].y.push_back(row.position_error);
  }
  return chart;
}

}  // namespace

std::string accuracyOf(const ValidationReport& report) {
  const std::string difference = differenceOfReferences(report);
  std::string text =
      "<p>Compared: " + shown(report.covered) + " s of " + shown(report.until) + " s, by two references " +
      shown(report.confirmed) + " s. Errors count from: " + escaped(report.reference) + "." +
      (difference.empty() ? "" : " Two references differ by " + escaped(difference) + ".") + "</p>\n" +
      references(report) + comparison(report) +
      "<p>\u03a6: maximum norms of the constraints at position, velocity and acceleration level. Time: the whole run, "
      "including the recording of samples.</p>\n" +
      toSvg(workPrecision(report));
  if (!report.t.empty())
    text += toSvg(timeline(report)) +
            toSvg({"Position error of the real-time solver",
                   "t, s",
                   "error, m",
                   false,
                   true,
                   {{"error", report.t, report.position_error}}}) +
            toSvg({"Energy of the real-time solver",
                   "t, s",
                   "energy since the start, J",
                   false,
                   false,
                   {{"energy.total", report.t, report.energy_drift}}});
  if (report.spectrum.dominant > 0)
    text += toSvg({"Spectrum of the position errors of the real-time solver",
                   "frequency, Hz",
                   "amplitude, m",
                   false,
                   true,
                   {{"error", report.spectrum.frequency, report.spectrum.amplitude}}}) +
            "<p>The errors are largest at " + shown(report.spectrum.dominant) + " Hz; " +
            shown(100 * report.spectrum.fast_share) +
            " % of their square lies above half the highest frequency of the samples.</p>\n";
  if (!report.judged.empty()) text += judgedTable(report);
  return text;
}

std::string toHtml(const std::string& model_name, const PageOrigin& origin, const ValidationReport& report) {
  PageHead head{"Validation of " + model_name, origin, "", report.deciding, Tone::kBad, report.reasons};
  if (report.interrupted) {
    head.verdict = "Interrupted: results so far, no verdict.";
  } else {
    head.verdict =
        "The real-time result " + (report.trusted  ? std::string("can be trusted.")
                                   : report.partly ? "is confirmed up to t = " + shown(report.confirmed) + " s only."
                                                   : std::string("cannot be trusted."));
    if (report.trusted) head.tone = Tone::kGood;
  }
  std::string body = sectionOf("Accuracy") + accuracyOf(report);
  if (!report.signals.empty())
    body += sectionOf("Signals") + "<p>Maximum error of each method at the chosen step.</p>\n" + signalTable(report);
  return pageOf(head, body);
}

}  // namespace tactus::server
