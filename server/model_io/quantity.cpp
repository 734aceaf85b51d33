#include "server/model_io/quantity.h"

#include "rt/model/finding_list.h"
#include "rt/utf8.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace tactus::server {
namespace {

/// Exponents of m, kg, s and rad, and the value of one in these.
struct Dimension {
  std::array<double, 4> exponents{};
  double factor = 1;

  void multiply(const Dimension& other, double exponent) {
    for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] += exponent * other.exponents[i];
    factor *= std::pow(other.factor, exponent);
  }
  bool sameAs(const Dimension& other) const {
    constexpr double kDigits = 1e-9;  // of exponents such as 1.1
    for (std::size_t i = 0; i < exponents.size(); ++i)
      if (!(std::abs(exponents[i] - other.exponents[i]) < kDigits)) return false;
    return true;
  }
};

struct Symbol {
  const char* name;
  std::array<double, 4> exponents;  ///< m, kg, s, rad
  double factor;
  bool takes_prefix;
};

constexpr double kPound = 0.45359237, kInch = 0.0254, kFoot = 0.3048, kGravity = 9.80665;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr Symbol kSymbols[] = {
    {"m", {1, 0, 0, 0}, 1, true},
    {"g", {0, 1, 0, 0}, 1e-3, true},
    {"t", {0, 1, 0, 0}, 1e3, false},
    {"s", {0, 0, 1, 0}, 1, true},
    {"min", {0, 0, 1, 0}, 60, false},
    {"h", {0, 0, 1, 0}, 3600, false},
    {"rad", {0, 0, 0, 1}, 1, true},
    {"deg", {0, 0, 0, 1}, kTurn / 360, false},
    {"\xC2\xB0", {0, 0, 0, 1}, kTurn / 360, false},
    {"rev", {0, 0, 0, 1}, kTurn, false},
    {"N", {1, 1, -2, 0}, 1, true},
    {"Nm", {2, 1, -2, 0}, 1, true},
    {"Nmm", {2, 1, -2, 0}, 1e-3, false},
    {"Pa", {-1, 1, -2, 0}, 1, true},
    {"bar", {-1, 1, -2, 0}, 1e5, false},
    {"J", {2, 1, -2, 0}, 1, true},
    {"W", {2, 1, -3, 0}, 1, true},
    {"Hz", {0, 0, -1, 0}, 1, true},
    {"rpm", {0, 0, -1, 1}, kTurn / 60, false},
    {"%", {0, 0, 0, 0}, 0.01, false},
    {"in", {1, 0, 0, 0}, kInch, false},
    {"ft", {1, 0, 0, 0}, kFoot, false},
    {"lb", {0, 1, 0, 0}, kPound, false},
    {"lbf", {1, 1, -2, 0}, kPound* kGravity, false},
    {"psi", {-1, 1, -2, 0}, kPound* kGravity / (kInch * kInch), false},
    {"kmh", {1, 0, -1, 0}, 1 / 3.6, false},
    {"mph", {1, 0, -1, 0}, 1609.344 / 3600, false},
};

struct Prefix {
  char letter;
  double factor;
};
constexpr Prefix kPrefixes[] = {{'G', 1e9}, {'M', 1e6}, {'k', 1e3}, {'c', 1e-2}, {'m', 1e-3}, {'u', 1e-6}};

std::optional<Dimension> symbolNamed(std::string_view name) {
  for (const Symbol& symbol : kSymbols)
    if (name == symbol.name) return Dimension{symbol.exponents, symbol.factor};
  for (const Symbol& symbol : kSymbols)
    if (symbol.takes_prefix && name.size() > 1 && name.substr(1) == symbol.name)
      for (const Prefix& prefix : kPrefixes)
        if (prefix.letter == name.front()) return Dimension{symbol.exponents, symbol.factor * prefix.factor};
  return std::nullopt;
}

/// Reads a unit.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  std::optional<Dimension> read() {
    const auto dimension = product();
    return at_ == text_.size() ? dimension : std::nullopt;
  }

 private:
  static constexpr int kMaxNesting = 8;
  static constexpr double kMaxExponent = 9;

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) { return here() == c ? (++at_, true) : false; }
  void skip() {
    while (here() == ' ' || here() == '*') ++at_;
  }

  std::optional<Dimension> product() {
    if (++nesting_ > kMaxNesting) return std::nullopt;
    Dimension all;
    for (skip(); at_ < text_.size() && here() != ')'; skip()) {
      int sign = 1;
      if (take('/')) sign = -1, skip();
      const auto one = factor();
      if (!one) return std::nullopt;
      all.multiply(*one, sign);
    }
    --nesting_;
    return all;
  }

  std::optional<Dimension> factor() {
    std::optional<Dimension> base;
    if (take('(')) {
      base = product();
      if (!take(')')) return std::nullopt;
    } else {
      const std::size_t begin = at_;
      const auto isSymbol = [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) || c == '%' || (c & 0x80) != 0;
      };
      while (isSymbol(here())) ++at_;
      if (at_ == begin) return take('1') ? std::optional(Dimension{}) : std::nullopt;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if (name == "sqrt" && here() == '(') {
        base = factor();
        return base ? std::optional(power(*base, 0.5)) : std::nullopt;
      }
      base = symbolNamed(name);
    }
    if (!base) return std::nullopt;
    const bool marked = take('^');
    const bool negative = marked && take('-');
    if (here() < '0' || here() > '9') return marked ? std::nullopt : base;
    double exponent = here() - '0';
    const char* const end = text_.data() + text_.size();
    const auto read = marked ? std::from_chars(text_.data() + at_, end, exponent, std::chars_format::fixed)
                             : std::from_chars_result{text_.data() + at_ + 1, std::errc()};
    at_ = static_cast<std::size_t>(read.ptr - text_.data());
    if (read.ec != std::errc() || !(exponent > 0 && exponent <= kMaxExponent)) return std::nullopt;
    return power(*base, negative ? -exponent : exponent);
  }

  static Dimension power(const Dimension& base, double exponent) {
    Dimension raised;
    raised.multiply(base, exponent);
    return raised;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

/// "rad or m" as its parts.
std::vector<std::string> alternatives(const std::string& unit) {
  std::vector<std::string> parts = {unit};
  for (const char* word : {" or ", " and ", "; ", ", "}) {
    std::vector<std::string> divided;
    for (const std::string& part : parts) {
      std::size_t begin = 0;
      for (std::size_t end = 0; (end = part.find(word, begin)) != std::string::npos;
           begin = end + std::string(word).size())
        divided.push_back(part.substr(begin, end - begin));
      divided.push_back(part.substr(begin));
    }
    parts = std::move(divided);
  }
  return parts;
}

/// What a field takes: "in m or in a unit that can be converted to it".
std::string wantedText(const std::string& to) {
  const std::string number = "a number without a unit";
  if (to.empty()) return number;
  std::string units;
  bool is_number = false;
  for (const std::string& part : alternatives(to)) {
    if (part == "1")
      is_number = true;
    else if (UnitReader(part).read())
      units += (units.empty() ? "" : " or ") + part;
  }
  if (units.empty()) {
    if (is_number) return number;
    return number + ": it is in " + (to.rfind("of ", 0) == 0 ? "the unit " : "") + to;
  }
  return (is_number ? number + ", or " : "") + "in " + units + " or in a unit that can be converted to it";
}

std::string shownUnit(std::string_view text) {
  return rt::printed(rt::cutText(std::string(text.substr(0, 80)), 40));
}

}  // namespace

std::optional<double> factorBetween(std::string_view from, const std::string& to, QuantityProblem& problem) {
  const auto given = UnitReader(from).read();
  if (!given) {
    problem = {
        "must have a unit that is known, not " + shownUnit(from),
        "the value must be " + wantedText(to) +
            "; known are, for example, mm, deg, kN/m, N s/m, kg m^2, rpm; a / divides by the one symbol after it"};
    return std::nullopt;
  }
  for (const std::string& part : alternatives(to)) {
    const auto wanted = to.empty() ? std::nullopt : UnitReader(part).read();
    if (wanted && wanted->sameAs(*given)) return given->factor / wanted->factor;
  }
  problem = {"must be " + wantedText(to) + ", not in " + shownUnit(from), ""};
  return std::nullopt;
}

std::optional<double> quantityIn(std::string_view text, const std::string& unit, QuantityProblem& problem) {
  std::string_view rest = text;
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  double value = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  if (read.ec != std::errc() || !std::isfinite(value) || rest.empty()) {
    problem = {"must be a number", "or a number with its unit in quotes, as in \"30 deg\" or \"12 mm\""};
    return std::nullopt;
  }
  const auto factor = factorBetween(rest, unit, problem);
  if (!factor) return std::nullopt;
  // A factor below one divides, so that "12 mm" is the double 0.012.
  const double inverse = 1 / *factor;
  return inverse > 1 && inverse == std::round(inverse) ? value / inverse : value * *factor;
}

}  // namespace tactus::server
