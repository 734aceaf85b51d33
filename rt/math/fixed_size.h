// Kernels of fixed size for sizes that are known when a model is compiled.
#pragma once

#include "rt/math/lanes.h"

namespace tactus::rt {

/// Calls f.template operator()<N>() for a size N of 1 to 6; a larger one counts as 6.
template <class F>
TACTUS_INLINE auto withFixedSize(int size, F&& f) noexcept {
  switch (size) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    default: return f.template operator()<6>();
  }
}

}  // namespace tactus::rt
