// The one list of laws of a tyre with slip. A law is added by its pair of files, by its line here and by that of
// mechanics/tyres/laws.h: the variants, the loops and the lists of sources in CMake follow.
//
// A law has a spec, as every kind has (element.h), with
//
//   Grip                          its constants in a SlipTyre, with constants(visit)
//   check(spec, place)            left out where fields() says it all
//   build(spec, tyre)             writes tyre.grip; returns the slip stiffnesses at the nominal load
//
// The order is that of the oneof and part of the hash of a model: new laws go to the end.
#pragma once

#include "rt/model/elements/brush_tyre.h"
#include "rt/model/elements/linear_tyre.h"
#include "rt/model/elements/magic_formula_tyre.h"

#include <cstddef>
#include <utility>
#include <variant>

namespace tactus::rt {

using TyreLawSpecs = std::variant<BrushTyreSpec, MagicFormulaTyreSpec, LinearTyreSpec>;

template <typename Specs>
struct GripsOf;
template <typename... Specs>
struct GripsOf<std::variant<Specs...>> {
  using type = std::variant<typename Specs::Grip...>;
};
/// The constants of one law.
using TyreGrip = GripsOf<TyreLawSpecs>::type;

/// The first laws of the list that count in the hash of every tyre, with zeros where another law holds, so that the
/// hashes of older models stay.
inline constexpr std::size_t kTyreLawsInEveryHash = 2;

/// Visits the constants of the law that holds, in the order of the hash of a model.
template <typename Visit>
void visitGrip(const TyreGrip& grip, Visit& visit) {
  const auto visitLaw = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
    if (const auto* held = std::get_if<k>(&grip))
      held->constants(visit);
    else if (k < kTyreLawsInEveryHash)
      std::variant_alternative_t<k, TyreGrip>{}.constants(visit);
  };
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (visitLaw(std::integral_constant<std::size_t, k>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<TyreGrip>>{});
}

/// Slip stiffness at the nominal load.
struct NominalSlipStiffness {
  double longitudinal, lateral;  ///< N, N/rad
};

}  // namespace tactus::rt
