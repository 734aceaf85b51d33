// ZIP archives of units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tactus::fmi {

struct ArchiveEntry {
  std::string path;
  std::string_view content;
};

/// Writes an archive; the same entries give the same bytes. @throws Error if the file cannot be written
void writeArchive(const std::string& path, const std::vector<ArchiveEntry>& entries);

}  // namespace tactus::fmi
