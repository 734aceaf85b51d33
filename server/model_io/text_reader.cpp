#include "server/model_io/text_reader.h"

#include "rt/utf8.h"
#include "server/model_io/data_word.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <limits>
#include <string>

namespace tactus::server {
namespace {

using google::protobuf::io::ArrayInputStream;
using google::protobuf::io::ErrorCollector;
using google::protobuf::io::Tokenizer;

/// Errors below the grammar: a text without its closing quote, a character that begins no token.
class TokenErrors : public ErrorCollector {
 public:
  explicit TokenErrors(MessageBuilder& builder) : builder_(builder) {}
  void AddError(int line, int column, const std::string& message) override {
    if (!any_) builder_.syntaxError("is not a text form: " + message, line + 1, column + 1);
    any_ = true;
  }
  bool any() const noexcept { return any_; }

 private:
  MessageBuilder& builder_;
  bool any_ = false;
};

/// Recursive descent over: field* ; field = name [":"] value ; value = message | list | scalar.
class TextParser {
 public:
  TextParser(std::string_view text, MessageBuilder& builder)
      : stream_(text.data(), static_cast<int>(text.size())),
        errors_(builder),
        tokens_(&stream_, &errors_),
        builder_(builder) {
    tokens_.set_comment_style(Tokenizer::SH_COMMENT_STYLE);
    tokens_.set_allow_f_after_float(true);
    tokens_.Next();
  }

  bool parse() {
    builder_.beginMessage(1);
    while (!atEnd())
      if (!field()) return false;
    if (errors_.any()) return false;
    builder_.endMessage();
    return true;
  }

 private:
  const Tokenizer::Token& token() { return tokens_.current(); }
  bool atEnd() { return token().type == Tokenizer::TYPE_END; }
  bool at(const char* symbol) { return token().type == Tokenizer::TYPE_SYMBOL && token().text == symbol; }
  int line() { return token().line + 1; }
  bool goOn() const { return !errors_.any() && !builder_.exhausted(); }

  bool take(const char* symbol) {
    if (!at(symbol)) return false;
    tokens_.Next();
    return true;
  }

  bool broken(const std::string& expected) {
    if (errors_.any()) return false;
    const std::string found = atEnd() ? "the end" : '"' + rt::cutText(token().text, 40) + '"';
    builder_.syntaxError("is not a text form: " + expected + " expected, found " + found, line(), token().column + 1);
    return false;
  }

  bool field() {
    if (token().type != Tokenizer::TYPE_IDENTIFIER) return broken("the name of a field");
    const int key_line = line();
    builder_.key(token().text, key_line);
    tokens_.Next();
    const bool has_colon = take(":");
    if (!has_colon && !at("{") && !at("<")) return broken("\":\"");
    if (!value(key_line)) return false;
    if (!take(",")) take(";");
    return goOn();
  }

  bool value(int key_line) {
    if (at("{") || at("<")) return message(key_line);
    if (at("[")) return list();
    return scalar();
  }

  bool message(int key_line) {
    const char* close = at("{") ? "}" : ">";
    builder_.beginMessage(key_line);
    tokens_.Next();
    while (!at(close)) {
      if (!goOn()) return false;
      if (atEnd()) return broken(std::string("\"") + close + '"');
      if (!field()) return false;
    }
    tokens_.Next();
    builder_.endMessage();
    return goOn();
  }

  bool list() {
    builder_.beginList(line());
    tokens_.Next();
    while (!at("]")) {
      if (!goOn()) return false;
      if (atEnd()) return broken("\"]\"");
      if (!value(line())) return false;
      const bool more = take(",");
      if (more == at("]")) return broken(more ? "a value" : "\",\" or \"]\"");
    }
    tokens_.Next();
    builder_.endList();
    return goOn();
  }

  bool scalar() {
    const int value_line = line();
    if (token().type == Tokenizer::TYPE_STRING) return string(value_line);
    const bool negative = take("-");
    const std::string text = token().text;
    const std::string written = (negative ? "-" : "") + text;
    const double sign = negative ? -1 : 1;
    switch (token().type) {
      case Tokenizer::TYPE_INTEGER:
        // Hexadecimal and octal numbers stand for no double.
        if (text.size() > 1 && text.front() == '0') return done({Scalar::Kind::kWord, written}, value_line);
        [[fallthrough]];
      case Tokenizer::TYPE_FLOAT:
        return done({Scalar::Kind::kNumber, written, sign * Tokenizer::ParseFloat(text)}, value_line);
      case Tokenizer::TYPE_IDENTIFIER: {
        const std::string word = lowerCase(text);
        if (word == "nan")
          return done({Scalar::Kind::kNumber, written, std::numeric_limits<double>::quiet_NaN()}, value_line);
        if (word == "inf" || word == "infinity")
          return done({Scalar::Kind::kNumber, written, sign * std::numeric_limits<double>::infinity()}, value_line);
        return negative ? broken("a number") : done({Scalar::Kind::kWord, text}, value_line);
      }
      default: return broken("a value");
    }
  }

  bool done(const Scalar& value, int value_line) {
    tokens_.Next();
    builder_.scalar(value, value_line);
    return goOn();
  }

  // Adjacent texts are one.
  bool string(int value_line) {
    std::string text;
    while (token().type == Tokenizer::TYPE_STRING) {
      Tokenizer::ParseStringAppend(token().text, &text);
      tokens_.Next();
    }
    builder_.scalar({Scalar::Kind::kString, text}, value_line);
    return goOn();
  }

  ArrayInputStream stream_;
  TokenErrors errors_;
  Tokenizer tokens_;
  MessageBuilder& builder_;
};

}  // namespace

bool readText(std::string_view text, MessageBuilder& builder) {
  return TextParser(text, builder).parse();
}

}  // namespace tactus::server
