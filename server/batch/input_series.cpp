#include "server/batch/input_series.h"

#include "rt/error.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace tactus::server {
namespace {

/// A time that exceeds the end of a tick by less than this share of the period belongs to the tick: decimal times are
/// not exact.
constexpr double kTickTolerance = 1e-6;

/// Bytes of a line: 40 000 actuators with all their digits, which are more than a server takes bodies.
constexpr std::size_t kMaxLine = std::size_t{1} << 20;

/// @param[in] ticks  a time over the period
std::int64_t tickThatEndsAtOrAfter(double ticks) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(ticks - kTickTolerance)));
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // with which spreadsheets begin a file in UTF-8

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(trimmed(field));
  if (!line.empty() && line.back() == ',') fields.emplace_back();
  return fields;
}

/// Reads one CSV and knows the current line for messages.
class InputReader {
 public:
  InputReader(const std::string& name, const rt::Model& model, std::int64_t period_ns)
      : name_(name), model_(model), period_ns_(period_ns) {}

  std::vector<rt::ScriptedInput> read(std::istream& csv) {
    std::string line;
    std::vector<rt::ScriptedInput> script;
    std::vector<double> values = rt::ActuatorInput(model_).values;
    while (std::getline(csv, line)) {
      if (++line_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
      if (line.size() > kMaxLine) fail("the line has more than " + std::to_string(kMaxLine) + " bytes");
      if (trimmed(line).empty()) continue;
      if (columns_.empty()) {
        readHeader(fieldsOf(line));
        continue;
      }
      readRow(fieldsOf(line), values, script);
    }
    if (columns_.empty()) fail("the file has no header; begin it with t and names of actuators");
    return script;
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw Error(name_ + ":" + std::to_string(line_) + ": " + text);
  }

  void readHeader(const std::vector<std::string>& fields) {
    if (fields.front() != "t") fail("the first column is '" + fields.front() + "' and must be t, in seconds");
    std::set<std::string> seen;
    columns_.push_back(-1);
    for (std::size_t c = 1; c < fields.size(); ++c) {
      const auto it = std::find(model_.actuator_names.begin(), model_.actuator_names.end(), fields[c]);
      if (it == model_.actuator_names.end()) {
        const std::string nearest = rt::nearestName(fields[c], model_.actuator_names);
        fail("column '" + fields[c] + "' is not an actuator of model '" + model_.name + "'" +
             (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
      }
      if (!seen.insert(fields[c]).second) fail("column '" + fields[c] + "' occurs twice");
      columns_.push_back(static_cast<int>(it - model_.actuator_names.begin()));
    }
  }

  double number(const std::string& field, std::size_t column) const {
    double value = 0;
    // from_chars takes no +, and would take the - of "+-1".
    const bool plus = field.starts_with('+') && !field.starts_with("+-");
    const auto [end, error] = std::from_chars(field.data() + (plus ? 1 : 0), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
      fail("column " + std::to_string(column + 1) + ": '" + field + "' is not a finite number");
    return value;
  }

  std::int64_t tickOf(double t) const {
    const double ticks = t * 1e9 / static_cast<double>(period_ns_);
    constexpr double kMaxTicks = 9e15;  // below 2^53: a number of ticks that a double holds
    if (ticks > kMaxTicks) fail("t = " + rt::printed(t) + " s is too far: there are at most 9e15 ticks");
    return tickThatEndsAtOrAfter(ticks);
  }

  void readRow(const std::vector<std::string>& fields, std::vector<double>& values,
               std::vector<rt::ScriptedInput>& script) {
    if (fields.size() != columns_.size())
      fail("the row has " + std::to_string(fields.size()) + " fields, the header " + std::to_string(columns_.size()));
    const double t = number(fields[0], 0);
    if (t < 0 || (!script.empty() && t <= last_time_))
      fail("t = " + fields[0] + " must be at least 0 and rise from row to row");
    last_time_ = t;
    for (std::size_t c = 1; c < fields.size(); ++c) {
      const auto a = static_cast<std::size_t>(columns_[c]);
      const rt::Actuator& actuator = model_.actuators[a];
      values[a] = number(fields[c], c);
      if (values[a] < actuator.minimum || values[a] > actuator.maximum) {
        std::ostringstream text;
        text << model_.actuator_names[a] << " = " << fields[c] << " is outside its range " << actuator.minimum
             << " ... " << actuator.maximum;
        fail(text.str());
      }
    }
    // The last of several rows for one tick holds.
    const std::int64_t tick = tickOf(t);
    if (!script.empty() && script.back().tick == tick)
      script.back().values = values;
    else
      script.push_back({tick, values});
  }

  const std::string& name_;
  const rt::Model& model_;
  const std::int64_t period_ns_;
  int line_ = 0;
  double last_time_ = 0;
  std::vector<int> columns_;  ///< actuator of each column; -1 for t
};

}  // namespace

std::vector<rt::ScriptedInput> readInputSeries(std::istream& csv, const std::string& name, const rt::Model& model,
                                               std::int64_t period_ns) {
  return InputReader(name, model, period_ns).read(csv);
}

std::vector<rt::ScriptedInput> readInputSeriesFile(const std::string& path, const rt::Model& model,
                                                   std::int64_t period_ns) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // A pipe or a device may have no end.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(path + ": is not a regular file; write the rows into a file first");
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > kMaxInputFile)
    throw Error(path + ": has " + std::to_string(bytes) + " bytes, more than the " + std::to_string(kMaxInputFile) +
                " that a file of inputs may have; keep only the rows in which an input changes, or split the run");
  std::ifstream file(path);
  if (!file) throw Error(path + ": cannot be opened");
  return readInputSeries(file, path, model, period_ns);
}

rt::offline::InputSignal signalOf(const rt::Model& model, std::vector<rt::ScriptedInput> script, std::int64_t step_ns) {
  return [declared = rt::ActuatorInput(model).values, script = std::move(script),
          step = 1e-9 * static_cast<double>(step_ns)](double t, std::span<double> values) {
    const auto after = std::upper_bound(script.begin(), script.end(), tickThatEndsAtOrAfter(t / step),
                                        [](std::int64_t k, const rt::ScriptedInput& row) { return k < row.tick; });
    const std::vector<double>& row = after == script.begin() ? declared : std::prev(after)->values;
    std::copy(row.begin(), row.end(), values.begin());
  };
}

}  // namespace tactus::server
