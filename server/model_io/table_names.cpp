#include "rt/model/check_model.h"
#include "server/model_io/quantity.h"
#include "server/model_io/resolve.h"

#include <google/protobuf/descriptor.h>

#include <map>
#include <string>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Units of the points of a curve or a table, by what it belongs to.
struct Axes {
  std::string x, y;
};

Axes axesOf(const Message& owner, const FieldDescriptor& field) {
  if (owner.GetDescriptor() == v1::Drive::descriptor())
    return {"s", static_cast<const v1::Drive&>(owner).has_angle() ? "rad" : "m"};
  const bool turns = owner.GetDescriptor() == v1::RotationalSpring::descriptor();
  const std::string x = turns ? "rad" : "m";
  return {field.name() == "damping_curve" ? x + "/s" : x, turns ? "N m" : "N"};
}

class Tables {
 public:
  Tables(const v1::Model& model, rt::FindingList& out) : out_(out) {
    for (int i = 0; i < model.tables_size(); ++i) {
      const v1::NamedTable& table = model.tables(i);
      const std::string path = rt::element("tables", static_cast<std::size_t>(i));
      names_.push_back(table.name());
      if (table.name().empty() || !tables_.emplace(table.name(), table).second)
        out.error(path + ".name", rt::printed(table.name()), "must be given, and unique among tables");
      if (table.x_size() != table.y_size() || table.x_size() < 2)
        out.error(path + ".y", std::to_string(table.y_size()) + " numbers",
                  "must be as many as x has, 2 or more; x has " + std::to_string(table.x_size()));
    }
  }

  /// Fills every curve and table of the message, and of those in it.
  /// @param axes  of the message, if it is one itself
  void fill(Message& message, const std::string& path, const Axes& axes = {}) {
    if (message.GetDescriptor() == v1::Curve::descriptor()) {
      auto& curve = static_cast<v1::Curve&>(message);
      return take(curve, *curve.mutable_x(), "x", *curve.mutable_y(), "y", axes, path);
    }
    if (message.GetDescriptor() == v1::Table::descriptor()) {
      auto& table = static_cast<v1::Table&>(message);
      return take(table, *table.mutable_times(), "times", *table.mutable_values(), "values", axes, path);
    }
    const auto& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      const std::string below = path.empty() ? field->name() : path + '.' + field->name();
      if (!field->is_repeated()) {
        fill(*reflection.MutableMessage(&message, field), below, axesOf(message, *field));
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i)
        fill(*reflection.MutableRepeatedMessage(&message, field, i),
             rt::element(below.c_str(), static_cast<std::size_t>(i)));
    }
  }

 private:
  using Numbers = google::protobuf::RepeatedField<double>;

  template <typename Taker>
  void take(Taker& taker, Numbers& x, const char* x_field, Numbers& y, const char* y_field, const Axes& axes,
            const std::string& path) {
    if (taker.table().empty()) return;
    const std::string name = taker.table(), at = path + ".table";
    taker.clear_table();
    if (!x.empty() || !y.empty())
      return out_.error(at, rt::printed(name),
                        std::string("must be given alone, without ") + x_field + " and " + y_field);
    const auto found = tables_.find(name);
    if (found == tables_.end()) {
      const std::string near = out_.mayLookForNames() ? rt::nearestName(name, names_) : "";
      // Any points: the error on the name is the only one.
      for (const double point : {0.0, 1.0}) x.Add(point), y.Add(0);
      return out_.error(at, rt::printed(name), "must be one of the tables of the model",
                        near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    copy(found->second.x(), found->second.x_unit(), "x_unit", axes.x, x, at, name);
    copy(found->second.y(), found->second.y_unit(), "y_unit", axes.y, y, at, name);
  }

  /// @param wanted  unit of the numbers that the curve or table takes
  void copy(const Numbers& from, const std::string& unit, const char* field, const std::string& wanted, Numbers& to,
            const std::string& path, const std::string& name) {
    QuantityProblem problem;
    const auto factor = unit.empty() ? std::optional(1.0) : factorBetween(unit, wanted, problem);
    if (!factor)
      out_.error(
          path, rt::printed(name),
          std::string("must be a table whose ") + field + " is a unit like " + wanted + ", not " + rt::printed(unit),
          problem.hint);
    for (const double value : from) to.Add(value * factor.value_or(1.0));
  }

  rt::FindingList& out_;
  std::map<std::string, v1::NamedTable> tables_;
  std::vector<std::string> names_;
};

}  // namespace

void resolveTables(v1::Model& model, rt::FindingList& out) {
  Tables(model, out).fill(model, "");
  model.clear_tables();
}

}  // namespace tactus::server
