// tactus_fuzz --target=NAME [OPTION of libFuzzer ...] [FOLDER ...]: mutates inputs of one target until something
// breaks.
//   --target=list    prints the names of the targets
//   --seeds=FOLDER   writes the seeds of the target into a folder first
#include "tests/fuzz/target.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>

using namespace tactus::fuzz;

namespace {
const Target* chosen = nullptr;
}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t longest);

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  google::protobuf::SetLogHandler(nullptr);
  spdlog::set_level(spdlog::level::off);
  std::string name = "list", seeds;
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument.starts_with("--target=")) name = argument.substr(9);
    if (argument.starts_with("--seeds=")) seeds = argument.substr(8);
  }
  if (name == "list") {
    for (const Target& each : targets()) std::printf("%s %zu\n", each.name, each.longest);
    std::exit(0);
  }
  chosen = &target(name);
  int number = 0;
  if (!seeds.empty())
    for (const std::string& seed : chosen->seeds())
      std::ofstream(seeds + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    chosen->run({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "BROKEN: %s\n", error.what());
    std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t longest,
                                               unsigned seed) {
  if (chosen->mutate == nullptr) return LLVMFuzzerMutate(data, size, longest);
  Random random(seed + 1);
  const std::string out = chosen->mutate({reinterpret_cast<const char*>(data), size}, random);
  if (out.size() > longest) return size;
  std::memcpy(data, out.data(), out.size());
  return out.size();
}
