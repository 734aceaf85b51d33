#include "server/cli/units.h"

#include "rt/error.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

namespace tactus::server {

namespace {

struct Unit {
  std::string_view name;
  long double nanoseconds;  // of a duration; of a frequency, nanoseconds times hertz
};

constexpr std::array<Unit, 6> kDurations{
    {{"ns", 1.0L}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}, {"min", 60e9L}, {"h", 3600e9L}}};
constexpr std::array<Unit, 3> kFrequencies{{{"Hz", 1e9L}, {"kHz", 1e6L}, {"MHz", 1e3L}}};

constexpr const char* kDurationUnits = "ns, us, ms, s, min, h";
constexpr int kMaxCpu = 4095;

struct Quantity {
  long double number;
  std::string_view unit;
};

// Splits "1.5ms" into its number and its unit. Decimal notation only: no hexadecimal, no "inf".
bool split(std::string_view text, Quantity& quantity) {
  const std::size_t end = text.find_first_not_of("0123456789.+-eE");
  std::string_view digits = text.substr(0, end);
  if (digits.empty()) return false;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), quantity.number);
  if (error != std::errc{} || rest != digits.data() + digits.size()) return false;
  quantity.unit = end == std::string_view::npos ? std::string_view{} : text.substr(end);
  return true;
}

template <std::size_t N>
const Unit* find(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::int64_t toNanoseconds(long double value, const std::string& text) {
  if (!(value >= 0.5L)) throw Error("\"" + text + "\": must be above zero, at least 1ns");
  if (value >= static_cast<long double>(std::numeric_limits<std::int64_t>::max()))
    throw Error("\"" + text + "\": too long");
  return std::llround(value);
}

int parseCpu(std::string_view digits, const std::string& text) {
  int cpu = -1;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cpu);
  if (error != std::errc{} || rest != digits.data() + digits.size() || cpu < 0 || cpu > kMaxCpu)
    throw Error("\"" + text + "\": not a list of cores such as \"2\" or \"0,2-3\"");
  return cpu;
}

}  // namespace

std::int64_t parseDuration(const std::string& text) {
  Quantity quantity;
  const Unit* unit = split(text, quantity) ? find(kDurations, quantity.unit) : nullptr;
  if (!unit)
    throw Error("\"" + text + "\": not a duration; write a number and a unit (" + kDurationUnits + "), as in 10s");
  return toNanoseconds(quantity.number * unit->nanoseconds, text);
}

std::int64_t parsePeriod(const std::string& text) {
  Quantity quantity;
  if (!split(text, quantity)) quantity.unit = "?";

  // Either a duration or a frequency.
  long double period = 0;
  if (const Unit* duration = find(kDurations, quantity.unit)) {
    period = quantity.number * duration->nanoseconds;
  } else if (const Unit* frequency = find(kFrequencies, quantity.unit)) {
    if (!(quantity.number > 0)) throw Error("\"" + text + "\": a frequency must be above zero");
    period = frequency->nanoseconds / quantity.number;
  } else {
    throw Error("\"" + text + "\": not a period; write a duration (" + kDurationUnits +
                ") or a frequency (Hz, kHz, MHz), as in 1ms or 500Hz");
  }

  const std::int64_t nanoseconds = toNanoseconds(period, text);
  if (std::abs(period - static_cast<long double>(nanoseconds)) > 1e-6L)
    throw Error("\"" + text + "\": not a whole number of nanoseconds; the nearest period is " +
                std::to_string(nanoseconds) + "ns");
  return nanoseconds;
}

std::string formatDuration(std::int64_t nanoseconds) {
  // The largest of ns, us, ms, s that needs at most three decimals.
  const char* name = "ns";
  double scale = 1;
  for (const auto& [next, size] : {std::pair{"us", 1'000LL}, {"ms", 1'000'000LL}, {"s", 1'000'000'000LL}}) {
    if (nanoseconds < size || nanoseconds % (size / 1000) != 0) break;
    name = next;
    scale = static_cast<double>(size);
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.15g%s", static_cast<double>(nanoseconds) / scale, name);
  return text;
}

std::vector<int> parseCpuList(const std::string& text) {
  std::vector<int> cpus;
  std::string_view rest = text;
  while (true) {
    // One element: a core, or a range of them.
    const std::size_t comma = rest.find(',');
    const std::string_view element = rest.substr(0, comma);
    const std::size_t dash = element.find('-');
    const int first = parseCpu(element.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : parseCpu(element.substr(dash + 1), text);
    if (last < first) throw Error("\"" + text + "\": a range of cores must rise");
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (comma == std::string_view::npos) return cpus;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace tactus::server
