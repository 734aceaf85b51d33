// Fills a message from the events of a reader, whatever the syntax: finds fields by name, checks types, keeps lines.
// What is wrong becomes a finding and is stepped over, so that one pass finds all.
#pragma once

#include "server/model_io/field_lines.h"
#include "server/model_io/field_value.h"
#include "server/model_io/located_finding.h"
#include "server/model_io/model_syntax.h"

#include <google/protobuf/message.h>

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

namespace tactus::server {

class MessageBuilder {
 public:
  /// @param root    receives the fields; must outlive the builder
  /// @param syntax  text form may repeat a key to add an element, JSON may write names in lowerCamelCase
  MessageBuilder(google::protobuf::Message& root, ModelSyntax syntax);

  // Events, in the order of the text. The outermost message begins and ends like any other.
  void key(const std::string& name, int line);
  void beginMessage(int line);
  void endMessage();
  void beginList(int line);
  void endList();
  void scalar(const Scalar& value, int line);
  void null(int line);

  /// True once the text has gone beyond what is read of one model: depth or number of elements. The finding is made.
  bool exhausted() const noexcept { return exhausted_; }

  /// A finding of the reader itself: the text cannot be read on from here.
  void syntaxError(const std::string& message, int line, int column);

  const std::vector<LocatedFinding>& findings() const noexcept { return findings_; }
  const FieldLines& lines() const noexcept { return lines_; }

  /// True if what is wrong at `path` follows from a finding made here.
  bool explains(const std::string& path) const;

 private:
  struct Frame {
    enum class Kind { kMessage, kList, kSkipped } kind;
    google::protobuf::Message* message = nullptr;  ///< of a list: the message that holds it
    const google::protobuf::FieldDescriptor* field =
        nullptr;            ///< of the newest key, or of the list; null: to be skipped
    std::string path = {};  ///< of the message, or of the list
    std::unordered_set<const google::protobuf::FieldDescriptor*> given = {};
    std::vector<const google::protobuf::FieldDescriptor*> meant = {};  ///< by misspelt keys
  };

  /// Where the next value goes.
  struct Target {
    google::protobuf::Message* message;
    const google::protobuf::FieldDescriptor* field;
    std::string path;
  };

  /// A number with a unit that its element decides: judged when the message around it ends, or when the model ends if a
  /// spring of it decides.
  struct Awaiting {
    const google::protobuf::Message* owner;
    Target target;
    int index;  ///< in a list
    Scalar value;
    int line;
  };

  bool nextTarget(Target& target, const std::string& written, int line);
  void push(Frame frame, int line);
  void skip(int line) { push({Frame::Kind::kSkipped}, line); }
  void unknownKey(Frame& frame, const std::string& name, int line);
  void store(const Target& target, const Scalar& value, int line);
  void storeAwaitingOf(const google::protobuf::Message& owner);
  void storeSpringInputs();
  void storeAwaiting(const Awaiting& number, const std::string& unit);
  void fill(const std::string& written);
  void add(rt::Finding finding, int line, int column = 0);
  void exhaust(const std::string& rule, int line);

  google::protobuf::Message& root_;
  ModelSyntax syntax_;
  std::vector<Frame> frames_;
  std::vector<LocatedFinding> findings_;
  FieldLines lines_;
  std::vector<std::string> explained_;
  std::vector<Awaiting> awaiting_, spring_inputs_;
  std::size_t elements_ = 0;
  int awaits_value_ = -1;  ///< index of the finding whose value comes next, or -1
  bool exhausted_ = false;
};

}  // namespace tactus::server
