#include "server/batch/tolerances.h"

#include "rt/error.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tactus::server {
namespace {

constexpr std::array<const char*, kKinds> kNames = {"position", "rotation", "velocity", "joint",
                                                    "reaction", "load",     "sensor",   "energy"};

}  // namespace

const char* toString(Kind kind) noexcept {
  return kNames[static_cast<std::size_t>(kind)];
}

void Tolerances::setAll(double value) {
  for (std::size_t k = 0; k < kKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    const bool coordinate = kind == Kind::kPosition || kind == Kind::kRotation || kind == Kind::kJoint;
    const double factor = coordinate ? 1 : kind == Kind::kEnergy ? 2 : kind == Kind::kVelocity ? 5 : 4;
    values_[k] = std::min(1.0, factor * value);
  }
}

void Tolerances::set(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals), number = equals == std::string::npos ? "" : text.substr(equals + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !(value >= 1e-9 && value <= 1))
    throw Error("tolerance '" + text + "': write KIND=VALUE with a value of 1e-9 to 1");
  if (name == "all") return setAll(value);
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) {
    std::string known;
    for (const char* kind : kNames) known += std::string(" ") + kind + ",";
    throw Error("tolerance '" + text + "': the kind '" + name + "' is not known; there are" + known + " and all");
  }
  values_[static_cast<std::size_t>(at - kNames.begin())] = value;
}

std::string Tolerances::text() const {
  std::ostringstream out;
  for (std::size_t k = 0; k < kKinds; ++k) out << (k == 0 ? "" : " ") << kNames[k] << '=' << values_[k];
  return out.str();
}

}  // namespace tactus::server
