// Loads of actuators on the bodies of a Chain, in the lanes of their places.
#pragma once

#include "rt/ali3p/chain/layout.h"
#include "rt/mechanics/body_action.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tactus::rt {

/// Actuators of one kind and frame at one place, at most one a lane; where there is none the direction is zero.
template <int W>
struct LaneAction {
  BodyAction<Lanes<W>> action;  ///< body axes here those of ChainPlace
  int actuator[W];              ///< -1: none
  int group, position;
};

/// All of a chain, by group; places know theirs.
template <int W>
class ChainLoads {
 public:
  ChainLoads() = default;
  ChainLoads(const Model& model, const Chain& chain, std::vector<LanePlace<W>>& places) {
    for (int group = 0; group < chain.segments / W; ++group) {
      first_of_group_.push_back(actions_.size());
      for (int position = 0; position < chain.positions; ++position) {
        LanePlace<W>& place = places[static_cast<std::size_t>(group * chain.positions + position)];
        place.first_action = static_cast<int>(actions_.size());
        for (const ChainActuator& a : chain.actuators)
          if (a.segment / W == group && a.position == position) add(model, a, group);
        place.action_count = static_cast<int>(actions_.size()) - place.first_action;
      }
    }
    first_of_group_.push_back(actions_.size());
  }

  /// Takes over the input of a step.
  void takeInput(int group, std::span<const double> input) noexcept {
    const auto g = static_cast<std::size_t>(group);
    for (std::size_t i = first_of_group_[g]; i < first_of_group_[g + 1]; ++i)
      for (int lane = 0; lane < W; ++lane)
        if (const int actuator = actions_[i].actuator[lane]; actuator >= 0)
          actions_[i].action.value.set(lane, input[static_cast<std::size_t>(actuator)]);
  }

  /// Adds the loads at a place to its right side.
  TACTUS_INLINE void addTo(const LanePlace<W>& place, const LaneMatrix3<W>& R, LaneSlot<W>& s) const noexcept {
    for (int i = place.first_action; i < place.first_action + place.action_count; ++i)
      addAction(actions_[static_cast<std::size_t>(i)].action, R, s.force, s.torque);
  }

 private:
  // Into an action of its kind that has the lane free, or a new one.
  void add(const Model& model, const ChainActuator& a, int group) {
    const Actuator& actuator = model.actuators[static_cast<std::size_t>(a.actuator)];
    const int lane = a.segment % W;
    const bool is_force = actuator.kind == ActuatorKind::kBodyForce;
    LaneAction<W>* to = nullptr;
    for (LaneAction<W>& other : actions_)
      if (!to && other.group == group && other.position == a.position && other.actuator[lane] < 0 &&
          other.action.is_force == is_force && other.action.frame == actuator.frame)
        to = &other;
    if (!to) to = &actions_.emplace_back(emptyAction(is_force, actuator.frame, group, a.position));
    to->actuator[lane] = a.actuator;
    setLane<W>(to->action.direction, lane, a.direction);
    setLane<W>(to->action.point, lane, a.point);
  }

  static LaneAction<W> emptyAction(bool is_force, Frame frame, int group, int position) {
    LaneAction<W> empty;
    const LaneVector3<W> none = broadcast<W>(Vector3d::Zero());
    empty.action = {is_force, frame, none, none, Lanes<W>(0)};
    for (int& actuator : empty.actuator) actuator = -1;
    empty.group = group;
    empty.position = position;
    return empty;
  }

  std::vector<LaneAction<W>> actions_;
  std::vector<std::size_t> first_of_group_;
};

}  // namespace tactus::rt
