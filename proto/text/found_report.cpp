#include "proto/text/found_report.h"

#include "proto/text/report_line.h"
#include "proto/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tactus::text {

namespace {

using Json = nlohmann::ordered_json;
using Numbers = google::protobuf::RepeatedField<double>;

std::vector<double> listOf(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::string signalsText(const v1::FoundState& found) {
  Table table({"signal", "value", "unit"}, "lrl");
  for (const v1::LinearVariable& signal : found.signals())
    table.add({signal.name(), fmt::format("{:.8g}", signal.value()), signal.unit()});
  return table.text();
}

Json signalsJson(const v1::FoundState& found) {
  Json json = Json::object();
  for (const v1::LinearVariable& signal : found.signals()) json[signal.name()] = signal.value();
  return json;
}

std::vector<std::string> outOfRange(const v1::FoundState& found) {
  std::vector<std::string> names;
  for (const v1::FoundInput& input : found.inputs())
    if (input.out_of_range()) names.push_back(input.name());
  return names;
}

std::string reactionsText(const v1::FoundState& found) {
  Table table({"joint", "force x N", "y", "z", "torque x N m", "y", "z"}, "lrrrrrr");
  for (const v1::FoundReaction& reaction : found.reactions()) {
    std::vector<std::string> cells = {reaction.joint()};
    for (const double value : reaction.force()) cells.push_back(fmt::format("{:.6g}", value));
    for (const double value : reaction.torque()) cells.push_back(fmt::format("{:.6g}", value));
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::string equilibriumText(const v1::FoundState& found) {
  const v1::FoundEquilibrium& e = found.equilibrium();
  std::string text =
      reportLine("free motions", "{}; {} constraint rows are redundant", e.freedoms(), e.redundant_rows());
  std::uint32_t iterations = 0;  // a trim that follows has its own
  for (const v1::LoadStep& step : e.steps()) iterations += step.iterations();
  text += reportLine("load steps", "{} with {} iterations, {} halved", e.steps_size(), iterations, e.failed_steps());
  if (!found.has_trim())
    text += reportLine("residual", "{:.2g} of the largest load; |Phi| {:.2g} m", found.residual(), e.violation());
  if (e.indifferent() > 0)
    text += reportLine("indifferent", "{} free motions have no stiffness and keep their place", e.indifferent());
  text += reportLine("stability", "{}",
                     e.unstable() == 0 ? "no direction in which the loads pull away"
                                       : fmt::format("unstable in {} directions", e.unstable()));
  if (e.singular())
    text += reportLine("singular pose",
                       "the constraint rows have rank {} here and {} where the search begins: free motions, "
                       "stability and reactions are not determined",
                       e.rank(), e.rank_at_start());
  if (found.has_trim()) return text;
  if (e.redundant_rows() > 0)
    text += "reactions of redundant rows are one of many solutions: the smallest multipliers\n";
  text += "\nreactions on the second body\n" + reactionsText(found);
  if (found.signals_size() > 0) text += '\n' + signalsText(found);
  return text;
}

Json equilibriumJson(const v1::FoundState& found) {
  const v1::FoundEquilibrium& e = found.equilibrium();
  Json json = {
      {"free_motions", e.freedoms()},    {"redundant_rows", e.redundant_rows()}, {"residual", found.residual()},
      {"violation", e.violation()},      {"indifferent", e.indifferent()},       {"unstable", e.unstable()},
      {"singular", e.singular()},        {"rank_at_start", e.rank_at_start()},   {"rank", e.rank()},
      {"failed_steps", e.failed_steps()}};
  json["steps"] = Json::array();
  for (const v1::LoadStep& step : e.steps())
    json["steps"].push_back(
        {{"share", step.share()}, {"iterations", step.iterations()}, {"residual", step.residual()}});
  json["bodies"] = Json::object();
  for (const v1::BodyState& body : found.bodies())
    json["bodies"][body.body()] = {{"position", listOf(body.position())}, {"orientation", listOf(body.orientation())}};
  json["reactions"] = Json::object();
  for (const v1::FoundReaction& reaction : found.reactions())
    json["reactions"][reaction.joint()] = {{"force", listOf(reaction.force())}, {"torque", listOf(reaction.torque())}};
  json["signals"] = signalsJson(found);
  return json;
}

std::string trimText(const v1::FoundState& found, bool moving) {
  std::string text = reportLine("iterations", "{}, residual {:.2g}", found.iterations(), found.residual());
  const Numbers& turning = found.trim().turning();
  if (moving && turning.size() == 3)
    text += reportLine("turning", "{:.8g}, {:.8g}, {:.8g} rad/s about the axes of the world", turning[0], turning[1],
                       turning[2]);
  for (const std::string& name : outOfRange(found))
    text += reportLine("out of range", "input '{}' is beyond its limits", name);
  Table inputs({"input", "value", ""}, "lrl");
  for (const v1::FoundInput& input : found.inputs())
    inputs.add({input.name(), fmt::format("{:.8g}", input.value()), input.free() ? "free" : "held"});
  text += '\n' + inputs.text();
  return text + '\n' + signalsText(found);
}

Json trimJson(const v1::FoundState& found) {
  Json json = {{"iterations", found.iterations()},
               {"residual", found.residual()},
               {"turning", listOf(found.trim().turning())},
               {"out_of_range", outOfRange(found)}};
  json["inputs"] = Json::object();
  for (const v1::FoundInput& input : found.inputs()) json["inputs"][input.name()] = input.value();
  json["signals"] = signalsJson(found);
  return json;
}

bool hasFinding(const v1::FoundState& found) {
  if (found.has_trim()) return !outOfRange(found).empty();
  return found.equilibrium().unstable() > 0 || found.equilibrium().singular();
}

}  // namespace tactus::text
