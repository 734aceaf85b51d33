#include "server/import/lane_marks.h"

#include <map>
#include <optional>
#include <string>

namespace tactus::server {
namespace {

constexpr std::size_t kMostLaneMarks = 100'000;             ///< of one lane
constexpr double kStandardWidth = 0.12, kBoldWidth = 0.25;  ///< of a mark without a width, m
constexpr double kDash = 3, kGap = 6;                       ///< of a broken mark without lines, m

Eigen::Vector3d colorOf(const XmlNode& mark) {
  const std::string name = mark.text("color", "standard");
  static const std::map<std::string, Eigen::Vector3d> kColors = {
      {"standard", {1, 1, 1}},    {"white", {1, 1, 1}},        {"yellow", {1, 0.8, 0}},
      {"orange", {1, 0.5, 0}},    {"red", {0.8, 0.1, 0.1}},    {"blue", {0.1, 0.3, 0.8}},
      {"green", {0.1, 0.6, 0.2}}, {"violet", {0.5, 0.2, 0.7}}, {"black", {0.05, 0.05, 0.05}}};
  const auto known = kColors.find(name);
  if (known != kColors.end()) return known->second;
  mark.report().defaulted(mark.place("color"), LossEffect::kPicture, "is no color of OpenDRIVE: white");
  return Eigen::Vector3d::Ones();
}

/// The lines of "solid broken" from the inside outwards.
std::vector<LaneMark> linesOfType(const XmlNode& node, const std::string& type, const LaneMark& line) {
  LaneMark broken = line;
  broken.dash = kDash, broken.gap = kGap;
  if (type == "solid") return {line};
  if (type == "broken") return {broken};
  const auto blank = type.find(' ');
  const auto isLine = [](const std::string& word) { return word == "solid" || word == "broken"; };
  if (blank == std::string::npos || !isLine(type.substr(0, blank)) || !isLine(type.substr(blank + 1))) {
    node.dropped("type", LossEffect::kPicture, "only solid and broken lines are drawn");
    return {};
  }
  // Side by side with a gap of their width.
  LaneMark inner = type.starts_with("solid") ? line : broken, outer = type.ends_with("solid") ? line : broken;
  inner.beside = -line.width, outer.beside = line.width;
  return {inner, outer};
}

}  // namespace

std::vector<LaneMark> readLaneMarks(const XmlNode& lane) {
  std::vector<LaneMark> marks;
  for (const XmlNode& node : lane.children("roadMark")) {
    node.markRead();
    for (const char* other : {"material", "laneChange", "height"}) node.markRead(other);
    LaneMark line;
    line.from = node.number("sOffset", 0);
    if (!marks.empty() && line.from < marks.back().from)
      node.error("sOffset", "must not be before that of the mark before it");
    line.width = node.number("width", node.text("weight", "standard") == "bold" ? kBoldWidth : kStandardWidth);
    node.markRead("weight");
    line.color = colorOf(node);
    if (!(line.width >= 0 && line.width <= 5)) node.error("width", "must be from 0 to 5 m");
    const std::string type = node.text("type", "none");
    std::vector<LaneMark> lines;
    if (const auto own = node.child("type")) {
      own->markRead();
      own->markRead("name");
      for (const XmlNode& part : own->children("line")) {
        part.markRead();
        for (const char* other : {"rule", "color", "sOffset"}) part.markRead(other);
        LaneMark one = line;
        one.dash = part.number("length", 0), one.gap = part.number("space", 0);
        if (!(one.dash >= 0 && one.gap >= 0)) part.error("length", "length and space must not be below zero");
        if (one.gap == 0) one.dash = 0;
        one.beside = part.number("tOffset", 0);
        one.width = part.number("width", line.width);
        lines.push_back(one);
      }
      if (const auto width = own->number("width"); width && !node.has("width"))
        for (LaneMark& one : lines) one.width = *width;
    } else if (type != "none") {
      lines = linesOfType(node, type, line);
    }
    if (lines.empty()) {  // it ends the mark before it
      line.width = 0;
      lines.push_back(line);
    }
    marks.insert(marks.end(), lines.begin(), lines.end());
    if (marks.size() > kMostLaneMarks) {
      node.refuse("", "must have at most 100 000 marks");
      break;
    }
  }
  return marks;
}

}  // namespace tactus::server
