// What the rules write their findings into, and how they print values.
#pragma once

#include "rt/error.h"

#include <Eigen/Core>

#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {

class FindingList {
 public:
  void error(std::string path, std::string value, std::string rule, std::string hint = {}) {
    add({Severity::kError, std::move(path), std::move(value), std::move(rule), std::move(hint)});
  }
  void warning(std::string path, std::string value, std::string rule, std::string hint = {}) {
    add({Severity::kWarning, std::move(path), std::move(value), std::move(rule), std::move(hint)});
  }
  std::vector<Finding> take();

  /// Whether another search for a near name is worth its time: the first 16 findings get one, because a search looks at
  /// every known name.
  bool mayLookForNames() noexcept { return looks_left_ > 0 && looks_left_-- > 0; }

 private:
  void add(Finding finding);

  std::vector<Finding> findings_;
  std::size_t left_out_ = 0;
  int looks_left_ = 16;
};

/// The shortest text that reads back as the same number.
std::string printed(double value);
/// "[1, 0, 0]".
std::string printed(const Eigen::Vector3d& value);
std::string printed(const Eigen::Vector4d& value);
/// In quotes; long texts are cut.
std::string printed(const std::string& value);

/// "bodies[2]".
std::string element(const char* list, std::size_t index);

}  // namespace tactus::rt
