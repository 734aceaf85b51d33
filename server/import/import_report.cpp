#include "server/import/import_report.h"

#include "proto/text/json_text.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tactus::server {
namespace {

constexpr std::size_t kMaxErrors = 200;

const char* nameOf(LossKind kind) {
  return kind == LossKind::kDropped ? "dropped" : kind == LossKind::kApproximated ? "approximated" : "defaulted";
}

const char* nameOf(LossEffect effect) {
  return effect == LossEffect::kMotion ? "motion" : effect == LossEffect::kPicture ? "picture" : "nothing";
}

/// The element without the names in it: joint/limit.
std::string withoutNames(const std::string& element) {
  std::string kind;
  bool in_name = false;
  for (const char c : element) {
    if (c == '"') {
      if (!in_name && !kind.empty() && kind.back() == ' ') kind.pop_back();
      in_name = !in_name;
    } else if (!in_name) {
      kind += c;
    }
  }
  return kind;
}

std::size_t count(const ImportReport& report, LossKind kind) {
  return static_cast<std::size_t>(std::count_if(report.losses().begin(), report.losses().end(),
                                                [kind](const Loss& loss) { return loss.kind == kind; }));
}

bool before(const SourcePlace& a, const SourcePlace& b) {
  return std::tie(a.file, a.line) < std::tie(b.file, b.line);
}

nlohmann::ordered_json toJson(const SourcePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"element", place.element}};
}

}  // namespace

void ImportReport::error(SourcePlace place, std::string value, std::string rule, std::string hint) {
  if (errors_.size() < kMaxErrors)
    errors_.push_back({std::move(place), std::move(value), std::move(rule), std::move(hint)});
}

std::size_t ImportReport::motionLosses() const noexcept {
  return static_cast<std::size_t>(std::count_if(losses_.begin(), losses_.end(),
                                                [](const Loss& loss) { return loss.effect == LossEffect::kMotion; }));
}

void ImportReport::sort() {
  std::stable_sort(losses_.begin(), losses_.end(),
                   [](const Loss& a, const Loss& b) { return before(a.place, b.place); });
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const ImportError& a, const ImportError& b) { return before(a.place, b.place); });
}

std::string toString(const ImportError& error) {
  std::string text = error.place.file;
  if (error.place.line > 0) text += ':' + std::to_string(error.place.line);
  text += ": ";
  if (!error.place.element.empty()) text += error.place.element;
  if (!error.value.empty()) text += (error.place.element.empty() ? "" : " = ") + error.value;
  if (!error.place.element.empty() || !error.value.empty()) text += ": ";
  text += error.rule;
  if (!error.hint.empty()) text += " (" + error.hint + ')';
  return text;
}

std::string lossSummary(const ImportReport& report) {
  if (report.losses().empty()) return "nothing dropped, approximated or defaulted";
  return std::to_string(count(report, LossKind::kDropped)) + " dropped, " +
         std::to_string(count(report, LossKind::kApproximated)) + " approximated, " +
         std::to_string(count(report, LossKind::kDefaulted)) + " defaulted; " + std::to_string(report.motionLosses()) +
         " of them can change the motion";
}

std::string lossText(const ImportReport& report) {
  struct Group {
    const Loss* first;
    std::vector<int> lines;
  };
  std::vector<Group> groups;
  std::map<std::tuple<LossKind, std::string, std::string, std::string>, std::size_t> known;
  for (const Loss& loss : report.losses()) {
    const auto key = std::tuple(loss.kind, loss.place.file, withoutNames(loss.place.element), loss.reason);
    const auto [found, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.push_back({&loss, {}});
    groups[found->second].lines.push_back(loss.place.line);
  }
  std::string text;
  for (const Group& group : groups) {
    const Loss& loss = *group.first;
    text += loss.place.file;
    if (loss.place.line > 0) text += ':' + std::to_string(loss.place.line);
    text += std::string(": ") + nameOf(loss.kind) + ": ";
    text += group.lines.size() == 1 ? loss.place.element : withoutNames(loss.place.element);
    text += ": " + loss.reason;
    if (loss.effect == LossEffect::kMotion) text += " [motion]";
    if (group.lines.size() > 1) {
      text += "; " + std::to_string(group.lines.size()) + " times, lines";
      for (std::size_t i = 0; i < group.lines.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::to_string(group.lines[i]);
    }
    text += '\n';
  }
  return text;
}

std::string lossJson(const ImportReport& report) {
  nlohmann::ordered_json json = {{"losses", nlohmann::ordered_json::array()},
                                 {"errors", nlohmann::ordered_json::array()}};
  for (const Loss& loss : report.losses()) {
    nlohmann::ordered_json entry = toJson(loss.place);
    entry["kind"] = nameOf(loss.kind);
    entry["changes"] = nameOf(loss.effect);
    entry["reason"] = loss.reason;
    json["losses"].push_back(std::move(entry));
  }
  for (const ImportError& error : report.errors()) {
    nlohmann::ordered_json entry = toJson(error.place);
    entry["value"] = error.value;
    entry["rule"] = error.rule;
    entry["hint"] = error.hint;
    json["errors"].push_back(std::move(entry));
  }
  return text::jsonText(json);
}

}  // namespace tactus::server
