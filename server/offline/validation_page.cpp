#include "server/offline/validation_page.h"

#include "server/offline/line_chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace tactus::server {
namespace {

const char* const kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid "
    "#ddd}"
    "td:first-child,th:first-child{text-align:left}svg{width:100%;max-width:48rem;font:12px sans-serif}"
    ".grid line{stroke:#ddd}.title{font-weight:bold}.verdict{font-size:1.3rem;padding:.6rem 1rem;border-left:6px solid}"
    ".wide{overflow-x:auto}.yes{border-color:#4f8f4f;background:#eef6ee}.no{border-color:#c0504d;background:#f9eeee}"
    "code{background:#f3f3f3}";

std::string shown(double value) {
  std::ostringstream out;
  out.precision(3);
  out << value;
  return out.str();
}

std::string rowOf(const std::vector<std::string>& cells, const char* tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) {
    text += '<';
    text += tag;
    text += '>' + escaped(cell) + "</";
    text += tag;
    text += '>';
  }
  return text + "</tr>\n";
}

std::string comparison(const ValidationReport& report) {
  std::string text =
      "<table>\n" + rowOf({"method", "step, ms", "position, m", "rotation, rad", "velocity, m/s", "order",
                           "energy drift, J", "constraints", "iterations", "time, s", "\u00b5s a step"},
                          "th");
  std::string failures;
  for (const ValidationRow& row : report.rows) {
    const double steps = static_cast<double>(row.steps);
    if (row.steps > 0)
      text +=
          rowOf({row.method, shown(1e-6 * static_cast<double>(row.step_ns)), shown(row.position_error),
                 shown(row.rotation_error), shown(row.velocity_error), row.order != 0 ? shown(row.order) : "",
                 shown(row.energy_drift),
                 shown(row.worst_position) + " / " + shown(row.worst_velocity) + " / " + shown(row.worst_acceleration),
                 shown(row.iterations_a_step), shown(row.wall_seconds) + (row.failure.empty() ? "" : ", failed"),
                 shown(1e6 * row.wall_seconds / steps)},
                "td");
    if (!row.failure.empty())
      failures += "<li>" + escaped(row.method) + ", step " + shown(1e-6 * static_cast<double>(row.step_ns)) +
                  " ms: " + escaped(row.failure) + "</li>\n";
  }
  text += "</table>\n";
  return failures.empty() ? text : text + "<ul>\n" + failures + "</ul>\n";
}

std::string signalTable(const ValidationReport& report) {
  std::vector<std::string> head = {"signal", "unit", "largest value"};
  head.insert(head.end(), report.compared.begin(), report.compared.end());
  std::string text = "<div class=\"wide\"><table>\n" + rowOf(head, "th");
  for (const SignalError& e : report.signals) {
    std::vector<std::string> cells = {e.name, e.unit, shown(e.size)};
    for (const double error : e.errors) cells.push_back(shown(error));
    text += rowOf(cells, "td");
  }
  return text + "</table></div>\n";
}

/// Error over cost, one line a method.
LineChart workPrecision(const ValidationReport& report) {
  LineChart chart{"Work and precision", "wall time, s", "largest position error, m", true, true, {}};
  std::map<std::string, std::size_t> lines;
  for (const ValidationRow& row : report.rows) {
    if (!row.failure.empty()) continue;
    const auto [at, fresh] = lines.emplace(row.method, chart.lines.size());
    if (fresh) chart.lines.push_back({row.method, {}, {}, true});
    chart.lines[at->second].x.push_back(row.wall_seconds);
    chart.lines[at->second].y.push_back(row.position_error);
  }
  return chart;
}

}  // namespace

std::string toHtml(const std::string& model_name, const std::string& command, const ValidationReport& report) {
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Validation of " << escaped(model_name)
      << "</title><style>" << kStyle << "</style></head><body>\n<h1>Validation of " << escaped(model_name)
      << "</h1>\n<p><code>" << escaped(command) << "</code></p>\n<p class=\"verdict "
      << (report.interrupted ? "no\">Interrupted: what was done until then; no verdict."
          : report.trusted   ? "yes\">The real-time result can be trusted."
                             : "no\">The real-time result is not to be trusted.")
      << "</p>\n<ul>\n";
  for (const std::string& reason : report.reasons) out << "<li>" << escaped(reason) << "</li>\n";
  out << "</ul>\n<p>Reference: " << escaped(report.reference) << "; it differs by " << shown(report.reference_error)
      << " m from itself at a hundredfold tolerance and longer steps.</p>\n"
      << comparison(report) << "<p>Constraints: largest norms at position, velocity and acceleration level.</p>\n"
      << toSvg(workPrecision(report))
      << toSvg({"Position error of the real-time solver",
                "t, s",
                "m",
                false,
                true,
                {{"error", report.t, report.position_error, false}}})
      << toSvg({"Energy of the real-time solver",
                "t, s",
                "J since the start",
                false,
                false,
                {{"energy.total", report.t, report.energy_drift, false}}});
  if (report.spectrum.dominant > 0)
    out << toSvg({"Spectrum of the position errors of the real-time solver",
                  "Hz",
                  "m",
                  false,
                  true,
                  {{"error", report.spectrum.frequency, report.spectrum.amplitude, false}}})
        << "<p>The errors vary most at " << shown(report.spectrum.dominant) << " Hz; "
        << shown(100 * report.spectrum.fast_share)
        << " % of their square lies above half the highest frequency that the samples show.</p>\n";
  out << "<h2>Signals</h2>\n<p>Largest errors of each method at the chosen step.</p>\n"
      << signalTable(report) << "</body></html>\n";
  return out.str();
}

}  // namespace tactus::server
