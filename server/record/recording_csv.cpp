#include "server/record/recording_csv.h"

#include "rt/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

/// A CSV that takes the place of an earlier file when it is closed: whatever fails before leaves that file as it was.
class CsvFile {
 public:
  CsvFile(const std::string& path, const std::vector<std::string>& columns) : path_(path) {
    struct stat former {};
    const bool exists = ::stat(path.c_str(), &former) == 0;
    // A pipe or a device has no place to take.
    if (exists && !S_ISREG(former.st_mode)) {
      file_.reset(std::fopen(path.c_str(), "w"));
    } else {
      require(!exists || ::access(path.c_str(), W_OK) == 0);
      target_ = exists ? std::filesystem::canonical(path).string() : path;
      draft_.path = target_ + ".draft" + std::to_string(::getpid());
      file_.reset(std::fopen(draft_.path.c_str(), "wx"));
      require(file_ != nullptr);
      require(!exists || ::fchmod(::fileno(file_.get()), former.st_mode & 07777) == 0);
    }
    require(file_ != nullptr);
    std::string line = "t";
    for (const std::string& name : columns) line += "," + name;
    require(std::fprintf(file_.get(), "%s\n", line.c_str()) > 0);
  }

  void append(double t, std::span<const double> values) {
    bool written = std::fprintf(file_.get(), "%.17g", t) > 0;
    for (const double value : values) written = std::fprintf(file_.get(), ",%.17g", value) > 0 && written;
    require(written && std::fputc('\n', file_.get()) != EOF);
  }

  void close() {
    require(std::fclose(file_.release()) == 0);
    if (draft_.path.empty()) return;
    require(std::rename(draft_.path.c_str(), target_.c_str()) == 0);
    draft_.path.clear();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  /// Removed unless it has become the file.
  struct Draft {
    ~Draft() {
      if (!path.empty()) ::unlink(path.c_str());
    }
    std::string path;  ///< empty for a pipe
  };
  void require(bool written) const {
    if (!written) throw Error(path_ + ": " + std::strerror(errno));
  }

  const std::string path_;
  std::string target_;  ///< the file behind links
  Draft draft_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// The source of the values of a column.
struct Column {
  bool input;  ///< true: the recorded inputs; false: the recorded signals
  std::size_t index;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The names of the columns.
std::vector<std::string> columnNames(const RecordingReader& recording, const CsvChoice& choice) {
  if (choice.inputs) return recording.inputNames();
  if (!choice.signals.empty()) {
    const RecordedSession session(recording.setup());
    std::vector<std::string> names;
    for (const int i : session.signals().resolve(choice.signals))
      names.push_back(session.signals().signals()[static_cast<std::size_t>(i)].name);
    return names;
  }
  std::vector<std::string> names = recording.signalNames();
  for (const std::string& input : recording.inputNames())
    if (!contains(names, input)) names.push_back(input);
  return names;
}

}  // namespace

bool needsReplay(const RecordingReader& recording, const CsvChoice& choice) {
  for (const std::string& name : columnNames(recording, choice))
    if (!contains(recording.inputNames(), name) && !contains(recording.signalNames(), name)) return true;
  return false;
}

CsvReport writeCsv(RecordingReader& recording, const CsvChoice& choice, const std::string& path) {
  if (choice.inputs && choice.every != 1)
    throw Error("the inputs of every N-th tick do not make the same run: leave out --every, or --inputs");
  const std::vector<std::string> names = columnNames(recording, choice);
  CsvReport report;
  report.computed = needsReplay(recording, choice);

  // Computed columns come from a session that replays the rows.
  std::optional<RecordedSession> session;
  std::optional<rt::SignalReader> reader;
  if (report.computed) {
    session.emplace(recording.setup());
    reader.emplace(session->signals(), indicesOf(session->signals(), names));
  }
  bool needs_signals = false;
  std::vector<Column> columns;
  const auto indexIn = [](const std::vector<std::string>& list, const std::string& name) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), name) - list.begin());
  };
  for (const std::string& name : names) {
    if (contains(recording.inputNames(), name)) {
      columns.push_back({true, indexIn(recording.inputNames(), name)});
    } else {
      columns.push_back({false, indexIn(recording.signalNames(), name)});
      needs_signals = true;
    }
  }

  CsvFile file(path, names);
  const double period = static_cast<double>(recording.setup().settings().period_ns());
  std::vector<double> values(names.size()), inputs(recording.inputNames().size());
  RecordedRow row;
  std::optional<std::int64_t> before;
  while (recording.next(row)) {
    if (session) session->follow(row);
    if (row.has_new_inputs) inputs = row.inputs;
    if (choice.inputs && row.begins && before && row.tick <= *before)
      throw Error("the session began again at tick " + std::to_string(row.tick) + ", after tick " +
                  std::to_string(*before) + ": the inputs of several runs do not fit into one file");
    before = row.tick;
    if (row.faulted() || row.tick % choice.every != 0) continue;
    if (choice.inputs && (!row.has_new_inputs || row.tick == 0)) continue;
    if (!session && needs_signals && !row.has_signals) continue;
    if (session) {
      reader->read(session->snapshot(), values);
    } else {
      for (std::size_t i = 0; i < columns.size(); ++i)
        values[i] = columns[i].input ? inputs[columns[i].index] : row.signals[columns[i].index];
    }
    file.append(static_cast<double>(row.tick) * period * 1e-9, values);
    ++report.rows;
  }
  file.close();
  return report;
}

}  // namespace tactus::server
