// UnpackedUnit: the files of an FMU of anybody, in a folder of their own.
#pragma once

#include <cstdint>
#include <string>

namespace tactus::fmi {

/// What an archive may hold.
struct UnpackLimits {
  std::int64_t files = 10'000;
  std::uint64_t bytes = std::uint64_t{1} << 30;  ///< of all files together
  std::uint64_t ratio = 1000;                    ///< of a file above 1 MiB to its compressed size
};

/// Owns a folder that only this user can read; it is removed with the object.
class UnpackedUnit {
 public:
  /// Names that leave the folder, links, encrypted files and archives beyond the limits are refused before anything of
  /// them is written.
  /// @throws Error that names the file in the archive and the rule
  explicit UnpackedUnit(const std::string& path, const UnpackLimits& limits = {});
  ~UnpackedUnit();
  UnpackedUnit(const UnpackedUnit&) = delete;
  UnpackedUnit& operator=(const UnpackedUnit&) = delete;

  /// Absolute, without a slash at its end.
  const std::string& folder() const noexcept { return folder_; }

 private:
  std::string folder_;
};

}  // namespace tactus::fmi
