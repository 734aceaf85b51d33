#include "server/model_io/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace tactus::server {
namespace {

using Json = nlohmann::json;

/// Line of the last token that the lexer has taken in. It looks one character ahead behind a number: white space
/// there does not count.
struct LineCounter {
  int line = 1;
  int token_line = 1;

  void take(char c) noexcept {
    if (c == '\n') ++line;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') token_line = line;
  }
};

/// Walks the text and counts its lines.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, LineCounter* counter) : at_(at), counter_(counter) {}
  reference operator*() const noexcept { return *at_; }
  CountingIterator& operator++() noexcept {
    counter_->take(*at_++);
    return *this;
  }
  CountingIterator operator++(int) noexcept {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const noexcept { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const noexcept { return at_ != other.at_; }

 private:
  const char* at_;
  LineCounter* counter_;
};

/// The words of the parser without its preamble "[json.exception...] parse error at line 3, column 5: ".
std::string messageOf(const Json::exception& error) {
  std::string message = error.what();
  if (const auto tag = message.find("] "); tag != std::string::npos) message.erase(0, tag + 2);
  if (message.rfind("parse error at line", 0) == 0)
    if (const auto colon = message.find(": "); colon != std::string::npos) message.erase(0, colon + 2);
  return "is not JSON: " + message;
}

/// The SAX interface of nlohmann::json.
class JsonEvents {
 public:
  JsonEvents(std::string_view text, const LineCounter& at, MessageBuilder& builder)
      : text_(text), at_(at), builder_(builder) {}

  bool null() { return builder_.null(line()), goOn(); }
  bool boolean(bool value) { return scalar(Scalar::Kind::kWord, value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) {
    return number(std::to_string(value), static_cast<double>(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return number(std::to_string(value), static_cast<double>(value));
  }
  bool number_float(Json::number_float_t value, const std::string& written) { return number(written, value); }
  bool string(std::string& value) { return scalar(Scalar::Kind::kString, value); }
  bool binary(Json::binary_t&) { return false; }  // has no form in text
  bool start_object(std::size_t) { return builder_.beginMessage(line()), goOn(); }
  bool key(std::string& name) { return builder_.key(name, line()), goOn(); }
  bool end_object() { return builder_.endMessage(), goOn(); }
  bool start_array(std::size_t) { return builder_.beginList(line()), goOn(); }
  bool end_array() { return builder_.endList(), goOn(); }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    // `position` counts the characters read, the offending one included.
    const std::size_t offset = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::string_view before = text_.substr(0, offset);
    const auto line_number = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    builder_.syntaxError(messageOf(error), static_cast<int>(line_number), static_cast<int>(offset - line_begin) + 1);
    return false;
  }

 private:
  int line() const noexcept { return at_.token_line; }
  bool goOn() const noexcept { return !builder_.exhausted(); }
  bool number(const std::string& written, double value) {
    builder_.scalar({Scalar::Kind::kNumber, written, value}, line());
    return goOn();
  }
  bool scalar(Scalar::Kind kind, std::string text) {
    builder_.scalar({kind, std::move(text)}, line());
    return goOn();
  }

  std::string_view text_;
  const LineCounter& at_;
  MessageBuilder& builder_;
};

}  // namespace

bool readJson(std::string_view text, MessageBuilder& builder) {
  // The parser takes it for the end of the text.
  if (const std::size_t end = text.find('\0'); end != std::string_view::npos) {
    const std::string_view before = text.substr(0, end);
    const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
    builder.syntaxError("is not JSON: it has a NUL byte",
                        1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                        static_cast<int>(end - line_begin) + 1);
    return false;
  }
  LineCounter counter;
  JsonEvents events(text, counter, builder);
  return Json::sax_parse(CountingIterator(text.data(), &counter), CountingIterator(text.data() + text.size(), &counter),
                         &events);
}

}  // namespace tactus::server
