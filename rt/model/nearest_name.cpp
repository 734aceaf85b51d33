#include "rt/model/check_model.h"

#include <algorithm>
#include <numeric>

namespace tactus::rt {
namespace {

// No valid name is longer; keeps the distance cheap on hostile input.
constexpr std::size_t kMaxName = 64;

/// Levenshtein distance: insertions, deletions and replacements of one character.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearestName(const std::string& name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > kMaxName) return {};

  // Near means: at most a third of the letters differ, and at least one letter agrees; or the name was not finished.
  const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3 + 1);
  std::size_t best = allowed + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const bool begun =
        name.size() > 1 && candidate.size() > name.size() && candidate.compare(0, name.size(), name) == 0;
    if (begun && best > 1) best = 1, nearest = candidate;
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer - shorter >= best) continue;
    const std::size_t distance = editDistance(name, candidate);
    if (distance < best && distance < longer) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace tactus::rt
