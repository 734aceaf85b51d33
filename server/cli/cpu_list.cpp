#include "server/cli/cpu_list.h"

#include "rt/error.h"

#include <charconv>
#include <string_view>

namespace tactus::server {
namespace {

constexpr int kMaxCpu = 4095;

int parseCpu(std::string_view digits, const std::string& text) {
  int cpu = -1;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cpu);
  if (error != std::errc{} || rest != digits.data() + digits.size() || cpu < 0 || cpu > kMaxCpu)
    throw Error("\"" + text + "\" is not a list of cores; write for example \"2\" or \"0,2-3\"");
  return cpu;
}

}  // namespace

std::vector<int> parseCpuList(const std::string& text) {
  std::vector<int> cpus;
  std::string_view rest = text;
  while (true) {
    // One element: a core, or a range of cores.
    const std::size_t comma = rest.find(',');
    const std::string_view element = rest.substr(0, comma);
    const std::size_t dash = element.find('-');
    const int first = parseCpu(element.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : parseCpu(element.substr(dash + 1), text);
    if (last < first) throw Error("\"" + text + "\": a range of cores must rise; write for example \"2-3\"");
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (comma == std::string_view::npos) return cpus;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace tactus::server
