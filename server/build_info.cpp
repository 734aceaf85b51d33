#include "server/build_info.h"

namespace tactus::server {

std::string madeBy() {
  const BuildInfo& build = buildInfo();
  return std::string("(tactus ") + build.version + ", " + build.commit + ", " + build.compiler + ')';
}

std::string describeBuild() {
  const BuildInfo& build = buildInfo();
  return std::string("tactus ") + build.version + "\ncommit: " + build.commit + "\ncompiler: " + build.compiler +
         "\nflags: " + build.flags + "\ninstruction set: " + build.instruction_set;
}

}  // namespace tactus::server
