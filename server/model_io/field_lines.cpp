#include "server/model_io/field_lines.h"

namespace tactus::server {

int FieldLines::lineOf(std::string path) const {
  for (;;) {
    if (const auto found = lines_.find(path); found != lines_.end()) return found->second;
    if (path.empty()) return 0;
    const std::size_t last = path.find_last_of(".[");
    path.resize(last == std::string::npos ? 0 : last);
  }
}

bool isWithin(const std::string& path, const std::string& outer) {
  if (path.compare(0, outer.size(), outer) != 0) return false;
  return path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '[';
}

bool isErrorAt(const rt::Finding& finding, const std::string& path) {
  return finding.severity == rt::Severity::kError && (isWithin(path, finding.path) || isWithin(finding.path, path));
}

}  // namespace tactus::server
