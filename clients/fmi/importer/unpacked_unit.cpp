#include "clients/fmi/importer/unpacked_unit.h"

#include "rt/error.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <vector>

#include <sys/stat.h>

namespace tactus::fmi {
namespace {

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

struct Entry {
  zip_uint64_t index = 0;
  std::string name;
  std::uint64_t size = 0;
};

/// Why a name may not be written below a folder; empty if it may.
std::string nameProblem(const std::string& name) {
  if (name.empty() || name.size() > 1024) return "its name is empty or longer than 1024 bytes";
  if (name.front() == '/' || name.find('\\') != std::string::npos || name.find(':') != std::string::npos)
    return "its name must be a relative path with / between folders";
  for (const std::filesystem::path& part : std::filesystem::path(name))
    if (part == "..") return "its name leaves the folder of the unit by \"..\"";
  return "";
}

/// Checks everything that the directory of the archive says; nothing is read yet.
Entry checkEntry(zip_t* archive, zip_uint64_t index, const UnpackLimits& limits) {
  zip_stat_t stat;
  if (zip_stat_index(archive, index, 0, &stat) != 0) throw Error(zip_strerror(archive));
  const Entry entry{index, stat.name, stat.size};
  const auto refuse = [&](const std::string& why) { throw Error("file \"" + entry.name + "\": " + why); };
  if (const std::string problem = nameProblem(entry.name); !problem.empty()) refuse(problem);
  if (stat.encryption_method != ZIP_EM_NONE) refuse("it is encrypted; store it as plain data");
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive, index, 0, &system, &attributes);
  const mode_t type = system == ZIP_OPSYS_UNIX ? (attributes >> 16) & S_IFMT : 0;
  if (type == S_IFLNK) refuse("it is a symbolic link; store the file itself");
  if (type != 0 && type != S_IFREG && type != S_IFDIR) refuse("it is neither a file nor a folder");
  if (stat.size > (1U << 20) && stat.size / std::max<zip_uint64_t>(stat.comp_size, 1) > limits.ratio)
    refuse("it unpacks to more than " + std::to_string(limits.ratio) + " times its compressed size");
  return entry;
}

void extract(zip_t* archive, const Entry& entry, const std::string& folder) {
  const std::filesystem::path target = std::filesystem::path(folder) / entry.name;
  if (entry.name.back() == '/') {
    std::filesystem::create_directories(target);
    return;
  }
  std::filesystem::create_directories(target.parent_path());
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive, entry.index, 0));
  if (!file) throw Error("file \"" + entry.name + "\": " + zip_strerror(archive));
  std::ofstream out(target, std::ios::binary);
  std::array<char, 1 << 16> part;
  std::uint64_t written = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(file.get(), part.data(), part.size());
    if (count < 0) throw Error("file \"" + entry.name + "\": " + zip_file_strerror(file.get()));
    if (count == 0) break;
    written += static_cast<std::uint64_t>(count);
    if (written > entry.size) throw Error("file \"" + entry.name + "\": it is longer than the archive says");
    out.write(part.data(), count);
  }
  if (!out.flush()) throw Error("cannot write " + target.string() + "; is the disk full?");
}

}  // namespace

UnpackedUnit::UnpackedUnit(const std::string& path, const UnpackLimits& limits) {
  int code = 0;
  const std::unique_ptr<zip_t, CloseArchive> archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Error("cannot open it as a ZIP archive: " + why);
  }
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > limits.files)
    throw Error(std::to_string(count) + " files; at most " + std::to_string(limits.files) + " are unpacked");
  std::vector<Entry> entries;
  std::set<std::string> names;
  std::uint64_t bytes = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    entries.push_back(checkEntry(archive.get(), static_cast<zip_uint64_t>(i), limits));
    const Entry& entry = entries.back();
    if (!names.insert(entry.name).second) throw Error("file \"" + entry.name + "\" is in the archive twice");
    if (entry.size > limits.bytes - bytes)
      throw Error("it unpacks to more than " + std::to_string(limits.bytes >> 20) + " MiB");
    bytes += entry.size;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "tactus-fmu-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Error("cannot make a folder like " + pattern + "; set TMPDIR");
  folder_ = pattern;
  try {
    for (const Entry& entry : entries) extract(archive.get(), entry, folder_);
  } catch (const std::exception& error) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw Error(error.what());
  }
}

UnpackedUnit::~UnpackedUnit() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace tactus::fmi
