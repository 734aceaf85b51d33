#include "server/model_io/tyre_entries.h"

#include "server/model_io/data_word.h"
#include "server/model_io/tyre_file.h"

#include <algorithm>
#include <utility>

namespace tactus::server {
namespace {

bool fail(TyreProblem& problem, int line, std::string value, std::string rule, std::string hint = {}) {
  problem = {line, std::move(value), std::move(rule), std::move(hint)};
  return false;
}

}  // namespace

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
      if (at == std::string_view::npos) return fail(problem, line, shortWord(row), std::string("must end in ") + close);
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
      return fail(problem, line, shortWord(row), "must be NAME = value, a section in brackets or a comment behind $");
  }
  return true;
}

bool TyreEntries::readEntry(const std::string& section, std::string_view name_text, std::string_view value_text,
                            int line, TyreProblem& problem) {
  const std::string name = upperCase(withoutBlanks(name_text));
  TyreEntry entry{section, {}, std::nullopt, line};
  std::string_view value = withoutBlanks(value_text);
  if (name.empty()) return fail(problem, line, shortWord(value_text), "must have a name before =");
  if (!value.empty() && (value.front() == '\'' || value.front() == '"')) {
    const std::size_t close = value.find(value.front(), 1);
    if (close == std::string_view::npos) return fail(problem, line, shortWord(value), "must end in a quote");
    entry.text = withoutBlanks(value.substr(1, close - 1));
  } else {
    value = withoutBlanks(value.substr(0, value.find_first_of("$!")));
    entry.text = value;
    entry.number = fortranNumber(value);
    if (!entry.number && entry.isOfNumbers())
      return fail(problem, line, shortWord(name + " = " + std::string(value)), "must be a finite number");
  }
  // UNITS name several things that other sections name, too.
  const std::string key = section == "UNITS" ? "UNITS." + name : name;
  if (const auto [known, is_new] = entries_.emplace(key, entry); !is_new && entry.isOfNumbers())
    return fail(problem, line, shortWord(name), "must be given once",
                "it is given before in line " + std::to_string(known->second.line));
  return true;
}

}  // namespace tactus::server
