// Units of anybody as controllers of a session: each steps in a thread of its own, and the tick of a session that paces
// itself never waits for it.
#pragma once

#include "clients/fmi/session/unit_driver.h"
#include "server/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::fmi {

/// Loads units, takes the inputs that they drive, and starts them. They end with the returned object; one that hangs in
/// a call is left behind after 2 s. A unit runs with the rights of this process: one that crashes ends it, unless it
/// has a process of its own, which is then all that ends.
///
/// A unit reads the signals of each tick k that is a multiple of `every` in its map, makes one step of `every` periods,
/// and its outputs are the inputs of tick k + `delay`. In lockstep the ticks wait for it, so that each run has the same
/// bits. Otherwise a result that comes late counts as missed and is not used. A unit that returns an error, or an
/// output that is not finite or outside the range of its actuator, or whose process ends or hangs, ends; its step
/// counts as missed, and its inputs are lost like those of a controller that is silent.
/// @param words  NAME=FILE.fmu:MAP.json
/// @throws Error with all that is wrong, one finding a line
std::shared_ptr<void> startUnits(const std::shared_ptr<server::Session>& session, const std::vector<std::string>& words,
                                 const UnitProcessOptions& process);

}  // namespace tactus::fmi
