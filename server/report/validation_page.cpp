#include "server/report/validation_page.h"

#include "server/report/line_chart.h"
#include "server/report/report_page.h"

#include <map>

namespace tactus::server {
namespace {

std::string comparison(const ValidationReport& report) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> failures;
  for (const ValidationRow& row : report.rows) {
    const std::string step = shown(1e-6 * static_cast<double>(row.step_ns));
    if (row.steps > 0)
      rows.push_back({row.method, step, shown(row.position_error), shown(row.rotation_error), shown(row.velocity_error),
                      row.order != 0 ? shown(row.order) : "", shown(row.energy_drift), shown(row.worst_position),
                      shown(row.worst_velocity), shown(row.worst_acceleration), shown(row.iterations_a_step),
                      shown(row.wall_seconds) + (row.failure.empty() ? "" : ", failed"),
                      shown(1e6 * row.wall_seconds / static_cast<double>(row.steps))});
    if (!row.failure.empty()) failures.push_back(row.method + ", step " + step + " ms: " + row.failure);
  }
  const std::string table =
      tableOf({"method", "step, ms", "position, m", "rotation, rad", "velocity, m/s", "order", "energy drift, J",
               "|\u03a6|", "|d\u03a6/dt|", "|d\u00b2\u03a6/dt\u00b2|", "iterations", "time, s", "\u00b5s a step"},
              rows);
  return failures.empty() ? table : table + listOf(failures);
}

std::string signalTable(const ValidationReport& report) {
  std::vector<std::string> head = {"signal", "unit", "maximum"};
  head.insert(head.end(), report.compared.begin(), report.compared.end());
  std::vector<std::vector<std::string>> rows;
  for (const SignalError& e : report.signals) {
    rows.push_back({e.name, e.unit, shown(e.size)});
    for (const double error : e.errors) rows.back().push_back(shown(error));
  }
  return tableOf(head, rows);
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
  std::string text =
      "<p>Reference: " + escaped(report.reference) + "; it differs by " + shown(report.reference_error) +
      " m from a reference with 100 times its tolerance.</p>\n" + comparison(report) +
      "<p>\u03a6: maximum norms of the constraints at position, velocity and acceleration level. Time: the whole run, "
      "including the recording of samples.</p>\n" +
      toSvg(workPrecision(report));
  if (!report.t.empty())
    text += toSvg({"Position error of the real-time solver",
                   "t, s",
                   "m",
                   false,
                   true,
                   {{"error", report.t, report.position_error}}}) +
            toSvg({"Energy of the real-time solver",
                   "t, s",
                   "J since the start",
                   false,
                   false,
                   {{"energy.total", report.t, report.energy_drift}}});
  if (report.spectrum.dominant > 0)
    text += toSvg({"Spectrum of the position errors of the real-time solver",
                   "Hz",
                   "m",
                   false,
                   true,
                   {{"error", report.spectrum.frequency, report.spectrum.amplitude}}}) +
            "<p>The errors are largest at " + shown(report.spectrum.dominant) + " Hz; " +
            shown(100 * report.spectrum.fast_share) +
            " % of their square lies above half the highest frequency of the samples.</p>\n";
  return text;
}

std::string toHtml(const std::string& model_name, const std::string& command, const ValidationReport& report) {
  PageHead head{"Validation of " + model_name, command, "", Tone::kBad, report.reasons};
  if (report.interrupted) {
    head.verdict = "Interrupted: results so far, no verdict.";
  } else {
    head.verdict = std::string("The real-time result ") + (report.trusted ? "can be trusted." : "cannot be trusted.");
    if (report.trusted) head.tone = Tone::kGood;
  }
  std::string body = accuracyOf(report);
  if (!report.signals.empty())
    body += "<h2>Signals</h2>\n<p>Maximum error of each method at the chosen step.</p>\n" + signalTable(report);
  return pageOf(head, body);
}

}  // namespace tactus::server
