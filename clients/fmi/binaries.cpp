#include "clients/fmi/binaries.h"

// CMake names the files of the shared objects.
#define TACTUS_EMBED(name, file)                                                                 \
  asm(".pushsection .rodata\n.balign 16\n.global " #name "_begin\n.global " #name "_end\n" #name \
      "_begin:\n.incbin \"" file "\"\n" #name "_end:\n.byte 0\n.popsection\n");                  \
  extern "C" const char name##_begin[], name##_end[]

TACTUS_EMBED(tactus_unit_fmi2, TACTUS_FMU2);
TACTUS_EMBED(tactus_unit_fmi3, TACTUS_FMU3);

namespace tactus::fmi {

std::string_view unitBinary(int version) {
  return version == 2 ? std::string_view(tactus_unit_fmi2_begin, tactus_unit_fmi2_end)
                      : std::string_view(tactus_unit_fmi3_begin, tactus_unit_fmi3_end);
}

}  // namespace tactus::fmi
