// The methods of each family, as methods() lists them. Each function is defined with its family.
#pragma once

#include "rt/offline/integrator.h"

#include <vector>

namespace tactus::rt::offline {

std::vector<Method> realTimeMethods();
std::vector<Method> newmarkMethods();
std::vector<Method> firstOrderMethods();
std::vector<Method> minimalMethods();
std::vector<Method> rosenbrockMethods();
std::vector<Method> sundialsMethods();  ///< none where SUNDIALS was not there at build time

}  // namespace tactus::rt::offline
