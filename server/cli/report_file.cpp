#include "server/cli/report_file.h"

#include "rt/error.h"
#include "server/build_info.h"
#include "server/doctor/host_name.h"
#include "server/report/report_page.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tactus::server {

void addReportOption(CLI::App& command, std::string& path) {
  command.add_option("--report", path, "Write one self-contained HTML page");
}

void requireWritableReport(const std::string& path) {
  if (path.empty()) return;
  // An older page of that name stays until there is a new one; a run that is killed leaves no empty page.
  const bool existed = std::filesystem::exists(path);
  if (!std::ofstream(path, std::ios::app)) throw Error(path + ": cannot be written");
  if (!existed) std::filesystem::remove(path);
}

void writeReport(const std::string& path, const std::function<std::string()>& page) {
  if (!path.empty()) writePage(path, page());
}

std::string madeOn() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
  return "Made on " + std::string(date) + ", host: " + nameHost("") + ' ' + madeBy();
}

std::function<void()> lastWords(const std::string& subcommand, const std::string& page) {
  return [subcommand, page] {
    std::cerr << "tactus " << subcommand << ": interrupted before the end, within a step; no verdict\n";
    if (!page.empty()) std::ofstream(page) << "<!DOCTYPE html><p>Interrupted before the end: no verdict.</p>\n";
  };
}

std::function<void(const std::string&)> progressOf(const std::string& subcommand) {
  return [subcommand](const std::string& stage) { std::cerr << "tactus " << subcommand << ": " << stage << '\n'; };
}

}  // namespace tactus::server
