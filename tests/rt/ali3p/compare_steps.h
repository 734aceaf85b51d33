// Steps by one plan against steps by another plan of the same mechanism.
#pragma once

#include "rt/ali3p/settings.h"

namespace tactus::rt {
struct Model;
struct Plan;
}  // namespace tactus::rt

namespace tactus::tests {

/// Steps by one plan with random inputs; at every step the other plan starts from the same state and has to arrive at
/// the same one, with the same report.
void compareSteps(const rt::Model& model, const rt::Plan& plan, const rt::Plan& other, const rt::Settings& settings,
                  int steps);

}  // namespace tactus::tests
