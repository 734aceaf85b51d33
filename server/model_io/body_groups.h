// Which bodies of a model are connected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tactus::server {

/// Sets of bodies that joints connect.
class BodyGroups {
 public:
  explicit BodyGroups(int bodies) : parent_(static_cast<std::size_t>(bodies) + 1) {
    for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  }
  /// @param body  an index, or -1 for ground
  int of(int body) {
    int at = body + 1;
    while (parent_[static_cast<std::size_t>(at)] != at)
      at = parent_[static_cast<std::size_t>(at)] =
          parent_[static_cast<std::size_t>(parent_[static_cast<std::size_t>(at)])];
    return at;
  }
  /// @returns false if they were one before
  bool join(int a, int b) {
    const int x = of(a), y = of(b);
    if (x == y) return false;
    parent_[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
    return true;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace tactus::server
