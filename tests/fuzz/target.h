// Targets of the fuzzers: what reads bytes that somebody else has made. Each is a function that the fuzzers call with
// bytes of their own, and that ordinary tests call with the seeds and with what was found once (regressions/TARGET).
#pragma once

#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::fuzz {

/// A promise that a reader does not keep.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// @throws Broken unless `holds`
inline void require(bool holds, const char* promise) {
  if (!holds) throw Broken(promise);
}

/// A file that holds the bytes of an input, for readers that open their file themselves. It ends with this object.
class ScratchFile {
 public:
  explicit ScratchFile(std::string_view bytes);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

using Random = std::minstd_rand;

struct Target {
  const char* name;
  std::size_t longest;  ///< input that the fuzzers try, bytes
  /// Whether the reader takes an input; @throws Broken, or whatever the reader should not throw
  bool (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)();                            ///< inputs that the reader takes, to start from
  std::string (*mutate)(std::string_view bytes, Random& random);  ///< null: bytes alone are mutated
};

const std::vector<Target>& targets();

/// @throws Broken for an unknown name
const Target& target(std::string_view name);

// One list for each source.
std::vector<Target> fileTargets();
std::vector<Target> importTargets();
std::vector<Target> textTargets();
std::vector<Target> modelTargets();
std::vector<Target> recordTargets();
std::vector<Target> requestTargets();

}  // namespace tactus::fuzz
