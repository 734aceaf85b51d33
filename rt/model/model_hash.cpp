#include "rt/model/model_hash.h"

#include "rt/math/fnv.h"

#include <bit>
#include <string>
#include <type_traits>

namespace tactus::rt {
namespace {

/// Hashes what constants() of an element visits.
class ModelHasher {
 public:
  template <typename... Values>
  void numbers(const Values&... values) {
    (add(values), ...);
  }
  template <typename... Values>
  void structure(const Values&... values) {
    (add(values), ...);
  }
  template <typename... Values>
  void layout(const Values&...) {}  // follows from what is hashed

  template <typename Value>
  requires std::is_integral_v<Value> || std::is_enum_v<Value>
  void add(Value value) { hash_.addWord(static_cast<std::uint64_t>(value)); }
  template <typename Value>
  requires requires(const Value& value, ModelHasher& hash) { value.constants(hash); }
  void add(const Value& value) { value.constants(*this); }
  void add(double value) { hash_.addWord(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) {
    add(text.size());
    hash_.addText(text);
  }
  template <typename Derived>
  void add(const Eigen::PlainObjectBase<Derived>& matrix) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c)
      for (Eigen::Index r = 0; r < matrix.rows(); ++r) add(matrix(r, c));
  }
  template <typename Element>
  void add(const std::vector<Element>& list) {
    add(list.size());
    for (const Element& element : list) add(element);
  }
  template <typename Element>
  void add(const std::optional<Element>& element) {
    add(element.has_value() ? 1 : 0);
    if (element) add(*element);
  }

  // What ElementLists::eachList() visits.
  template <typename Element>
  void operator()(const std::vector<Element>& list) {
    add(list);
  }
  template <typename Element>
  void later(const std::vector<Element>& list) {
    if (!list.empty()) add(list);
  }

  std::uint64_t value() const noexcept { return hash_.value(); }

 private:
  Fnv1a hash_;
};

}  // namespace

std::uint64_t hashModel(const Model& model) {
  ModelHasher hash;
  hash.add(model.gravity);
  hash.add(model.bodies);
  hash.add(model.joints);
  hash.add(model.primitives);
  for (const Coupler& coupler : model.couplers) hash.add(coupler.terms);
  hash.add(model.compliant_laws);
  hash.add(model.drives);
  model.eachList(hash);
  hash.add(model.actuators);
  hash.add(model.initial_conditions);
  hash.add(model.body_names);
  hash.add(model.joint_names);
  hash.add(model.actuator_names);
  hash.add(model.solver.period);
  hash.add(model.solver.iterations.value_or(0));
  hash.add(model.solver.relative_compliance);
  hash.add((model.solver.third_order ? 1 : 0) + (model.solver.fourth_order ? 2 : 0));
  hash.add(model.solver.gyroscopic_tangent ? (*model.solver.gyroscopic_tangent ? 2 : 1) : 0);
  // One group is no choice.
  for (std::size_t i = 0; model.groups.size() > 1 && i < model.actuators.size(); ++i)
    hash.add(model.actuators[i].group);
  return hash.value();
}

}  // namespace tactus::rt
