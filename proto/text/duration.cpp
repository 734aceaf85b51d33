#include "proto/text/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>

namespace tactus::text {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxDigits = 18;
constexpr int kMaxExponentDigits = 3;
constexpr const char* kDurationUnits = "ns, us, ms, s, min, h";
constexpr const char* kFrequencyUnits = "Hz, kHz, MHz";

/// A unit and its size: nanoseconds of a duration, nanoseconds of the period of a frequency.
struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr std::array<Unit, 6> kDurations{{{"ns", 1},
                                          {"us", 1'000},
                                          {"ms", 1'000'000},
                                          {"s", 1'000'000'000},
                                          {"min", 60'000'000'000},
                                          {"h", 3'600'000'000'000}}};
constexpr std::array<Unit, 3> kFrequencies{{{"Hz", 1'000'000'000}, {"kHz", 1'000'000}, {"MHz", 1'000}}};

/// digits * 10^exponent, and the text behind the number.
struct Quantity {
  std::uint64_t digits = 0;
  int exponent = 0;
  std::string_view number, unit;
};

bool isDigit(char c) noexcept {
  return c >= '0' && c <= '9';
}

std::size_t digitsAt(std::string_view text, std::size_t begin) noexcept {
  std::size_t end = begin;
  while (end < text.size() && isDigit(text[end])) ++end;
  return end - begin;
}

/// Splits "1.5ms" into its number and its unit; none if the text does not begin with a number.
std::optional<Quantity> split(std::string_view text) {
  const std::size_t whole = digitsAt(text, 0);
  const bool point = whole < text.size() && text[whole] == '.';
  const std::size_t fraction = point ? digitsAt(text, whole + 1) : 0;
  if (whole + fraction == 0) return std::nullopt;
  std::size_t end = whole + (point ? 1 : 0) + fraction;

  // "e" begins an exponent if digits follow it, else the unit.
  Quantity quantity;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
    const std::size_t count = digitsAt(text, end + 1 + sign);
    if (count > kMaxExponentDigits) return std::nullopt;
    if (count > 0) {
      const char* first = text.data() + end + 1 + sign;
      std::from_chars(first, first + count, quantity.exponent);
      if (text[end + 1] == '-') quantity.exponent = -quantity.exponent;
      end += 1 + sign + count;
    }
  }
  quantity.exponent -= static_cast<int>(fraction);

  std::string digits(text.substr(0, whole));
  if (point) digits += text.substr(whole + 1, fraction);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMaxDigits) return std::nullopt;
  std::from_chars(digits.data(), digits.data() + digits.size(), quantity.digits);
  quantity.number = text.substr(0, end);
  quantity.unit = text.substr(end);
  return quantity;
}

template <std::size_t N>
const Unit* find(const std::array<Unit, N>& units, std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? nullptr : &*found;
}

std::invalid_argument refused(std::string_view text, const std::string& why) {
  return std::invalid_argument(fmt::format("\"{}\" {}", text, why));
}

Wide powerOfTen(int exponent) noexcept {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// numerator / denominator, ns, and whether the division leaves no remainder.
struct Nanoseconds {
  std::int64_t value;
  bool whole;
};

Nanoseconds divide(Wide numerator, Wide denominator, std::string_view text) {
  const Wide rounded = (2 * numerator + denominator) / (2 * denominator);
  if (rounded == 0) throw refused(text, "is too short; the shortest duration is 1ns");
  if (rounded > static_cast<Wide>(kLongest)) throw refused(text, "is too long; the longest duration is 292 years");
  return {static_cast<std::int64_t>(rounded), numerator % denominator == 0};
}

// The exponents are limited so that no product leaves 128 bits; limits change no result that is allowed.
Nanoseconds durationOf(const Quantity& quantity, const Unit& unit, std::string_view text) {
  if (quantity.digits == 0) return divide(0, 1, text);
  const Wide number = static_cast<Wide>(quantity.digits) * unit.nanoseconds;  // below 2^102
  if (quantity.exponent < 0) return divide(number, powerOfTen(std::min(-quantity.exponent, 37)), text);
  if (quantity.exponent > 18) throw refused(text, "is too long; the longest duration is 292 years");
  return number > static_cast<Wide>(kLongest) ? divide(number, 1, text)
                                              : divide(number * powerOfTen(quantity.exponent), 1, text);
}

Nanoseconds periodOf(const Quantity& quantity, const Unit& unit, std::string_view text) {
  if (quantity.digits == 0) throw refused(text, "is not above zero");
  const int up = std::clamp(-quantity.exponent, 0, 28), down = std::clamp(quantity.exponent, 0, 18);
  return divide(unit.nanoseconds * powerOfTen(up), quantity.digits * powerOfTen(down), text);
}

}  // namespace

std::int64_t parseDuration(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  const Unit* unit = quantity ? find(kDurations, quantity->unit) : nullptr;
  if (!unit)
    throw refused(text,
                  fmt::format("is not a duration; write a number and a unit ({}), for example 10s", kDurationUnits));
  return durationOf(*quantity, *unit, text).value;
}

std::int64_t parsePeriod(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  const Unit* duration = quantity ? find(kDurations, quantity->unit) : nullptr;
  const Unit* frequency = quantity ? find(kFrequencies, quantity->unit) : nullptr;
  if (!duration && !frequency)
    throw refused(text, fmt::format("is not a period; write a duration ({}) or a frequency ({}), for example 1ms or "
                                    "500Hz",
                                    kDurationUnits, kFrequencyUnits));
  const Nanoseconds period = duration ? durationOf(*quantity, *duration, text) : periodOf(*quantity, *frequency, text);
  if (!period.whole)
    throw refused(text, fmt::format("is not a whole number of nanoseconds; the nearest period is {}ns", period.value));
  return period.value;
}

double parseFrequency(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  const Unit* unit = quantity ? find(kFrequencies, quantity->unit) : nullptr;
  if (!unit)
    throw refused(text,
                  fmt::format("is not a frequency; write a number and a unit ({}), for example 60Hz", kFrequencyUnits));
  double number = 0;
  std::from_chars(quantity->number.data(), quantity->number.data() + quantity->number.size(), number);
  const double hertz = number * (1e9 / static_cast<double>(unit->nanoseconds));
  if (!(hertz > 0) || hertz > std::numeric_limits<double>::max()) throw refused(text, "is not above zero");
  return hertz;
}

std::string formatDuration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  // The largest of ns, us, ms, s that needs at most three decimals.
  const char* name = "ns";
  double scale = 1;
  for (const auto& [next, size] : {std::pair{"us", 1'000LL}, {"ms", 1'000'000LL}, {"s", 1'000'000'000LL}}) {
    if (nanoseconds < size || nanoseconds % (size / 1000) != 0) break;
    name = next;
    scale = static_cast<double>(size);
  }
  return fmt::format("{:.15g}{}", static_cast<double>(nanoseconds) / scale, name);
}

std::string formatMeasured(std::int64_t nanoseconds) {
  std::int64_t unit = 1;
  for (std::int64_t rest = nanoseconds; rest >= 1000; rest /= 10) unit *= 10;
  return formatDuration((nanoseconds + unit / 2) / unit * unit);
}

}  // namespace tactus::text
