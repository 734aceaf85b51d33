// The files of an authority: public ones, which every user of the host may read, and the lock of its folder.
#pragma once

#include <string>

namespace tactus::server {

/// The content of a certificate or of a list.
/// @throws Error if it cannot be read, is not a regular file, or has more than 16 MiB
std::string readPublicFile(const std::string& path);

/// Writes a new file of mode 0644, whatever the umask; leaves none behind if it fails.
/// @throws Error if there is a file already, or it cannot be written
void writeNewPublicFile(const std::string& path, const std::string& content);

/// Puts a complete file of mode 0644 in the place of another one: a reader sees either the former or the new content.
/// @throws Error if it cannot be written; the former one is then unchanged
void replacePublicFile(const std::string& path, const std::string& content);

/// Other processes that lock the folder wait until this one ends.
class FolderLock {
 public:
  /// @throws Error if there is no such folder, or it cannot be locked
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace tactus::server
