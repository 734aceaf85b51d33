// The list of all kinds of force element: every phase is a loop over it, unrolled at compile time.
//
// The order of ForceElements is the order of evaluation and of every sum: a new kind belongs at the end of its half.
#pragma once

#include "rt/mechanics/elements/air_load.h"
#include "rt/mechanics/elements/anti_roll_bar.h"
#include "rt/mechanics/elements/body_drag.h"
#include "rt/mechanics/elements/bushing.h"
#include "rt/mechanics/elements/joint_friction.h"
#include "rt/mechanics/elements/powertrain.h"
#include "rt/mechanics/elements/slip_tyre.h"
#include "rt/mechanics/elements/spring.h"
#include "rt/mechanics/elements/vertical_tyre.h"

#include <tuple>
#include <vector>

namespace tactus::rt {

/// Loads on bodies.
using ForceElements = std::tuple<
    // Evaluated for each use.
    BodyDragElement, AirLoadElement, AntiRollBarElement,
    // With a kept evaluation.
    SlipTyreElement, JointFrictionElement, PowertrainElement>;

/// Laws of compliant rows. A law is of the first kind that owns it; the last kind owns what is left.
using CompliantRows = std::tuple<LinearRows, SpringRow, VerticalTyreRow>;

/// f(kind) for every kind of force element that loads bodies, in order; kinds are empty structs.
template <class F>
constexpr void forEachKind(F&& f) {
  std::apply([&](auto... kind) { (f(kind), ...); }, ForceElements{});
}

/// The elements of one kind.
template <class Kind>
const auto& elementsOf(Kind, const ElementLists& lists) noexcept {
  return lists.*Kind::kElements;
}

/// Evaluations of all kept elements at one motion; sized once for the lists of a Model.
class ElementStates {
 public:
  /// Evaluations of one kind, in the order of its elements.
  template <class Kind>
  auto& of(Kind) noexcept {
    return std::get<Evaluations<Kind>>(evaluations_).of;
  }
  template <class Kind>
  const auto& of(Kind) const noexcept {
    return std::get<Evaluations<Kind>>(evaluations_).of;
  }

  ElementStates() = default;
  explicit ElementStates(const ElementLists& lists) {
    forEachKind([&](auto kind) {
      if constexpr (kind.kKept) of(kind).resize(elementsOf(kind, lists).size());
    });
  }

 private:
  template <class Kind>
  struct Evaluations {
    std::vector<typename Kind::Evaluation> of;
  };
  template <class Kind>
  using Kept = std::conditional_t<Kind::kKept, std::tuple<Evaluations<Kind>>, std::tuple<>>;
  template <class... Kinds>
  static auto keptOf(std::tuple<Kinds...>) -> decltype(std::tuple_cat(Kept<Kinds>{}...));

  decltype(keptOf(ForceElements{})) evaluations_;
};

}  // namespace tactus::rt
