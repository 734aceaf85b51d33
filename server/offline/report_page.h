// A report as one HTML page: no script, no link to anything outside. What the pages of `tactus validate` and `tactus
// qualify` share.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

/// How a verdict is to look.
enum class Tone { kGood, kMixed, kBad };

struct PageHead {
  std::string title;
  std::string command;  ///< what was run
  std::string verdict;
  Tone tone = Tone::kBad;
  std::vector<std::string> reasons;
};

/// A whole page: the head, then `body`, which is HTML already.
std::string pageOf(const PageHead& head, const std::string& body);

/// Three digits.
std::string shown(double value);

/// Texts are escaped.
std::string tableOf(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
std::string listOf(const std::vector<std::string>& items);

/// @throws Error if the file cannot be written
void writePage(const std::string& path, const std::string& page);

}  // namespace tactus::server
