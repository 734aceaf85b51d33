#include "server/import/tree_names.h"

namespace tactus::server {
namespace {

// Below the 64 of a model, so that suffixes have room.
constexpr std::size_t kMaxTreeName = 48;

}  // namespace

std::string asName(const std::string& text) {
  std::string name = text.substr(0, kMaxTreeName);
  for (char& c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9')) c = '_';
  }
  if (!name.empty() && name.front() >= '0' && name.front() <= '9') name.insert(name.begin(), '_');
  return name;
}

std::string TreeNames::take(const std::string& wanted, const std::string& suffix, const SourcePlace& place,
                            ImportReport& report) {
  std::string name = asName(wanted);
  if (name.empty()) name = "unnamed";
  const std::string base = name;
  if (taken_.count(name) > 0 && !suffix.empty()) name = base + suffix;
  for (int k = 2; !taken_.insert(name).second; ++k) name = base + suffix + '_' + std::to_string(k);
  if (name != wanted && !wanted.empty())
    report.approximated(place, LossEffect::kNothing,
                        "is called " + name + ": names are of letters, digits and _, and unique in a model");
  return name;
}

}  // namespace tactus::server
