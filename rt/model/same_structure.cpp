#include "rt/model/model.h"

#include <string>
#include <type_traits>

namespace tactus::rt {
namespace {

/// Collects what two models with one structure have in common: all constants but the numbers.
class Structure {
 public:
  template <typename... Values>
  void numbers(const Values&...) {}
  template <typename... Values>
  void structure(const Values&... values) {
    (add(values), ...);
  }
  template <typename... Values>
  void layout(const Values&... values) {
    (add(values), ...);
  }

  template <typename Value>
  void add(const Value& value) {
    if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
      words_.push_back(static_cast<std::int64_t>(value));
    else
      value.constants(*this);
  }
  template <typename Element>
  void add(const std::vector<Element>& list) {
    add(list.size());
    for (const Element& element : list) add(element);
  }
  template <typename Element>
  void add(const std::optional<Element>& element) {
    add(element.has_value());
    if (element) add(*element);
  }
  template <typename Element>
  void operator()(const std::vector<Element>& list) {
    add(list);
  }
  template <typename Element>
  void later(const std::vector<Element>& list) {
    add(list);
  }

  bool operator==(const Structure&) const = default;

 private:
  std::vector<std::int64_t> words_;
};

Structure structureOf(const Model& model) {
  Structure structure;
  structure.layout(model.rows, model.displacements, model.internal_states);
  structure.add(model.joints);
  structure.add(model.primitives);
  structure.add(model.gears);
  structure.layout(model.couplers.size());
  for (const Coupler& coupler : model.couplers) structure.add(coupler.terms);
  structure.add(model.extra_body_pairs);
  structure.add(model.compliant_laws);
  structure.add(model.drives);
  model.eachList(structure);
  structure.add(model.actuators);
  structure.add(model.sensors);
  return structure;
}

}  // namespace

bool sameStructure(const Model& a, const Model& b) {
  return a.body_names == b.body_names && a.joint_names == b.joint_names && a.actuator_names == b.actuator_names &&
         a.sensor_names == b.sensor_names && a.slip_tyre_names == b.slip_tyre_names &&
         a.friction_names == b.friction_names && a.powertrain_names == b.powertrain_names &&
         structureOf(a) == structureOf(b);
}

}  // namespace tactus::rt
