// What an import lost, and what stops it: each entry with file, line and element.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tactus::server {

/// Where something stands in an imported file.
struct SourcePlace {
  std::string file;
  int line = 0;         ///< from 1; 0: the file as a whole
  std::string element;  ///< joint "elbow"/limit
};

enum class LossKind {
  kDropped,       ///< the model does not have it
  kApproximated,  ///< the model has something near it
  kDefaulted      ///< the file does not say it
};

/// What a loss can change.
enum class LossEffect { kMotion, kPicture, kNothing };

struct Loss {
  LossKind kind;
  LossEffect effect;
  SourcePlace place;
  std::string reason;
};

/// Why a file cannot be imported.
struct ImportError {
  SourcePlace place;
  std::string value, rule, hint;
};

/// The findings of one import, in the order in which they were made.
class ImportReport {
 public:
  void dropped(SourcePlace place, LossEffect effect, std::string reason) {
    losses_.push_back({LossKind::kDropped, effect, std::move(place), std::move(reason)});
  }
  void approximated(SourcePlace place, LossEffect effect, std::string reason) {
    losses_.push_back({LossKind::kApproximated, effect, std::move(place), std::move(reason)});
  }
  void defaulted(SourcePlace place, LossEffect effect, std::string reason) {
    losses_.push_back({LossKind::kDefaulted, effect, std::move(place), std::move(reason)});
  }
  /// The first 200 errors are kept.
  void error(SourcePlace place, std::string value, std::string rule, std::string hint = {});

  const std::vector<Loss>& losses() const noexcept { return losses_; }
  const std::vector<ImportError>& errors() const noexcept { return errors_; }
  bool failed() const noexcept { return !errors_.empty(); }
  /// Number of losses that can change the motion.
  std::size_t motionLosses() const noexcept;

  /// Sorts losses and errors by file and line.
  void sort();

 private:
  std::vector<Loss> losses_;
  std::vector<ImportError> errors_;
};

/// "arm.urdf:12: joint "elbow"/limit = -1: must be above zero (hint)".
std::string toString(const ImportError& error);

/// "3 dropped, 1 approximated, 2 defaulted; 2 of them can change the motion".
std::string lossSummary(const ImportReport& report);

/// One line a loss; losses with one reason of elements with one name are one line, with all line numbers.
std::string lossText(const ImportReport& report);

/// {"losses": [...], "errors": [...]} with one entry a loss.
std::string lossJson(const ImportReport& report);

}  // namespace tactus::server
