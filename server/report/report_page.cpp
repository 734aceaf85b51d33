#include "server/report/report_page.h"

#include "server/report/line_chart.h"

#include <cctype>
#include <cstddef>
#include <istream>
#include <sstream>
#include <string_view>

namespace tactus::server {
namespace {

/// By these a page is recognized, also that of another version.
constexpr std::string_view kPageBegin = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
constexpr std::string_view kVerdict = "<p class=\"verdict ";

/// Colors of the text, the ground, rules, and boxes by tone; a table may be wider than the text. Lines of charts have
/// the classes c0 to c7.
const char* const kStyle = R"(
:root{color-scheme:light dark;--ink:#222;--paper:#fff;--rule:#ddd;--code:#f3f3f3;
--good:#4f8f4f;--mixed:#d08a00;--bad:#c0504d;--good-box:#eef6ee;--mixed-box:#fbf5e6;--bad-box:#f9eeee}
body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:var(--ink);
background:var(--paper)}
table{border-collapse:collapse;margin:1rem auto}
td,th{padding:.2rem .5rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
td:first-child,th:first-child{text-align:left}
.wide{overflow-x:auto;width:max-content;min-width:100%;max-width:calc(100vw - 3rem);position:relative;left:50%;
transform:translateX(-50%)}
svg{width:100%;max-width:48rem;font:12px system-ui,sans-serif}
svg text{fill:currentColor}
.grid line{stroke:var(--rule)}
.title{font-weight:bold}
.verdict{font-size:1.3rem;padding:.6rem 1rem;border-left:6px solid}
.good{border-color:var(--good);background:var(--good-box)}
.mixed{border-color:var(--mixed);background:var(--mixed-box)}
.bad{border-color:var(--bad);background:var(--bad-box)}
.failed{border-left:6px solid var(--bad)}
nav a{margin-right:1rem}
a{color:inherit}
code{background:var(--code);overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){
:root{--ink:#ddd;--paper:#16181b;--rule:#3a3d42;--code:#24272b;
--good-box:#1c2a1e;--mixed-box:#2e2715;--bad-box:#301d1d}
.c0{color:#7fb2e5}.c1{color:#e58a87}.c2{color:#86c486}.c3{color:#b9a1d6}.c4{color:#e5b04d}.c5{color:#5fd0d0}
.c6{color:#b5b5b5}.c7{color:#e07fb8}}
@media print{
:root{--ink:#000;--paper:#fff;--rule:#bbb;--code:#fff;--good-box:#fff;--mixed-box:#fff;--bad-box:#fff}
body{max-width:none;margin:0;font-size:10pt}
nav{display:none}
.wide{overflow:visible;max-width:none;width:auto;left:0;transform:none}
td,th{white-space:normal;padding:.1rem .3rem;font-size:8pt}
svg,.verdict,tr{break-inside:avoid}
h2{break-after:avoid}}
)";

const char* classOf(Tone tone) {
  switch (tone) {
    case Tone::kGood: return "good";
    case Tone::kMixed: return "mixed";
    case Tone::kBad: return "bad";
  }
  return "bad";
}

std::string rowOf(const std::vector<std::string>& cells, const std::string& tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text.append("<" + tag + ">").append(escaped(cell)).append("</" + tag + ">");
  return text + "</tr>\n";
}

/// Whether a reason has a mark: "no: ..." or "accuracy, no: ...".
bool isMarked(const std::string& reason, const std::string& mark) {
  return reason.starts_with(mark) || reason.find(", " + mark) < reason.find(": ");
}

/// The reasons of a verdict: what does not hold, then notes, then what holds.
std::string reasonsOf(const std::vector<std::string>& reasons) {
  std::vector<std::string> failed, passed, others;
  for (const std::string& reason : reasons)
    (isMarked(reason, "no: ") ? failed : isMarked(reason, "ok: ") ? passed : others).push_back(reason);
  std::string text;
  if (!failed.empty()) text += "<div class=\"failed\">" + listOf(failed) + "</div>\n";
  if (!others.empty()) text += listOf(others);
  if (!passed.empty()) text += "<p>Passed:</p>\n" + listOf(passed);
  return text;
}

/// A link to each section of a page.
std::string linksOf(const std::string& body) {
  static const std::string kBegin = "<h2 id=\"";
  std::string links;
  for (std::size_t at = body.find(kBegin); at != std::string::npos; at = body.find(kBegin, at + 1)) {
    const std::size_t id = at + kBegin.size(), close = body.find("\">", id), end = body.find("</h2>", close);
    links += "<a href=\"#" + body.substr(id, close - id) + "\">" + body.substr(close + 2, end - close - 2) + "</a>\n";
  }
  return links.empty() ? "" : "<nav>" + links + "</nav>\n";
}

}  // namespace

bool isReportPage(std::istream& file) {
  constexpr std::size_t kHead = 16384;  // bytes; style and verdict take a quarter of it
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head.starts_with(kPageBegin) && head.find(kVerdict) != std::string::npos;
}

std::string sectionOf(const std::string& title) {
  std::string id;
  for (const char c : title) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return "<h2 id=\"" + id + "\">" + escaped(title) + "</h2>\n";
}

std::string tableOf(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<div class=\"wide\"><table>\n" + rowOf(head, "th");
  for (const std::vector<std::string>& row : rows) text += rowOf(row, "td");
  return text + "</table></div>\n";
}

std::string listOf(const std::vector<std::string>& items) {
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += "<li>" + escaped(item) + "</li>\n";
  return text + "</ul>\n";
}

std::string pageOf(const PageHead& head, const std::string& body) {
  std::ostringstream out;
  out << kPageBegin << "<meta name=\"viewport\" content=\"width=device-width\"><title>" << escaped(head.title)
      << "</title><style>" << kStyle << "</style></head><body>\n<h1>" << escaped(head.title) << "</h1>\n"
      << kVerdict << classOf(head.tone) << "\">" << escaped(head.verdict);
  if (!head.deciding.empty()) out << "<br><small>" << escaped(head.deciding) << "</small>";
  out << "</p>\n<p><code>" << escaped(head.origin.command) << "</code><br>" << escaped(head.origin.made) << "</p>\n"
      << linksOf(body) << reasonsOf(head.reasons) << body << "</body></html>\n";
  return out.str();
}

}  // namespace tactus::server
