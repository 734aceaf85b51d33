#include "clients/fmi/check.h"

#include "clients/engine/engine.h"
#include "clients/fmi/format/unit_file.h"
#include "clients/fmi/importer/call_record.h"
#include "clients/fmi/importer/loaded_unit.h"
#include "clients/fmi/importer/unit_symbols.h"
#include "clients/fmi/importer/unit_terminals.h"
#include "clients/fmi/importer/unpacked_unit.h"
#include "clients/fmi/unit_trial.h"
#include "rt/error.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tactus::fmi {
namespace {

constexpr std::size_t kMostText = 1U << 20;  // that a child may report

/// What a child process does; it tells what it finds, and the record which call it is in.
using ChildTask = std::function<void(CallRecord& record, const ReportPipe& pipe)>;

/// Never returns.
[[noreturn]] void runChild(const ChildTask& task, CallRecord& record, int file) {
  // It ends with this program, however that ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What the unit prints is not output of this program.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  const ReportPipe pipe(file);
  try {
    task(record, pipe);
  } catch (const UnitEnds& end) {
    pipe.tell('W', std::string(end.what()) + "; the checks end there, use fewer --steps");
  } catch (const std::exception& error) { pipe.tell('E', error.what()); }
  if (::write(file, "D\n", 2) < 0) ::_exit(1);
  ::_exit(0);
}

/// Reads the lines of the child until it ends, or a call of it takes too long. An open pipe does not mean that the
/// child runs: a process that the unit has started may hold it.
class ChildWatch {
 public:
  ChildWatch(pid_t child, int pipe, const CallRecord& record, std::int64_t limit_ns)
      : child_(child), pipe_(pipe), record_(record), limit_ns_(limit_ns) {}

  std::string read(std::vector<UnitFinding>& findings) {
    int status = 0;
    std::int64_t killed_ns = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      readPart(kLookMs);
      const std::int64_t began = record_.began_ns.load(), since = began != 0 ? began : closed_ns_, now = steadyNs();
      if (killed_ns == 0 && since != 0 && now - since > limit_ns_) {
        killed_ns = now;
        ::kill(child_, SIGKILL);
      }
      if (killed_ns != 0 && now - killed_ns > kEndLimitNs) break;
    }
    // What it told last.
    while (text_.size() < kMostText && readPart(0)) {}
    if (killed_ns != 0)
      findings.push_back({true, record_.hangs(limit_ns_)});
    else if (WIFSIGNALED(status) || !text_.ends_with("D\n"))
      findings.push_back({true, record_.endedBy(status)});
    return std::move(text_);
  }

 private:
  static constexpr int kLookMs = 20;
  static constexpr std::int64_t kEndLimitNs = 10'000'000'000;  // that the system has to end a process

  /// @returns false if there is nothing to read in this time
  bool readPart(int wait_ms) {
    pollfd ready{closed_ns_ == 0 ? pipe_ : -1, POLLIN, 0};
    if (::poll(&ready, 1, wait_ms) <= 0) return false;
    std::array<char, 4096> part;
    const ssize_t count = ::read(pipe_, part.data(), part.size());
    if (count <= 0) {
      closed_ns_ = steadyNs();
      return false;
    }
    if (text_.size() < kMostText) text_.append(part.data(), static_cast<std::size_t>(count));
    return true;
  }

  const pid_t child_;
  const int pipe_;
  const CallRecord& record_;
  const std::int64_t limit_ns_;
  std::string text_;
  std::int64_t closed_ns_ = 0;  ///< when the pipe has ended; 0: it is open
};

/// @returns the lines that the child told
std::string runApart(const ChildTask& task, std::int64_t call_limit_ns, std::vector<UnitFinding>& findings) {
  void* const shared = ::mmap(nullptr, sizeof(CallRecord), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::array<int, 2> ends{};
  if (shared == MAP_FAILED || ::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error("this system gives no shared memory or pipe for the process of the unit");
  auto* const record = new (shared) CallRecord;
  const pid_t child = ::fork();
  if (child < 0) throw Error("this system gives no process for the unit");
  if (child == 0) {
    ::close(ends[0]);
    runChild(task, *record, ends[1]);
  }
  ::close(ends[1]);
  const std::string text = ChildWatch(child, ends[0], *record, call_limit_ns).read(findings);
  ::close(ends[0]);
  ::munmap(shared, sizeof(CallRecord));
  return text;
}

/// Whether the unit says that it is of Tactus.
bool claimsToBeOurs(const std::string& folder, const UnitDescription& description) {
  return description.find(kHashVariable) != nullptr && std::filesystem::exists(folder + "/resources/" + kUnitFileName);
}

/// What a second child does, without the unit in it: the hashes that the engine of this program has after the two runs
/// of UnitTrial. The file may be as hostile as the unit.
void tellOwnHashes(const std::string& folder, const UnitDescription& description, double step, int steps,
                   CallRecord& record, const ReportPipe& pipe) {
  const std::string name = "resources/" + std::string(kUnitFileName);
  record.note("the engine of this program with " + name);
  std::ifstream bytes(folder + '/' + name, std::ios::binary);
  const UnitFile file = readUnitFile(std::string{std::istreambuf_iterator<char>(bytes), {}});
  engine::Engine engine(std::make_unique<PackedSource>(file.model, file.targets), engineOptions(file));
  const Terminal terminal(description);
  const auto ticks = std::llround(step * 1e9 / static_cast<double>(file.period_ns));
  if (engine.model().actuators.size() != terminal.inputs.size())
    throw Error(name +
                " is of another model than modelDescription.xml: " + std::to_string(engine.model().actuators.size()) +
                " actuators, but " + std::to_string(terminal.inputs.size()) + " inputs");
  std::vector<int> actuators(terminal.inputs.size());
  for (std::size_t i = 0; i < actuators.size(); ++i) actuators[i] = static_cast<int>(i);
  for (int k = 0; k < 2 * steps; ++k) {
    record.note("");  // the limit is that of one step
    record.note("the engine of this program with " + name);
    if (k >= steps && !actuators.empty()) engine.setInputs(actuators, terminal.at(k));
    engine::Engine::Block block;
    block.ticks = ticks;
    engine.run(block);
    if (k + 1 == steps || k + 1 == 2 * steps) pipe.tell('H', rt::formatHash(rt::hashState(engine.state())));
  }
  record.note("");
}

std::string nameOfAnotherPlatform(const std::string& folder) {
  std::string names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/binaries", none))
    names += (names.empty() ? "" : ", ") + entry.path().filename().string();
  return names;
}

void readLines(const std::string& text, CheckReport& report, std::vector<std::string>& hashes) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    switch (line.empty() ? ' ' : line[0]) {
      case 'E': report.findings.push_back({true, rest}); break;
      case 'W': report.findings.push_back({false, rest}); break;
      case 'H': hashes.push_back(rest); break;
      case 'T': std::istringstream(rest) >> report.median_step_ns >> report.longest_step_ns; break;
      default: break;
    }
  }
}

void check(const std::string& path, const CheckOptions& options, CheckReport& report) {
  const UnpackedUnit unpacked(path);
  const std::string& folder = unpacked.folder();
  const UnitDescription d = readDescription(folder + "/modelDescription.xml", report.findings);
  report.version = d.version;
  report.name = d.name;
  if (d.identifier.empty()) throw Error("the unit is not for co-simulation; modelDescription.xml has no CoSimulation");
  if (!std::filesystem::exists(folder + '/' + d.binary())) {
    const std::string others = nameOfAnotherPlatform(folder);
    throw Error(d.binary() + " is missing" + (others.empty() ? "" : "; the unit has: " + others));
  }
  if (d.version == 3) checkTerminals(folder + "/terminalsAndIcons/terminalsAndIcons.xml", d, report.findings);
  checkSymbols(folder + '/' + d.binary(), d.version, report.findings);
  report.step = options.step > 0 ? options.step : d.step.value_or(d.internal_step.value_or(0.01));
  std::vector<std::string> hashes;
  const auto run_unit = [&](CallRecord& record, const ReportPipe& pipe) {
    tryUnit(folder, d, report.step, options, record, pipe);
  };
  readLines(runApart(run_unit, options.call_limit_ns, report.findings), report, hashes);
  if (static_cast<double>(report.median_step_ns) > report.step * 1e9)
    report.findings.push_back({false, "half of the steps take longer than the time that they simulate"});
  std::vector<std::string> own;
  const auto run_engine = [&](CallRecord& record, const ReportPipe& pipe) {
    tellOwnHashes(folder, d, report.step, options.steps, record, pipe);
  };
  if (claimsToBeOurs(folder, d)) readLines(runApart(run_engine, options.call_limit_ns, report.findings), report, own);
  if (!hashes.empty()) report.state_hash = hashes.front();
  report.same_bits = !own.empty() && hashes == own;
  if (!own.empty() && hashes.size() == own.size() && hashes != own)
    report.findings.push_back({true, "the state hash is not that of the engine of this program with the same inputs"});
}

}  // namespace

bool CheckReport::hasErrors() const {
  return std::any_of(findings.begin(), findings.end(), [](const UnitFinding& finding) { return finding.is_error; });
}

CheckReport checkUnit(const std::string& path, const CheckOptions& options) {
  CheckReport report;
  try {
    check(path, options, report);
  } catch (const std::exception& error) { report.findings.push_back({true, error.what()}); }
  return report;
}

}  // namespace tactus::fmi
