#include "rt/offline/families.h"

namespace tactus::rt::offline {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list;
    for (const auto& family : {realTimeMethods(), newmarkMethods(), firstOrderMethods(), minimalMethods(),
                               rosenbrockMethods(), sundialsMethods()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return all;
}

}  // namespace tactus::rt::offline
