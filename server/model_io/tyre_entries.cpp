#include "server/model_io/tyre_entries.h"

#include "rt/model/finding_list.h"
#include "rt/utf8.h"
#include "server/model_io/tyre_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace tactus::server {
namespace {

std::string_view withoutBlanks(std::string_view text) {
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool fail(TyreProblem& problem, int line, std::string value, std::string rule, std::string hint = {}) {
  problem = {line, std::move(value), std::move(rule), std::move(hint)};
  return false;
}

}  // namespace

std::string upperCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return out;
}

std::string shortTyreText(std::string_view text) {
  return rt::printed(rt::cutText(std::string(text.substr(0, 160)), 40));
}

bool TyreEntry::isOfNumbers() const {
  return section.find("COEFFICIENT") != std::string::npos || section == "VERTICAL" || section == "DIMENSION" ||
         section == "STRUCTURAL" || section == "INERTIA" || section == "OPERATING_CONDITIONS";
}

const TyreEntry* TyreEntries::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

bool TyreEntries::read(std::string_view text, TyreProblem& problem) {
  std::string section;
  int line = 0;
  bool in_table = false;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = withoutBlanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty() || row.front() == '$' || row.front() == '!' || row.front() == '#') continue;
    if (row.front() == '[' || row.front() == '(') {
      const char close = row.front() == '[' ? ']' : ')';
      const std::size_t at = row.find(close);
      if (at == std::string_view::npos)
        return fail(problem, line, shortTyreText(row), std::string("must end in ") + close);
      if (close == ']') section = upperCase(withoutBlanks(row.substr(1, at - 1)));
      in_table = close == ')' || section == "SHAPE";
      continue;
    }
    if (row.front() == '{') {
      in_table = true;  // the head of a table
      continue;
    }
    if (const std::size_t equals = row.find('='); equals != std::string_view::npos) {
      if (!readEntry(section, row.substr(0, equals), row.substr(equals + 1), line, problem)) return false;
      in_table = false;
      continue;
    }
    if (!in_table)
      return fail(problem, line, shortTyreText(row),
                  "must be NAME = value, a section in brackets or a comment behind $");
  }
  return true;
}

bool TyreEntries::readEntry(const std::string& section, std::string_view name_text, std::string_view value_text,
                            int line, TyreProblem& problem) {
  const std::string name = upperCase(withoutBlanks(name_text));
  TyreEntry entry{section, {}, std::nullopt, line};
  std::string_view value = withoutBlanks(value_text);
  if (name.empty()) return fail(problem, line, shortTyreText(value_text), "must have a name before =");
  if (!value.empty() && (value.front() == '\'' || value.front() == '"')) {
    const std::size_t close = value.find(value.front(), 1);
    if (close == std::string_view::npos) return fail(problem, line, shortTyreText(value), "must end in a quote");
    entry.text = withoutBlanks(value.substr(1, close - 1));
  } else {
    value = withoutBlanks(value.substr(0, value.find_first_of("$!")));
    entry.text = value;
    std::string number(value);
    // Fortran writes exponents with D.
    std::replace_if(
        number.begin(), number.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
    const char* begin = number.data() + (!number.empty() && number.front() == '+' ? 1 : 0);
    double parsed = 0;
    const auto read = std::from_chars(begin, number.data() + number.size(), parsed);
    const bool whole = read.ec == std::errc() && read.ptr == number.data() + number.size();
    if (whole && std::isfinite(parsed)) entry.number = parsed;
    if (!entry.number && entry.isOfNumbers())
      return fail(problem, line, shortTyreText(name + " = " + std::string(value)), "must be a finite number");
  }
  // UNITS name several things that other sections name, too.
  const std::string key = section == "UNITS" ? "UNITS." + name : name;
  if (const auto [known, is_new] = entries_.emplace(key, entry); !is_new && entry.isOfNumbers())
    return fail(problem, line, shortTyreText(name), "must be given once",
                "it is given before in line " + std::to_string(known->second.line));
  return true;
}

}  // namespace tactus::server
