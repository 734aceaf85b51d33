// The end of a step along the tree: the solved iterate becomes the next State.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

/// Writes the iterate, the multipliers, the joint angles, the internal states, the input and the powers into `to`. Tick
/// and work are left to the caller.
/// @param from  the state at the beginning of the step, whose angles are continued; may not be `to`
/// @rt no allocation, no throw, fixed work
void commit(const Model& model, const State& from, const TreeIterate& iterate, const TreeConditions& conditions,
            const TreeRows& rows, const TreeLoads& loads, State& to) noexcept;

/// The two parts of commit(): the bodies, multipliers and joint angles of the share of the iterate; and what looks at
/// all of the mechanism.
/// @rt no allocation, no throw, fixed work
void commitShare(const Model& model, const State& from, const TreeIterate& iterate, State& to) noexcept;
void commitRest(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions, const TreeRows& rows,
                const TreeLoads& loads, State& to) noexcept;

/// Powers of actuators and force elements, at the motions of the bodies.
/// @rt no allocation, no throw, fixed work
void storeLoadPowers(const Model& model, const BodyMotion* motions, const TreeConditions& conditions,
                     const TreeLoads& loads, State& to) noexcept;

}  // namespace tactus::rt
