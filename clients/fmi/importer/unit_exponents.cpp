#include "clients/fmi/importer/unit_exponents.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace tactus::fmi {
namespace {

const std::map<std::string, UnitExponents>& symbols() {
  // kg, m, s, A, K, mol, cd, rad
  static const std::map<std::string, UnitExponents> kSymbols = {
      {"1", {}},
      {"kg", {1}},
      {"m", {0, 1}},
      {"s", {0, 0, 1}},
      {"A", {0, 0, 0, 1}},
      {"K", {0, 0, 0, 0, 1}},
      {"rad", {0, 0, 0, 0, 0, 0, 0, 1}},
      {"Hz", {0, 0, -1}},
      {"N", {1, 1, -2}},
      {"J", {1, 2, -2}},
      {"W", {1, 2, -3}},
      {"Pa", {1, -1, -2}},
      {"V", {1, 2, -3, -1}},
  };
  return kSymbols;
}

}  // namespace

std::optional<UnitExponents> exponentsOf(const std::string& unit) {
  UnitExponents sum{};
  int sign = 1;
  std::size_t place = 0;
  while (place < unit.size()) {
    const std::size_t end = std::min(unit.find_first_of(" /", place), unit.size());
    std::string symbol = unit.substr(place, end - place);
    int power = 1;
    if (const std::size_t hat = symbol.find('^'); hat != std::string::npos) {
      const char* const last = symbol.data() + symbol.size();
      const auto read = std::from_chars(symbol.data() + hat + 1, last, power);
      // Far above any unit, and far below an overflow of the sums.
      if (read.ec != std::errc() || read.ptr != last || power < -99 || power > 99) return {};
      symbol.resize(hat);
    }
    const auto found = symbols().find(symbol);
    if (found == symbols().end()) return {};
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += sign * power * found->second[i];
    if (end < unit.size()) sign = unit[end] == '/' ? -1 : sign;
    place = end + 1;
  }
  if (unit.empty() || unit.back() == ' ' || unit.back() == '/') return {};
  return sum;
}

std::string spelledAsOurs(const std::string& unit) {
  std::string spelled;
  for (const char c : unit) {
    const bool begins_exponent = (c >= '0' && c <= '9') || c == '-';
    const bool after_symbol = !spelled.empty() && std::isalpha(static_cast<unsigned char>(spelled.back())) != 0;
    if (begins_exponent && after_symbol) spelled += '^';
    spelled += c == '.' || c == '*' ? ' ' : c;
  }
  return spelled;
}

}  // namespace tactus::fmi
