#include "rt/offline/families.h"

namespace tactus::rt::offline {

// Built in place of sundials_methods.cpp where the library is not installed.
std::vector<Method> sundialsMethods() {
  return {};
}

}  // namespace tactus::rt::offline
