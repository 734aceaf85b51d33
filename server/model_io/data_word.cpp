#include "server/model_io/data_word.h"

#include "rt/model/finding_list.h"
#include "rt/utf8.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace tactus::server {

std::string lowerCase(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

std::string upperCase(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return out;
}

std::string_view withoutBlanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::string shortWord(std::string_view word) {
  constexpr std::size_t kMaxShown = 40;
  return rt::printed(rt::cutText(std::string(word.substr(0, 4 * kMaxShown)), kMaxShown));
}

std::optional<double> finiteNumber(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> fortranNumber(std::string_view word) {
  std::string text(word);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  return finiteNumber(text);
}

}  // namespace tactus::server
