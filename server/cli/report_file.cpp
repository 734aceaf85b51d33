#include "server/cli/report_file.h"

#include "server/build_info.h"
#include "server/cli/output_file.h"
#include "server/doctor/host_name.h"
#include "server/report/report_page.h"

#include <ctime>
#include <iostream>
#include <memory>
#include <utility>

#include <unistd.h>

namespace tactus::server {
namespace {

/// The stage of an analysis on stderr: one line in place on a terminal, elsewhere a line for each stage.
class ProgressLine {
 public:
  explicit ProgressLine(std::string prefix) : prefix_(std::move(prefix)), in_place_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (in_place_ && shown_) std::cerr << std::endl;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& stage) {
    // Back to the begin of the line, and erase what is behind the text.
    std::cerr << (in_place_ ? "\r\x1b[K" : "") << prefix_ << stage << (in_place_ ? "" : "\n") << std::flush;
    shown_ = true;
  }

 private:
  const std::string prefix_;
  const bool in_place_;
  bool shown_ = false;
};

}  // namespace

void addReportOption(CLI::App& command, std::string& path) {
  command.add_option("--report", path, "Write one self-contained HTML page");
}

void requireWritableReport(const std::string& path) {
  // An older page of that name stays until there is a new one; a run that is killed leaves no empty page.
  if (path.empty()) return;
  requireKindOfOutput(path, "report", isReportPage);
  requireWritableOutput(path);
}

void writeReport(const std::string& path, const std::function<std::string()>& page) {
  if (!path.empty()) writeOutput(path, page());
}

std::string madeOn() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
  return "Made on " + std::string(date) + ", host: " + nameHost("") + ' ' + madeBy();
}

std::function<void()> lastWords(const std::string& subcommand) {
  return [subcommand] {
    std::cerr << "tactus " << subcommand << ": interrupted before the end, within a step; no verdict and no page\n";
  };
}

std::function<void(const std::string&)> progressOf(const std::string& subcommand) {
  return [line = std::make_shared<ProgressLine>("tactus " + subcommand + ": ")](const std::string& stage) {
    line->show(stage);
  };
}

}  // namespace tactus::server
