// Compiled for every processor, unlike the rest of the unit.
#include "clients/fmi/unit/cpu.h"

#include "rt/error.h"

namespace tactus::fmi {

void requireCpu() {
#if defined(__x86_64__) && defined(TACTUS_UNIT_NEEDS_AVX2)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    throw Error("this processor has no AVX2, FMA and BMI2, which the unit is compiled for (x86-64-v3)");
#endif
}

}  // namespace tactus::fmi
