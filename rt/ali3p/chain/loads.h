// Loads of actuators on the bodies of a Chain, in the lanes of their elements.
#pragma once

#include "rt/ali3p/chain/layout.h"
#include "rt/mechanics/body_action.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tactus::rt {

/// Actuators of one kind and frame at one station, at most one a lane; the direction is zero in lanes without one.
template <int W>
struct LaneAction {
  BodyAction<Lanes<W>> action;  ///< body axes are the principal axes, as in ChainElement
  int actuator[W];              ///< -1: none
  int lane_group, station;
};

/// All actuators of a chain, ordered by lane group; each LaneElement holds its range.
template <int W>
class ChainLoads {
 public:
  ChainLoads() = default;
  ChainLoads(const Chain& chain, std::vector<LaneElement<W>>& elements) {
    for (int lane_group = 0; lane_group < chain.segments / W; ++lane_group) {
      first_of_lane_group_.push_back(actions_.size());
      for (int station = 0; station < chain.stations; ++station) {
        LaneElement<W>& element = elements[static_cast<std::size_t>(lane_group * chain.stations + station)];
        element.first_action = static_cast<int>(actions_.size());
        for (const ChainActuator& a : chain.actuators)
          if (a.segment / W == lane_group && a.station == station) add(a, lane_group);
        element.action_count = static_cast<int>(actions_.size()) - element.first_action;
      }
    }
    first_of_lane_group_.push_back(actions_.size());
  }

  /// Takes over the input of a step for one lane group.
  void takeInput(int lane_group, std::span<const double> input) noexcept {
    const auto g = static_cast<std::size_t>(lane_group);
    for (std::size_t i = first_of_lane_group_[g]; i < first_of_lane_group_[g + 1]; ++i)
      for (int lane = 0; lane < W; ++lane)
        if (const int actuator = actions_[i].actuator[lane]; actuator >= 0)
          actions_[i].action.value.set(lane, input[static_cast<std::size_t>(actuator)]);
  }

  /// Adds the loads at an element to its right side.
  TACTUS_INLINE void addTo(const LaneElement<W>& element, const LaneMatrix3<W>& R, LaneIterate<W>& s) const noexcept {
    for (int i = element.first_action; i < element.first_action + element.action_count; ++i)
      addAction(actions_[static_cast<std::size_t>(i)].action, R, s.force, s.torque);
  }

 private:
  // Into an action of its kind that has the lane free, or a new one.
  void add(const ChainActuator& a, int lane_group) {
    const int lane = a.segment % W;
    LaneAction<W>* to = nullptr;
    for (LaneAction<W>& other : actions_)
      if (!to && other.lane_group == lane_group && other.station == a.station && other.actuator[lane] < 0 &&
          other.action.is_force == a.is_force && other.action.frame == a.frame)
        to = &other;
    if (!to) to = &actions_.emplace_back(emptyAction(a.is_force, a.frame, lane_group, a.station));
    to->actuator[lane] = a.actuator;
    setLane<W>(to->action.direction, lane, a.direction);
    setLane<W>(to->action.point, lane, a.point);
  }

  static LaneAction<W> emptyAction(bool is_force, Frame frame, int lane_group, int station) {
    LaneAction<W> empty;
    const LaneVector3<W> none = broadcast<W>(Vector3d::Zero());
    empty.action = {is_force, frame, none, none, Lanes<W>(0)};
    for (int& actuator : empty.actuator) actuator = -1;
    empty.lane_group = lane_group;
    empty.station = station;
    return empty;
  }

  std::vector<LaneAction<W>> actions_;
  std::vector<std::size_t> first_of_lane_group_;
};

}  // namespace tactus::rt
