// Field: what is known about one value that a person may set. Readers, writers, checks, hashes, options and tables
// follow from the list of fields that a struct gives once:
//
//   struct Gain {
//     double value = 1;
//
//     static constexpr auto fields() {
//       return std::tuple{Field{"value", &Gain::value, "N/m", within(0, 10), "force for each metre of error"}};
//     }
//   };
//
// The default of a field is the initial value of its member.
#pragma once

#include <limits>
#include <tuple>

namespace tactus::rt {

/// The numbers that a field accepts. For a vector the range applies to each entry. Infinity and NaN are never accepted.
struct Range {
  double minimum = -std::numeric_limits<double>::max();
  double maximum = std::numeric_limits<double>::max();
  bool excludes_minimum = false;

  constexpr bool accepts(double value) const noexcept {
    return value >= minimum && value <= maximum && !(excludes_minimum && value == minimum);
  }
  constexpr bool bounded() const noexcept {
    return minimum > -std::numeric_limits<double>::max() || maximum < std::numeric_limits<double>::max();
  }
};

constexpr Range anyFinite() noexcept {
  return {};
}
constexpr Range positive() noexcept {
  return {.minimum = 0, .excludes_minimum = true};
}
constexpr Range notNegative() noexcept {
  return {.minimum = 0};
}
constexpr Range within(double minimum, double maximum) noexcept {
  return {.minimum = minimum, .maximum = maximum};
}

/// @tparam Value  type of the member: a number, std::optional of one, a vector, a name, ...
template <class Owner, class Value>
struct Field {
  const char* name;         ///< as in the wire message and in model files: "relative_compliance"
  Value Owner::*member;     ///< where the value is kept
  const char* unit;         ///< "m", "N s/m"; empty for a value without unit
  Range range;              ///< applies to numbers only
  const char* description;  ///< one sentence without a full stop
  bool required = false;    ///< an error if it is not given; the member is then a std::optional

  constexpr const Value& of(const Owner& owner) const noexcept { return owner.*member; }
  constexpr Value& of(Owner& owner) const noexcept { return owner.*member; }
};

template <class Owner, class Value>
Field(const char*, Value Owner::*, const char*, Range, const char*) -> Field<Owner, Value>;
template <class Owner, class Value>
Field(const char*, Value Owner::*, const char*, Range, const char*, bool) -> Field<Owner, Value>;

/// Calls `visit(field)` for each field of Owner, in the order of its list.
template <class Owner, class Visit>
constexpr void forEachField(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Owner::fields());
}

}  // namespace tactus::rt
