#include "rt/mechanics/tyres/tyre_law.h"

#include "rt/mechanics/tyres/laws.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace tactus::rt {

namespace {

/// The law of a list of constants, by its place in the list.
template <std::size_t k>
using LawOf = std::tuple_element_t<k, TyreLaws>;

static_assert(std::tuple_size_v<TyreLaws> == std::variant_size_v<TyreGrip>, "a law is missing in one of the two lists");

/// f(law, grip) with the law of a tyre and its constants: the one place that tells the laws apart.
template <std::size_t k = 0, class F>
auto withLaw(const SlipTyre& tyre, F&& f) noexcept {
  if constexpr (k + 1 < std::variant_size_v<TyreGrip>)
    if (tyre.grip.index() != k) return withLaw<k + 1>(tyre, std::forward<F>(f));
  return f(LawOf<k>{}, *std::get_if<k>(&tyre.grip));
}

}  // namespace

SlipStiffness slipStiffness(const SlipTyre& tyre, double load, double camber) noexcept {
  return withLaw(tyre, [&](auto law, const auto& grip) noexcept { return law.stiffness(grip, tyre, load, camber); });
}

SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip) noexcept {
  return slipForce(tyre, slip, slipStiffness(tyre, slip.load, slip.camber));
}

SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness) noexcept {
  return withLaw(tyre, [&](auto law, const auto& grip) noexcept { return law.force(grip, tyre, slip, stiffness); });
}

double limitOfSlip(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness, double speed) noexcept {
  return withLaw(tyre,
                 [&](auto law, const auto& grip) noexcept { return law.limit(grip, tyre, slip, stiffness, speed); });
}

double treadSpeed(const SlipTyre& tyre, double rolling, double center) noexcept {
  return withLaw(tyre, [&](auto law, const auto&) noexcept { return law.speed(rolling, center); });
}

}  // namespace tactus::rt
