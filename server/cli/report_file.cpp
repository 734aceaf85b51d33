#include "server/cli/report_file.h"

#include "server/report/report_page.h"

#include <iostream>

namespace tactus::server {

void addReportOption(CLI::App& command, std::string& path) {
  command.add_option("--report", path, "Write one self-contained HTML page");
}

void createReport(const std::string& path) {
  if (!path.empty()) writePage(path, "");
}

void writeReport(const std::string& path, const std::function<std::string()>& page) {
  if (!path.empty()) writePage(path, page());
}

std::function<void(const std::string&)> progressOf(const std::string& subcommand) {
  return [subcommand](const std::string& stage) { std::cerr << "tactus " << subcommand << ": " << stage << '\n'; };
}

}  // namespace tactus::server
