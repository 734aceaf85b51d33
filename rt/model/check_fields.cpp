#include "rt/model/check_fields.h"

namespace tactus::rt {

void checkText(const std::string& path, const std::string& text, FindingList& out) {
  // Bounds what the texts of all models of a server take in one answer.
  constexpr std::size_t kMaxText = 4096;
  if (text.size() > kMaxText)
    out.error(path, std::to_string(text.size()) + " bytes", "must have at most " + std::to_string(kMaxText) + " bytes");
}

namespace {

void checkNumber(const std::string& path, double value, const Meaning& meaning, FindingList& out) {
  switch (meaning.range) {
    case Range::kFinite: requireFinite(path, value, out); return;
    case Range::kPositive: return requirePositive(path, value, out);
    case Range::kNotNegative: return requireNotNegative(path, value, out);
    case Range::kWithin: return requireWithin(path, value, meaning.low, meaning.high, out);
    default: return;
  }
}

void checkVector(const std::string& path, const Eigen::Vector3d& value, const Meaning& meaning, FindingList& out) {
  if (meaning.range == Range::kDirection) return requireDirection(path, value, out);
  if (meaning.range == Range::kFinite) requireFinite(path, value, out);
}

void checkList(const std::string& path, const std::vector<double>& list, const Meaning& meaning, FindingList& out) {
  if (meaning.range == Range::kAny) return;
  for (std::size_t i = 0; i < list.size(); ++i) checkNumber(element(path.c_str(), i), list[i], meaning, out);
}

void checkRecords(const void* spec, const Field& field, const FindingPlace& at) {
  const RecordAccess& records = *field.records;
  void* const member = field.member(const_cast<void*>(spec));
  for (std::size_t i = 0; i < records.size(member); ++i) {
    const bool is_list = records.shape == RecordAccess::Shape::kList;
    checkFields(records.at(member, i), records.fields(),
                at.within(is_list ? '.' + element(field.name, i) : std::string(".") + field.name));
  }
}

void checkField(const void* spec, const Field& field, const FindingPlace& at) {
  const Meaning& meaning = field.meaning;
  const std::string path = at.path + '.' + field.name;
  switch (field.type) {
    case FieldType::kText:
      checkText(path, field.of<std::string>(spec), at.out);
      return at.references.require(meaning.refers, path, field.of<std::string>(spec), at.out);
    case FieldType::kTexts: {
      const auto& names = field.of<std::vector<std::string>>(spec);
      for (const std::string& name : names) checkText(path, name, at.out);
      for (std::size_t i = 0; i < names.size(); ++i)
        at.references.require(meaning.refers, element(path.c_str(), i), names[i], at.out);
      return;
    }
    case FieldType::kNumber: return checkNumber(path, field.of<double>(spec), meaning, at.out);
    case FieldType::kOptionalNumber:
      if (const auto& value = field.of<std::optional<double>>(spec)) checkNumber(path, *value, meaning, at.out);
      return;
    case FieldType::kWhole: return checkNumber(path, field.of<int>(spec), meaning, at.out);
    case FieldType::kOptionalWhole:
      if (const auto& value = field.of<std::optional<int>>(spec)) checkNumber(path, *value, meaning, at.out);
      return;
    case FieldType::kVector3: return checkVector(path, field.of<Eigen::Vector3d>(spec), meaning, at.out);
    case FieldType::kOptionalVector3:
      if (const auto& value = field.of<std::optional<Eigen::Vector3d>>(spec))
        checkVector(path, *value, meaning, at.out);
      return;
    case FieldType::kVector4:
      if (meaning.range == Range::kUnitQuaternion) requireUnitQuaternion(path, field.of<Eigen::Vector4d>(spec), at.out);
      return;
    case FieldType::kOptionalVector4:
      if (const auto& value = field.of<std::optional<Eigen::Vector4d>>(spec);
          value && meaning.range == Range::kUnitQuaternion)
        requireUnitQuaternion(path, *value, at.out);
      return;
    case FieldType::kNumbers: return checkList(path, field.of<std::vector<double>>(spec), meaning, at.out);
    case FieldType::kRecords: return checkRecords(spec, field, at);
    case FieldType::kPart: return checkFields(field.member(const_cast<void*>(spec)), field.records->fields(), at);
    case FieldType::kTruth:
    case FieldType::kOptionalTruth:
    case FieldType::kMatrix:
    case FieldType::kInertia:
    case FieldType::kCoefficients:
    case FieldType::kChoice:
    case FieldType::kKind: return;
  }
}

}  // namespace

void checkFields(const void* spec, Fields fields, const FindingPlace& at) {
  for (const Field& field : fields) checkField(spec, field, at);
}

}  // namespace tactus::rt
