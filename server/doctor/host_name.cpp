#include "server/doctor/host_name.h"

#include "server/doctor/host_files.h"

namespace tactus::server {

namespace {

/// The value of the first line "KEY : VALUE", and how many such lines there are.
struct CpuLines {
  std::string first;
  int count = 0;
};

CpuLines linesOf(const std::string& cpuinfo, const std::string& key) {
  CpuLines lines;
  std::istringstream text(cpuinfo);
  for (std::string line; std::getline(text, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line.rfind(key, 0) != 0) continue;
    if (lines.count++ == 0 && colon + 2 <= line.size()) lines.first = line.substr(colon + 2);
  }
  return lines;
}

}  // namespace

std::string nameHost(const std::string& root) {
  const HostFiles files(root);
  const std::string cpuinfo = files.read("/proc/cpuinfo").value_or("");
  const int cores = linesOf(cpuinfo, "processor").count;
  std::string name = linesOf(cpuinfo, "model name").first;
  const auto add = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
  if (cores > 0) add(std::to_string(cores) + (cores == 1 ? " core" : " cores"));
  if (cpuinfo.find(" hypervisor") != std::string::npos) add("virtual");
  if (const auto release = files.read("/proc/sys/kernel/osrelease")) add("Linux " + *release);
  return name.empty() ? "unknown" : name;
}

}  // namespace tactus::server
