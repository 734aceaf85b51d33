#include "rt/model/finding_list.h"

#include "rt/utf8.h"

#include <array>
#include <charconv>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxText = 80;
// Nobody fixes more in one go; bounds what a hostile description can cost.
constexpr std::size_t kMaxFindings = 1000;

template <typename Vector>
std::string printedVector(const Vector& value) {
  std::string text = "[";
  for (Eigen::Index i = 0; i < value.size(); ++i) text += (i == 0 ? "" : ", ") + printed(value[i]);
  return text + "]";
}

}  // namespace

void FindingList::add(Finding finding) {
  if (findings_.size() < kMaxFindings)
    findings_.push_back(std::move(finding));
  else
    ++left_out_;
}

std::vector<Finding> FindingList::take() {
  if (left_out_ > 0)
    findings_.push_back({Severity::kError, "", std::to_string(left_out_) + " more findings", "are left out", ""});
  return std::move(findings_);
}

std::string printed(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return std::string(text.data(), end);
}

std::string printed(const Eigen::Vector3d& value) {
  return printedVector(value);
}
std::string printed(const Eigen::Vector4d& value) {
  return printedVector(value);
}

std::string printed(const std::string& value) {
  if (value.size() <= kMaxText) return '"' + value + '"';
  return '"' + cutText(value, kMaxText) + "...\"";
}

std::string element(const char* list, std::size_t index) {
  return list + ('[' + std::to_string(index) + ']');
}

}  // namespace tactus::rt
