#include "tests/support/field_tables.h"

#include <algorithm>

namespace tactus::test {
namespace {

using rt::Field;
using rt::FieldType;
using Shape = rt::RecordAccess::Shape;

void walk(const FieldTable& table, const std::function<void(const FieldTable&)>& visit) {
  visit(table);
  const auto below = [&](const char* name) { return table.path.empty() ? name : table.path + '.' + name; };
  for (const Field& field : table.fields) {
    void* const member = field.member(table.spec);
    if (field.type == FieldType::kPart) {
      walk({table.path, field.records->fields(), member}, visit);
    } else if (field.type == FieldType::kRecords) {
      field.records->resize(member, 1);
      walk({below(field.name), field.records->fields(), field.records->at(member, 0)}, visit);
    } else if (field.type == FieldType::kKind) {
      for (const rt::KindInfo& kind : field.kinds->kinds) {
        kind.choose(member);
        walk({below(kind.name), kind.fields(), field.kinds->held(member)}, visit);
      }
    }
  }
}

/// Fills specs with values that differ from each other.
class Filler {
 public:
  /// @param kind  which kind to choose where there is a choice; the last one if there are fewer
  void fill(rt::Fields fields, void* spec, std::size_t kind) {
    for (const Field& field : fields) fillField(field, spec, kind);
  }

 private:
  double number() { return next_ += 0.5; }
  std::string text() { return "t" + std::to_string(static_cast<int>(2 * number())); }

  template <typename Vector>
  Vector vector() {
    Vector v;
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = number();
    return v;
  }

  Eigen::MatrixXd symmetric(Eigen::Index rows) {
    Eigen::MatrixXd m(rows, rows);
    for (Eigen::Index r = 0; r < rows; ++r)
      for (Eigen::Index c = 0; c <= r; ++c) m(r, c) = m(c, r) = number();
    return m;
  }

  void fillField(const Field& field, void* spec, std::size_t kind) {
    switch (field.type) {
      case FieldType::kText: field.of<std::string>(spec) = text(); return;
      case FieldType::kTexts: field.of<std::vector<std::string>>(spec) = {text(), text()}; return;
      case FieldType::kNumber: field.of<double>(spec) = number(); return;
      case FieldType::kOptionalNumber: field.of<std::optional<double>>(spec) = number(); return;
      case FieldType::kWhole: field.of<int>(spec) = static_cast<int>(2 * number()); return;
      case FieldType::kOptionalWhole: field.of<std::optional<int>>(spec) = static_cast<int>(2 * number()); return;
      case FieldType::kTruth: field.of<bool>(spec) = true; return;
      case FieldType::kOptionalTruth: field.of<std::optional<bool>>(spec) = true; return;
      case FieldType::kVector3: field.of<Eigen::Vector3d>(spec) = vector<Eigen::Vector3d>(); return;
      case FieldType::kOptionalVector3:
        field.of<std::optional<Eigen::Vector3d>>(spec) = vector<Eigen::Vector3d>();
        return;
      case FieldType::kVector4: field.of<Eigen::Vector4d>(spec) = vector<Eigen::Vector4d>(); return;
      case FieldType::kOptionalVector4:
        field.of<std::optional<Eigen::Vector4d>>(spec) = vector<Eigen::Vector4d>();
        return;
      case FieldType::kNumbers: field.of<std::vector<double>>(spec) = {number(), number()}; return;
      case FieldType::kMatrix: field.of<Eigen::MatrixXd>(spec) = symmetric(6); return;
      case FieldType::kInertia: field.of<Eigen::Matrix3d>(spec) = symmetric(3); return;
      case FieldType::kCoefficients: field.of<std::map<std::string, double>>(spec) = {{text(), number()}}; return;
      case FieldType::kChoice:  // the last enumerator: none is at its default
        field.choice->set(field.member(spec), field.choice->first + field.choice->count - 1);
        return;
      case FieldType::kRecords: return fillRecords(field, field.member(spec));
      case FieldType::kPart: return fill(field.records->fields(), field.member(spec), kind);
      case FieldType::kKind: {
        const std::size_t chosen = std::min(kind, field.kinds->kinds.size() - 1);
        field.kinds->kinds[chosen].choose(field.member(spec));
        return fill(field.kinds->kinds[chosen].fields(), field.kinds->held(field.member(spec)), kind);
      }
    }
  }

  /// Kinds of which a table, or a kind in it, has a choice.
  static std::size_t kindsIn(rt::Fields fields) {
    std::size_t most = 1;
    for (const Field& field : fields)
      if (field.type == FieldType::kKind) most = std::max(most, field.kinds->kinds.size());
    return most;
  }

  /// Kinds of which a kind of a table has a choice.
  static std::size_t kindsWithinKinds(rt::Fields fields) {
    std::size_t most = 1;
    for (const Field& field : fields)
      if (field.type == FieldType::kKind)
        for (const rt::KindInfo& kind : field.kinds->kinds) most = std::max(most, kindsIn(kind.fields()));
    return most;
  }

  void fillRecords(const Field& field, void* member) {
    const rt::RecordAccess& records = *field.records;
    // So often that a kind with a choice of its own is there with each of its kinds.
    const std::size_t kinds = kindsIn(records.fields());
    records.resize(member, kinds == 1 ? 1 : kinds * kindsWithinKinds(records.fields()));
    for (std::size_t i = 0; i < records.size(member); ++i) {
      fill(records.fields(), records.at(member, i), i % kinds);
      for (const Field& outer : records.fields())
        if (outer.type == FieldType::kKind) chooseWithin(outer, records.at(member, i), i / kinds);
    }
  }

  /// One kind of each choice within the kind that a spec has.
  void chooseWithin(const Field& field, void* spec, std::size_t kind) {
    const rt::KindAccess& kinds = *field.kinds;
    void* const held = kinds.held(field.member(spec));
    for (const Field& inner : kinds.kinds[kinds.index(field.member(spec))].fields())
      if (inner.type == FieldType::kKind) fillField(inner, held, kind);
  }

  double next_ = 1;
};

}  // namespace

void eachFieldTable(const std::function<void(const FieldTable&)>& visit) {
  rt::ModelSpec spec;
  walk({"", rt::ModelSpec::fields(), &spec}, visit);
}

rt::ModelSpec filledSpec() {
  rt::ModelSpec spec;
  Filler().fill(rt::ModelSpec::fields(), &spec, 0);
  return spec;
}

}  // namespace tactus::test
