// What the fuzzers are made of, without a fuzzer: every target takes its seeds, mutations of them, and what was found
// once.
// Covers: tests/fuzz/target.cpp
#include "tests/fuzz/target.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace tactus::fuzz;

namespace {

std::vector<std::filesystem::path> regressionsOf(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(TACTUS_SOURCE_DIR) / "tests/fuzz/regressions" / name;
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string mutated(const Target& target, const std::string& seed, Random& random) {
  if (target.mutate != nullptr) return target.mutate(seed, random);
  std::string out = seed;
  if (!out.empty()) out[random() % out.size()] ^= static_cast<char>(1u << random() % 8);
  return out;
}

}  // namespace

TEST_CASE("every fuzz target takes its seeds, mutations of them and what fuzzers have found", "[server][fuzz]") {
  const std::string name =
      GENERATE(as<std::string>{}, "grid", "csv_inputs", "glob", "datagram", "model_json", "model_text", "model_message",
               "recording", "snapshot", "requests", "import", "crg", "tyre", "mesh", "fmu_description");
  INFO(name);
  google::protobuf::SetLogHandler(nullptr);
  const auto level = spdlog::get_level();
  spdlog::set_level(spdlog::level::off);
  const Target& chosen = target(name);
  Random random(7);
  const std::vector<std::string> seeds = chosen.seeds();
  REQUIRE_FALSE(seeds.empty());
  for (const std::string& seed : seeds) {
    CHECK(seed.size() <= chosen.longest);
    INFO(seed);
    CHECK(chosen.run(seed));
    CHECK_NOTHROW(chosen.run(mutated(chosen, seed, random)));
  }
  for (const std::filesystem::path& path : regressionsOf(name)) {
    INFO(path);
    std::ifstream file(path, std::ios::binary);
    CHECK_NOTHROW(chosen.run(std::string(std::istreambuf_iterator<char>(file), {})));
  }
  spdlog::set_level(level);
}

TEST_CASE("the list of fuzz targets is the list above, and each folder of regressions belongs to one",
          "[server][fuzz]") {
  CHECK(targets().size() == 15);
  const std::filesystem::path folder = std::filesystem::path(TACTUS_SOURCE_DIR) / "tests/fuzz/regressions";
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.is_directory()) CHECK_NOTHROW(target(entry.path().filename().string()));
}
