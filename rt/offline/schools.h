// The list of schools. Each function is defined in methods.cpp of the folder that its line names.
#pragma once

#include "rt/offline/core/method.h"

namespace tactus::rt::offline {

School realTimeSchool();    // real_time/
School literalSchool();     // literal/
School newmarkSchool();     // newmark/
School multistepSchool();   // multistep/
School minimalSchool();     // minimal/
School rosenbrockSchool();  // rosenbrock/
School projectedSchool();   // projected/
School sundialsSchool();    // sundials/, only if SUNDIALS was found at build time

/// What methods in minimal coordinates say of their order.
inline constexpr const char* kAsOnOrdinaryEquations = "as on ordinary differential equations";

/// All schools, in the order in which their methods are listed.
inline std::vector<School> schools() {
  return {
      realTimeSchool(), literalSchool(),    newmarkSchool(),   multistepSchool(),
      minimalSchool(),  rosenbrockSchool(), projectedSchool(),
#ifdef TACTUS_WITH_SUNDIALS
      sundialsSchool(),
#endif
  };
}

}  // namespace tactus::rt::offline
