// What set-up throws. Nothing in a tick throws; see tick_status.h.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tactus {

/// Root of every exception of Tactus.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace rt {

enum class Severity { kError, kWarning };

/// One thing that is wrong with a model: where, what was found, which rule it breaks, how to fix it.
struct Finding {
  Severity severity = Severity::kError;
  std::string path;   ///< "joints[2].revolute.axis_1", in the words of model.proto
  std::string value;  ///< as found
  std::string rule;   ///< what must hold
  std::string hint;   ///< how to fix it, or the nearest known name; may be empty
};

/// A model that cannot be built; carries every finding of the one pass over it.
class ModelError : public Error {
 public:
  explicit ModelError(std::vector<Finding> findings) : Error(summarize(findings)), findings_(std::move(findings)) {}

  const std::vector<Finding>& findings() const noexcept { return findings_; }

 private:
  static std::string summarize(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& f : findings) {
      if (!text.empty()) text += '\n';
      text += f.path + " = " + f.value + ": " + f.rule;
      if (!f.hint.empty()) text += " (" + f.hint + ")";
    }
    return text;
  }

  std::vector<Finding> findings_;
};

}  // namespace rt
}  // namespace tactus
