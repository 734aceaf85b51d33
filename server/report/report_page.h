// A report as one HTML page without scripts and external links: the parts that all report pages share.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tactus::server {

/// Color of a verdict.
enum class Tone { kGood, kMixed, kBad };

/// What made a report.
struct PageOrigin {
  std::string command;  ///< command line
  std::string made;     ///< date, host and build
};

struct PageHead {
  std::string title;
  PageOrigin origin;
  std::string verdict;
  std::string deciding;  ///< the finding that decides
  Tone tone = Tone::kBad;
  std::vector<std::string> reasons;
};

/// The heading of a section. A page begins with links to its sections.
std::string sectionOf(const std::string& title);

/// A complete page: the head with its reasons, failures first, then `body` (HTML).
std::string pageOf(const PageHead& head, const std::string& body);

/// Whether a file holds such a page, also of an earlier version.
bool isReportPage(std::istream& file);

/// A table and a list as HTML. Texts are escaped.
std::string tableOf(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
std::string listOf(const std::vector<std::string>& items);

}  // namespace tactus::server
