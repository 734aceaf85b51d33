#include "tests/fuzz/target.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tactus::fuzz {

ScratchFile::ScratchFile(std::string_view bytes) {
  static int count = 0;
  const std::string name = "tactus-fuzz-" + std::to_string(getpid()) + '-' + std::to_string(count++) + ".xml";
  path_ = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream(path_, std::ios::binary) << bytes;
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (const auto& part :
         {textTargets(), modelTargets(), recordTargets(), requestTargets(), importTargets(), fileTargets()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Target& target(std::string_view name) {
  for (const Target& each : targets())
    if (name == each.name) return each;
  throw Broken("no fuzz target has this name; fuzzer.cpp prints them for --target=list");
}

}  // namespace tactus::fuzz
