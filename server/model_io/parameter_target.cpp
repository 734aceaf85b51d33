#include "server/model_io/parameter_target.h"

#include "rt/model/check_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// One field on the way to a number; of lists with the place in it.
struct Step {
  const FieldDescriptor* field;
  int index = -1;
};

/// What a parameter may change: everything below forces and roads, and these.
constexpr const char* kPhysics =
    "of gravity, of masses and inertias of bodies, of forces and roads, or a stiffness, damping, section, material or "
    "mass "
    "of a composite";

/// Whether a number of a composite leaves its parts and their joints where they are.
/// @param steps  from the composite to the number
bool mayChangeComposite(const std::vector<Step>& steps) {
  static const std::set<std::string> kAllowed = {"stiffness",
                                                 "damping",
                                                 "free_length",
                                                 "preload",
                                                 "stiffness_curve",
                                                 "damping_curve",
                                                 "minimum_stop",
                                                 "maximum_stop",
                                                 "stations",
                                                 "material",
                                                 "damping_time",
                                                 "damping_ratio",
                                                 "damping_angular_frequency",
                                                 "mode_stiffness"};
  if (steps.size() < 3) return false;
  const std::string& field = steps[2].field->name();
  const bool of_body = field == "tube" || field == "rod";
  return of_body ? steps.back().field->name() != "offset" : kAllowed.count(field) > 0;
}

bool mayChange(const std::vector<Step>& steps) {
  const std::string& list = steps.front().field->name();
  if (list == "gravity" || list == "forces" || list == "roads") return true;
  if (list == "composites") return mayChangeComposite(steps);
  return list == "bodies" && steps.size() > 1 &&
         (steps[1].field->name() == "mass" || steps[1].field->name() == "inertia");
}

bool isLetter(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::string nearOf(const std::string& name, const std::vector<std::string>& known, const TargetProblem& problem) {
  if (problem.findings && !problem.findings->mayLookForNames()) return "";
  const std::string near = rt::nearestName(name, known);
  return near.empty() ? "" : "did you mean \"" + near + "\"?";
}

std::string nameOf(const Message& element) {
  const FieldDescriptor* name = element.GetDescriptor()->FindFieldByName("name");
  return name ? element.GetReflection()->GetString(element, name) : "";
}

/// Walks along a path, one word at a time: words are divided by dots, and each may end in [index] or in [name].
class Walk {
 public:
  Walk(const v1::Model& model, const std::string& path, TargetProblem& problem)
      : at_(&model), path_(path), problem_(problem) {}

  /// @returns whether the path leads to a number that a parameter may change
  bool run() {
    while (place_ < path_.size())
      if (!take(nextWord())) return false;
    if (steps.empty() || path_.back() == '.')
      return fail("must be the path of a number", "for example \"bodies.payload.mass\"");
    if (at_ && at_->GetDescriptor() == v1::Coefficient::descriptor() && !take("value")) return false;
    if (at_) return fail("must lead on to a number: " + at_->GetDescriptor()->name() + " is none");
    if (!mayChange(steps))
      return fail("must be a number " + std::string(kPhysics),
                  "rigid rows, names, ranges of inputs and initial states stay what they are");
    return true;
  }

  std::vector<Step> steps;
  double value = 0;
  std::string searched_list;  ///< of the model, in which no element has the name

 private:
  std::string nextWord() {
    if (place_ >= path_.size()) return {};
    const std::size_t end = std::min(path_.find('.', place_), path_.size());
    std::string word = path_.substr(place_, end - place_);
    place_ = end + 1;
    return word;
  }

  bool fail(std::string rule, std::string hint = {}) {
    problem_.rule = std::move(rule);
    problem_.hint = std::move(hint);
    return false;
  }

  bool take(std::string word) {
    if (!at_) return fail("must end at a number, before \"" + word + '"');
    std::optional<int> index;
    std::optional<std::string> name;
    if (const std::size_t bracket = word.find('['); bracket != std::string::npos) {
      int number = -1;
      const char* const end = word.data() + word.size();
      const auto read = std::from_chars(word.data() + bracket + 1, end, number);
      if (read.ec == std::errc() && read.ptr + 1 == end && *read.ptr == ']' && number >= 0)
        index = number;
      else if (isLetter(word[bracket + 1]) && word.back() == ']')
        name = word.substr(bracket + 1, word.size() - bracket - 2);
      else
        return fail("must have a whole number or a name in brackets, as in \"gravity[1]\" or \"coefficients[PDY1]\"");
      word.resize(bracket);
    }
    const FieldDescriptor* field = fieldOf(word);
    if (!field) return false;
    if (!field->is_repeated()) return index || name ? fail("has no list \"" + field->name() + '"') : enter(*field);
    return enterList(*field, index, name);
  }

  /// A field of this message, or of the kind that its oneof holds.
  const FieldDescriptor* fieldOf(const std::string& word) {
    const Descriptor& type = *at_->GetDescriptor();
    if (const FieldDescriptor* field = type.FindFieldByName(word)) return field;
    std::vector<std::string> known;
    for (int i = 0; i < type.field_count(); ++i) known.push_back(type.field(i)->name());
    for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
      const FieldDescriptor* kind = at_->GetReflection()->GetOneofFieldDescriptor(*at_, type.oneof_decl(i));
      if (!kind || kind->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (const FieldDescriptor* field = kind->message_type()->FindFieldByName(word)) {
        enter(*kind);
        return field;
      }
      for (int k = 0; k < kind->message_type()->field_count(); ++k)
        known.push_back(kind->message_type()->field(k)->name());
    }
    fail("has no field \"" + word + "\" in " + type.name(), nearOf(word, known, problem_));
    return nullptr;
  }

  bool enter(const FieldDescriptor& field) {
    if (field.has_presence() && !at_->GetReflection()->HasField(*at_, &field))
      return fail("must be given in the model: \"" + field.name() + "\" is left out there");
    steps.push_back({&field});
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      at_ = &at_->GetReflection()->GetMessage(*at_, &field);
      return true;
    }
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) return fail("must be a number, not " + field.name());
    value = at_->GetReflection()->GetDouble(*at_, &field);
    at_ = nullptr;
    return true;
  }

  /// An element: by its index, or by its name, in brackets or as the next word.
  bool enterList(const FieldDescriptor& field, std::optional<int> index, const std::optional<std::string>& name) {
    const int size = at_->GetReflection()->FieldSize(*at_, &field);
    if (!index && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      index = findNamed(field, size, name ? *name : nextWord());
      if (!index && steps.empty()) searched_list = field.name();
      if (!index) return false;
    }
    if (!index) return fail("must say which number of \"" + field.name() + "\"", field.name() + "[0]");
    if (*index >= size)
      return fail("has " + std::to_string(size) + " elements in \"" + field.name() + "\", counted from 0");
    steps.push_back({&field, *index});
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      at_ = &at_->GetReflection()->GetRepeatedMessage(*at_, &field, *index);
      return true;
    }
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) return fail("must be a number, not " + field.name());
    value = at_->GetReflection()->GetRepeatedDouble(*at_, &field, *index);
    at_ = nullptr;
    return true;
  }

  std::optional<int> findNamed(const FieldDescriptor& field, int size, const std::string& name) {
    std::vector<std::string> known;
    for (int i = 0; i < size; ++i) {
      known.push_back(nameOf(at_->GetReflection()->GetRepeatedMessage(*at_, &field, i)));
      if (!name.empty() && known.back() == name) return i;
    }
    fail("has no \"" + name + "\" among its " + field.name(), nearOf(name, known, problem_));
    return {};
  }

  const Message* at_;  ///< null behind a number
  const std::string& path_;
  std::size_t place_ = 0;
  TargetProblem& problem_;
};

}  // namespace

std::optional<double> readTarget(const v1::Model& model, const std::string& path, TargetProblem& problem) {
  Walk walk(model, path, problem);
  return walk.run() ? std::optional(walk.value) : std::nullopt;
}

TargetPlace placeOfTarget(const v1::Model& model, const std::string& path) {
  TargetProblem problem;
  rt::FindingList unread;  // no search for near names
  while (unread.mayLookForNames()) {}
  problem.findings = &unread;
  Walk walk(model, path, problem);
  TargetPlace found;
  found.is_number = walk.run();
  found.searched_list = walk.searched_list;
  for (const Step& step : walk.steps) {
    if (!found.place.empty()) found.place += '.';
    found.place += step.field->name();
    if (step.index >= 0) found.place += '[' + std::to_string(step.index) + ']';
  }
  return found;
}

bool isUnknownIn(const v1::Model& probe, const v1::Model& model, const std::string& path) {
  TargetProblem problem;
  const auto before = readTarget(model, path, problem), after = readTarget(probe, path, problem);
  return before && after && !std::isnan(*before) && std::isnan(*after);
}

void writeTarget(v1::Model& model, const std::string& path, double value) {
  TargetProblem problem;
  Walk walk(model, path, problem);
  if (!walk.run()) return;
  Message* at = &model;
  for (const Step& step : walk.steps) {
    const bool last = &step == &walk.steps.back();
    const auto& reflection = *at->GetReflection();
    if (step.index < 0)
      last ? reflection.SetDouble(at, step.field, value) : void(at = reflection.MutableMessage(at, step.field));
    else
      last ? reflection.SetRepeatedDouble(at, step.field, step.index, value)
           : void(at = reflection.MutableRepeatedMessage(at, step.field, step.index));
  }
}

}  // namespace tactus::server
