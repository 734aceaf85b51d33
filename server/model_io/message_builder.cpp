#include "server/model_io/message_builder.h"

#include "rt/model/check_model.h"
#include "rt/utf8.h"
#include "server/model_io/field_units.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <utility>

namespace tactus::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// Far above any model; they bound what hostile input can cost.
constexpr std::size_t kMaxNesting = 32;
constexpr std::size_t kMaxElements = 1'000'000;
constexpr std::size_t kMaxFindings = 1000;
constexpr std::size_t kMaxValue = 80;

/// A field by its name in the proto or, in JSON, by its lowerCamelCase name.
const FieldDescriptor* findField(const Descriptor& descriptor, const std::string& name, bool is_json) {
  if (const FieldDescriptor* field = descriptor.FindFieldByName(name)) return field;
  if (!is_json) return nullptr;
  for (int i = 0; i < descriptor.field_count(); ++i)
    if (descriptor.field(i)->json_name() == name) return descriptor.field(i);
  return nullptr;
}

std::vector<std::string> fieldNames(const Descriptor& descriptor) {
  std::vector<std::string> names;
  for (int i = 0; i < descriptor.field_count(); ++i) names.push_back(descriptor.field(i)->name());
  return names;
}

std::string joined(const std::string& path, const std::string& field) {
  return path.empty() ? field : path + '.' + field;
}

std::string asWritten(const Scalar& value) {
  const bool is_long = value.text.size() > kMaxValue;
  const std::string text = is_long ? rt::cutText(value.text, kMaxValue) + "..." : value.text;
  return value.kind == Scalar::Kind::kString ? '"' + text + '"' : text;
}

}  // namespace

MessageBuilder::MessageBuilder(Message& root, ModelSyntax syntax) : root_(root), syntax_(syntax) {}

void MessageBuilder::key(const std::string& name, int line) {
  Frame& frame = frames_.back();
  frame.field = nullptr;
  if (frame.kind != Frame::Kind::kMessage) return;

  const FieldDescriptor* field = findField(*frame.message->GetDescriptor(), name, syntax_ == ModelSyntax::kJson);
  if (field == nullptr) return unknownKey(frame, name, line);
  const std::string path = joined(frame.path, field->name());

  // A field is given once, unless repeating the key is how the syntax adds an element.
  const bool may_repeat = field->is_repeated() && syntax_ == ModelSyntax::kText;
  if (!frame.given.insert(field).second && !may_repeat) {
    awaits_value_ = static_cast<int>(findings_.size());
    return add({rt::Severity::kError, path, "", "must be given once",
                "it is given before in line " + std::to_string(lines_.lineOf(path))},
               line);
  }

  // Of a oneof, one member is given.
  if (const OneofDescriptor* oneof = field->real_containing_oneof()) {
    for (int i = 0; i < oneof->field_count(); ++i) {
      const FieldDescriptor* other = oneof->field(i);
      if (other == field || frame.given.count(other) == 0) continue;
      awaits_value_ = static_cast<int>(findings_.size());
      return add({rt::Severity::kError, path, "",
                  "must not be given together with " + other->name() + ": one " + oneof->name() + " each", ""},
                 line);
    }
  }
  frame.field = field;
  if (!field->is_repeated() || syntax_ == ModelSyntax::kJson) lines_.set(path, line);
}

void MessageBuilder::unknownKey(Frame& frame, const std::string& name, int line) {
  const Descriptor& descriptor = *frame.message->GetDescriptor();
  const std::vector<std::string> known = fieldNames(descriptor);
  const std::string nearest = rt::nearestName(name, known);
  if (!nearest.empty()) frame.meant.push_back(descriptor.FindFieldByName(nearest));
  awaits_value_ = static_cast<int>(findings_.size());
  add({rt::Severity::kError, joined(frame.path, rt::cutText(name, kMaxValue)), "",
       "is not a field of " + descriptor.name(), didYouMean(name, known)},
      line);
}

bool MessageBuilder::nextTarget(Target& target, const std::string& written, int line) {
  fill(written);
  if (++elements_ > kMaxElements) exhaust("must not hold more than " + std::to_string(kMaxElements) + " values", line);
  if (exhausted_ || frames_.empty()) return false;
  const Frame& frame = frames_.back();
  if (frame.kind == Frame::Kind::kSkipped || frame.field == nullptr) return false;

  const bool in_list = frame.kind == Frame::Kind::kList;
  target = {frame.message, frame.field, in_list ? frame.path : joined(frame.path, frame.field->name())};
  if (!frame.field->is_repeated()) return true;
  if (!in_list && syntax_ == ModelSyntax::kJson) {
    add({rt::Severity::kError, target.path, written, "must be a list [ ... ]", ""}, line);
    return false;
  }
  lines_.set(target.path, line);
  target.path += '[' + std::to_string(frame.message->GetReflection()->FieldSize(*frame.message, frame.field)) + ']';
  return true;
}

void MessageBuilder::beginMessage(int line) {
  if (frames_.empty()) {
    lines_.set("", line);
    return push({Frame::Kind::kMessage, &root_}, line);
  }
  Target target;
  if (!nextTarget(target, "{...}", line)) return skip(line);
  if (target.field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
    store(target, {Scalar::Kind::kWord, "{...}"}, line);
    return skip(line);
  }
  const Reflection& reflection = *target.message->GetReflection();
  Message* child = target.field->is_repeated() ? reflection.AddMessage(target.message, target.field)
                                               : reflection.MutableMessage(target.message, target.field);
  lines_.set(target.path, line);
  push({Frame::Kind::kMessage, child, nullptr, target.path}, line);
}

void MessageBuilder::endMessage() {
  // A misspelt field that is missing under its right name would only be found missing once more.
  const Frame& frame = frames_.back();
  for (const FieldDescriptor* field : frame.meant) {
    if (frame.given.count(field) > 0) continue;
    explained_.push_back(joined(frame.path, field->name()));
    if (const OneofDescriptor* oneof = field->real_containing_oneof())
      explained_.push_back(joined(frame.path, oneof->name()));
  }
  if (frame.message != nullptr) storeAwaitingOf(*frame.message);
  frames_.pop_back();
  if (frames_.empty()) storeSpringInputs();
}

void MessageBuilder::beginList(int line) {
  if (frames_.empty()) {
    add({rt::Severity::kError, "", "[...]", "must be one model { ... }", ""}, line);
    return skip(line);
  }
  fill("[...]");
  const Frame& frame = frames_.back();
  if (frame.kind == Frame::Kind::kMessage && frame.field != nullptr && frame.field->is_repeated())
    return push({Frame::Kind::kList, frame.message, frame.field, joined(frame.path, frame.field->name())}, line);

  // A list where there can be none.
  Target target;
  if (nextTarget(target, "[...]", line)) store(target, {Scalar::Kind::kWord, "[...]"}, line);
  skip(line);
}

void MessageBuilder::endList() {
  frames_.pop_back();
}

void MessageBuilder::scalar(const Scalar& value, int line) {
  if (frames_.empty()) return add({rt::Severity::kError, "", asWritten(value), "must be one model { ... }", ""}, line);
  Target target;
  if (nextTarget(target, asWritten(value), line)) store(target, value, line);
}

void MessageBuilder::null(int line) {
  // As a field it stands for one that is not given.
  fill("null");
  if (!frames_.empty() && frames_.back().kind == Frame::Kind::kMessage && frames_.back().field != nullptr)
    frames_.back().given.erase(frames_.back().field);
  if (frames_.empty() || frames_.back().kind == Frame::Kind::kList) scalar({Scalar::Kind::kWord, "null"}, line);
}

void MessageBuilder::store(const Target& target, const Scalar& value, int line) {
  const auto around = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) {
    return frame.message != nullptr && frame.message != target.message;
  });
  const Message* const owner = around == frames_.rend() ? nullptr : around->message;
  const Reflection& reflection = *target.message->GetReflection();
  if (owner != nullptr && awaitsElement(value, *target.field)) {
    int index = 0;
    if (target.field->is_repeated()) {
      index = reflection.FieldSize(*target.message, target.field);
      reflection.AddDouble(target.message, target.field, 0);
    }
    const bool of_input = target.message->GetDescriptor() == v1::SpringInput::descriptor();
    return (of_input ? spring_inputs_ : awaiting_).push_back({owner, target, index, value, line});
  }
  const Refusal refusal = storeScalar(value, *target.message, *target.field);
  if (refusal.rule.empty()) return;
  add({rt::Severity::kError, target.path, asWritten(value), refusal.rule, refusal.hint}, line);

  if (const OneofDescriptor* oneof = target.field->real_containing_oneof())
    explained_.push_back(target.path.substr(0, target.path.size() - target.field->name().size()) + oneof->name());

  // Hold the place in a list, so that what follows keeps its index.
  if (!target.field->is_repeated()) return;
  if (target.field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) reflection.AddMessage(target.message, target.field);
  if (target.field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)
    reflection.AddDouble(target.message, target.field, 0);
  if (target.field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
    reflection.AddString(target.message, target.field, "");
}

void MessageBuilder::storeAwaitingOf(const Message& owner) {
  // Elements end in the order of their depth, so that what waits for this one is at the end.
  const auto first = std::find_if(awaiting_.begin(), awaiting_.end(),
                                  [&owner](const Awaiting& number) { return number.owner == &owner; });
  for (auto number = first; number != awaiting_.end(); ++number) {
    const Target& target = number->target;
    storeAwaiting(*number, unitOf(*target.field, number->index, *target.message, number->owner));
  }
  awaiting_.erase(first, awaiting_.end());
}

void MessageBuilder::storeSpringInputs() {
  if (spring_inputs_.empty()) return;
  const InputUnits units(static_cast<const v1::Model&>(root_));  // no other message has spring inputs
  for (const Awaiting& number : spring_inputs_)
    storeAwaiting(number, units.of(*number.target.field, static_cast<const v1::SpringInput&>(*number.target.message),
                                   static_cast<const v1::Actuator&>(*number.owner)));
  spring_inputs_.clear();
}

void MessageBuilder::storeAwaiting(const Awaiting& number, const std::string& unit) {
  const Target& target = number.target;
  const Refusal refusal = server::storeAwaiting(number.value.text, unit, *target.message, *target.field, number.index);
  if (!refusal.rule.empty())
    add({rt::Severity::kError, target.path, asWritten(number.value), refusal.rule, refusal.hint}, number.line);
}

void MessageBuilder::push(Frame frame, int line) {
  frames_.push_back(std::move(frame));
  if (frames_.size() > kMaxNesting) exhaust("must not be nested deeper than " + std::to_string(kMaxNesting), line);
}

void MessageBuilder::fill(const std::string& written) {
  if (awaits_value_ >= 0 && static_cast<std::size_t>(awaits_value_) < findings_.size())
    findings_[static_cast<std::size_t>(awaits_value_)].finding.value = written;
  awaits_value_ = -1;
}

void MessageBuilder::add(rt::Finding finding, int line, int column) {
  findings_.push_back({std::move(finding), line, column});
  if (findings_.size() == kMaxFindings) exhaust("has more findings than are listed; fix these first", line);
}

void MessageBuilder::exhaust(const std::string& rule, int line) {
  if (std::exchange(exhausted_, true)) return;
  fill("...");
  findings_.push_back({{rt::Severity::kError, "", "the model", rule, ""}, line, 0});
}

void MessageBuilder::syntaxError(const std::string& message, int line, int column) {
  add({rt::Severity::kError, "", "the text", message, ""}, line, column);
}

bool MessageBuilder::explains(const std::string& path) const {
  for (const LocatedFinding& found : findings_) {
    const std::string& cause = found.finding.path;
    if (!cause.empty() && (isWithin(path, cause) || isWithin(cause, path))) return true;
  }
  for (const std::string& cause : explained_)
    if (isWithin(path, cause)) return true;
  return false;
}

}  // namespace tactus::server
