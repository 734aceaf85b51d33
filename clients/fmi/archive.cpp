#include "clients/fmi/archive.h"

#include "rt/error.h"

#include <zip.h>

namespace tactus::fmi {

void writeArchive(const std::string& path, const std::vector<ArchiveEntry>& entries) {
  const auto fail = [&](const std::string& why) { return Error("cannot write " + path + ": " + why); };
  int code = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw fail(why);
  }
  // 1 January 2020, 12:00, as an archive writes it: bits of year since 1980, month, day; of hour, minute, seconds / 2.
  // A time of UTC would be written as that of the zone.
  constexpr zip_uint16_t kDay = 40 << 9 | 1 << 5 | 1, kTime = 12 << 11;
  for (const ArchiveEntry& entry : entries) {
    zip_source_t* const source = zip_source_buffer(archive, entry.content.data(), entry.content.size(), 0);
    const zip_int64_t index = source ? zip_file_add(archive, entry.path.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      const std::string why = zip_strerror(archive);
      if (source) zip_source_free(source);
      zip_discard(archive);
      throw fail(why);
    }
    zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), kTime, kDay, 0);
  }
  if (zip_close(archive) != 0) {
    const std::string why = zip_strerror(archive);
    zip_discard(archive);
    throw fail(why);
  }
}

}  // namespace tactus::fmi
