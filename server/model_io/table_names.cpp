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
  void fill(Message& message, const std::string& path) {
    if (message.GetDescriptor() == v1::Curve::descriptor()) {
      auto& curve = static_cast<v1::Curve&>(message);
      return take(curve, *curve.mutable_x(), "x", *curve.mutable_y(), "y", path);
    }
    if (message.GetDescriptor() == v1::Table::descriptor()) {
      auto& table = static_cast<v1::Table&>(message);
      return take(table, *table.mutable_times(), "times", *table.mutable_values(), "values", path);
    }
    const auto& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      const std::string below = path.empty() ? field->name() : path + '.' + field->name();
      if (!field->is_repeated()) {
        fill(*reflection.MutableMessage(&message, field), below);
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
  void take(Taker& taker, Numbers& x, const char* x_field, Numbers& y, const char* y_field, const std::string& path) {
    if (taker.table().empty()) return;
    const std::string name = taker.table(), at = path + ".table";
    taker.clear_table();
    if (!x.empty() || !y.empty())
      return out_.error(at, rt::printed(name),
                        std::string("must be given alone, without ") + x_field + " and " + y_field);
    const auto found = tables_.find(name);
    if (found == tables_.end()) {
      const std::string near = out_.mayLookForNames() ? rt::nearestName(name, names_) : "";
      return out_.error(at, rt::printed(name), "must be one of the tables of the model",
                        near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    copy(found->second.x(), found->second.x_unit(), "x_unit", x, at, name);
    copy(found->second.y(), found->second.y_unit(), "y_unit", y, at, name);
  }

  void copy(const Numbers& from, const std::string& unit, const char* field, Numbers& to, const std::string& path,
            const std::string& name) {
    const auto factor = unit.empty() ? std::optional(1.0) : factorToSi(unit);
    if (!factor)
      return out_.error(path, rt::printed(name),
                        std::string("must be a table with a known unit, not ") + field + " = " + rt::printed(unit));
    for (const double value : from) to.Add(value * *factor);
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
