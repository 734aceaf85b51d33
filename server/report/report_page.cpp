#include "server/report/report_page.h"

#include "rt/error.h"
#include "server/report/line_chart.h"

#include <fstream>
#include <sstream>

namespace tactus::server {
namespace {

const char* const kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem "
    ".5rem;text-align:right;white-space:nowrap;border-bottom:1px solid "
    "#ddd}"
    "td:first-child,th:first-child{text-align:left}svg{width:100%;max-width:48rem;font:12px sans-serif}"
    ".grid line{stroke:#ddd}.title{font-weight:bold}.verdict{font-size:1.3rem;padding:.6rem 1rem;border-left:6px solid}"
    ".wide{overflow-x:auto}.good{border-color:#4f8f4f;background:#eef6ee}.mixed{border-color:#d08a00;background:#"
    "fbf5e6}"
    ".bad{border-color:#c0504d;background:#f9eeee}code{background:#f3f3f3;overflow-wrap:anywhere}";

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

}  // namespace

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
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" << escaped(head.title)
      << "</title><style>" << kStyle << "</style></head><body>\n<h1>" << escaped(head.title)
      << "</h1>\n<p class=\"verdict " << classOf(head.tone) << "\">" << escaped(head.verdict);
  if (!head.deciding.empty()) out << "<br><small>" << escaped(head.deciding) << "</small>";
  out << "</p>\n<p><code>" << escaped(head.origin.command) << "</code><br>" << escaped(head.origin.made) << "</p>\n"
      << listOf(head.reasons) << body << "</body></html>\n";
  return out.str();
}

void writePage(const std::string& path, const std::string& page) {
  std::ofstream file(path);
  file << page;
  file.close();
  if (!file) throw Error(path + ": cannot be written");
}

}  // namespace tactus::server
