#include "server/record/recording_diff.h"

#include "server/record/snapshot_message.h"

#include <algorithm>
#include <utility>

namespace tactus::server {

namespace {

/// Reads one recording. A position is the number of restarts before a tick, and the tick. That of a failed step is the
/// tick that it was to make, although the row has the number of the last good one.
class Side {
 public:
  explicit Side(const std::string& path) : reader(path), inputs(reader.inputNames().size()) { advance(); }

  using Position = std::pair<std::uint64_t, std::int64_t>;
  Position position() const { return {again_, place()}; }

  void advance() {
    const std::int64_t before = place();
    valid = reader.next(row);
    if (!valid) return;
    if (begun_ && place() <= before) ++again_;
    begun_ = true;
    if (row.has_state && row.begins) inputs.assign(row.state.inputs().begin(), row.state.inputs().end());
    if (row.has_new_inputs) inputs = row.inputs;
  }

  RecordingReader reader;
  RecordedRow row;
  std::vector<double> inputs;  ///< in force
  bool valid = false;

 private:
  std::int64_t place() const noexcept { return row.tick + (row.faulted() ? 1 : 0); }

  std::uint64_t again_ = 0;
  bool begun_ = false;
};

/// Indices of the names that both lists hold.
std::vector<std::pair<std::size_t, std::size_t>> commonNames(const std::vector<std::string>& a,
                                                             const std::vector<std::string>& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const auto found = std::find(b.begin(), b.end(), a[i]); found != b.end())
      pairs.emplace_back(i, static_cast<std::size_t>(found - b.begin()));
  return pairs;
}

Difference differenceOf(std::int64_t tick, const std::string& signal, double a, double b) {
  return {tick, signal, a, b, ulpDistance(a, b), "", ""};
}

class RowDiff {
 public:
  RowDiff(const RecordingReader& a, const RecordingReader& b)
      : inputs_(commonNames(a.inputNames(), b.inputNames())),
        signals_(commonNames(a.signalNames(), b.signalNames())),
        input_names_(a.inputNames()),
        signal_names_(a.signalNames()) {}

  /// Both are at the same position.
  std::optional<Difference> compare(const Side& a, const Side& b) const {
    const std::int64_t tick = a.position().second;
    for (const auto& [i, j] : inputs_)
      if (!sameBits(a.inputs[i], b.inputs[j])) return differenceOf(tick, input_names_[i], a.inputs[i], b.inputs[j]);
    // A failed step has no signals and no state of its own.
    if (a.row.faulted() != b.row.faulted()) {
      const auto wordOf = [](const Side& side) { return side.row.faulted() ? "the step failed" : "ok"; };
      return Difference{tick, "status", 0, 0, 0, wordOf(a), wordOf(b)};
    }
    if (a.row.has_signals && b.row.has_signals)
      for (const auto& [i, j] : signals_)
        if (!sameBits(a.row.signals[i], b.row.signals[j]))
          return differenceOf(tick, signal_names_[i], a.row.signals[i], b.row.signals[j]);
    if (a.row.state_hash == b.row.state_hash) return {};
    return Difference{tick, "state hash", 0, 0, 0, rt::formatHash(a.row.state_hash), rt::formatHash(b.row.state_hash)};
  }

 private:
  const std::vector<std::pair<std::size_t, std::size_t>> inputs_, signals_;
  const std::vector<std::string> input_names_, signal_names_;
};

/// Values of every signal at a position, by running the recording up to it.
std::vector<double> valuesAt(const std::string& path, Side::Position position, std::vector<std::string>& names) {
  Side side(path);
  RecordedSession session(side.reader.setup());
  while (side.valid) {
    session.follow(side.row);
    if (side.position() == position) break;
    side.advance();
  }
  const rt::SignalDirectory& directory = session.signals();
  rt::SignalReader reader(directory, directory.resolve({"*"}));
  std::vector<double> values(reader.indices().size());
  reader.read(session.snapshot(), values);
  for (const rt::Signal& signal : directory.signals()) names.push_back(signal.name);
  return values;
}

/// Names the signal whose values make the hashes differ.
std::optional<Difference> computed(const std::string& path_a, const std::string& path_b, Side::Position position) {
  std::vector<std::string> names_a, names_b;
  const std::vector<double> a = valuesAt(path_a, position, names_a), b = valuesAt(path_b, position, names_b);
  for (const auto& [i, j] : commonNames(names_a, names_b))
    if (!sameBits(a[i], b[j])) return differenceOf(position.second, names_a[i], a[i], b[j]);
  return {};
}

}  // namespace

DiffReport diffRecordings(const std::string& path_a, const std::string& path_b, const v1::BuildStamp& here) {
  Side a(path_a), b(path_b);
  const v1::RecordingSetup &setup_a = a.reader.setup(), &setup_b = b.reader.setup();
  DiffReport report;
  report.same_model = setup_a.model_hash() == setup_b.model_hash();
  report.same_settings = setup_a.settings().SerializeAsString() == setup_b.settings().SerializeAsString();
  report.same_build = sameBuild(setup_a.build(), setup_b.build());

  const RowDiff rows(a.reader, b.reader);
  while (a.valid && b.valid && !report.difference) {
    if (a.position() < b.position()) {
      ++report.only_a;
      a.advance();
    } else if (b.position() < a.position()) {
      ++report.only_b;
      b.advance();
    } else {
      ++report.compared;
      report.last_tick = std::min(a.row.tick, b.row.tick);
      report.difference = rows.compare(a, b);
      if (report.difference) break;
      a.advance();
      b.advance();
    }
  }
  const Side::Position end = a.position();
  // To the ends of both files, which say whether they are whole.
  for (; a.valid; a.advance()) report.only_a += report.difference ? 0 : 1;
  for (; b.valid; b.advance()) report.only_b += report.difference ? 0 : 1;
  for (const auto& [side, problem] : {std::pair{&a, &report.problem_a}, {&b, &report.problem_b}})
    if (!side->reader.complete()) *problem = side->reader.problem();

  const bool ours = sameBuild(setup_a.build(), here) && sameBuild(setup_b.build(), here);
  if (!report.difference || report.difference->signal != "state hash" || !ours) return report;
  if (auto named = computed(path_a, path_b, end)) {
    report.difference = named;
    report.computed = true;
  }
  return report;
}

}  // namespace tactus::server
