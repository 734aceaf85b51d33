#include "server/model_io/message_fields.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using rt::Field;
using rt::FieldType;
using Shape = rt::RecordAccess::Shape;

/// Elements of an inertia tensor by their names in its message.
struct InertiaElement {
  const char* name;
  int row, column;
};
constexpr InertiaElement kInertiaElements[] = {{"xx", 0, 0}, {"yy", 1, 1}, {"zz", 2, 2},
                                               {"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}};

const FieldDescriptor& descriptorOf(const Message& message, const char* name) {
  return *message.GetDescriptor()->FindFieldByName(name);
}

std::vector<double> numbersOf(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<double> numbers(static_cast<std::size_t>(reflection.FieldSize(message, &field)));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = reflection.GetRepeatedDouble(message, &field, static_cast<int>(i));
  return numbers;
}

std::string asWritten(const std::vector<double>& list) {
  constexpr std::size_t kMaxShown = 6;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(list.size(), kMaxShown); ++i)
    text += (i == 0 ? "" : ", ") + rt::printed(list[i]);
  return text + (list.size() > kMaxShown ? ", ...]" : "]");
}

/// "A, B or C": the values of an enum that can be given.
std::string valuesOf(const EnumDescriptor& type) {
  std::string text;
  for (int i = 1; i < type.value_count(); ++i)
    text += (i == 1 ? "" : i + 1 < type.value_count() ? ", " : " or ") + type.value(i)->name();
  return text;
}

/// Three or six rows: a diagonal of 3 or 6 numbers, or a full matrix of 9 or 36. Another count is left to the rules.
Eigen::MatrixXd matrixOf(const std::vector<double>& in) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(in.size());
  if (n == 0) return {};
  if (n == 9 || n == 36) return Eigen::Map<const RowMajor>(in.data(), n == 9 ? 3 : 6, n == 9 ? 3 : 6);
  const Eigen::Map<const Eigen::VectorXd> list(in.data(), n);
  if (n == 3 || n == 6) return list.asDiagonal();
  return list;
}

/// Reads the fields of one message.
class Reader {
 public:
  Reader(const Message& message, const std::string& path, rt::FindingList& out)
      : message_(message), reflection_(*message.GetReflection()), path_(path), out_(out) {}

  void read(const Field& field, void* spec) {
    if (field.type == FieldType::kPart)
      return readFields(message_, field.records->fields(), field.member(spec), path_, out_);
    if (field.type == FieldType::kKind) return readKind(field, field.member(spec));
    const FieldDescriptor& in = descriptorOf(message_, field.name);
    const bool given = !in.has_presence() || reflection_.HasField(message_, &in);
    switch (field.type) {
      case FieldType::kText: field.of<std::string>(spec) = reflection_.GetString(message_, &in); return;
      case FieldType::kTexts: return readTexts(in, field.of<std::vector<std::string>>(spec));
      case FieldType::kNumber:
        if (given) field.of<double>(spec) = reflection_.GetDouble(message_, &in);
        return;
      case FieldType::kOptionalNumber:
        if (given) field.of<std::optional<double>>(spec) = reflection_.GetDouble(message_, &in);
        return;
      case FieldType::kWhole:
        if (given) field.of<int>(spec) = whole(in);
        return;
      case FieldType::kOptionalWhole:
        if (given) field.of<std::optional<int>>(spec) = whole(in);
        return;
      case FieldType::kTruth:
        if (given) field.of<bool>(spec) = reflection_.GetBool(message_, &in);
        return;
      case FieldType::kOptionalTruth:
        if (given) field.of<std::optional<bool>>(spec) = reflection_.GetBool(message_, &in);
        return;
      case FieldType::kVector3: return readVector(field, in, field.of<Eigen::Vector3d>(spec));
      case FieldType::kOptionalVector3: return readOptional<Eigen::Vector3d>(field, in, spec);
      case FieldType::kVector4: return readVector(field, in, field.of<Eigen::Vector4d>(spec));
      case FieldType::kOptionalVector4: return readOptional<Eigen::Vector4d>(field, in, spec);
      case FieldType::kNumbers: field.of<std::vector<double>>(spec) = numbersOf(message_, in); return;
      case FieldType::kMatrix: field.of<Eigen::MatrixXd>(spec) = matrixOf(numbersOf(message_, in)); return;
      case FieldType::kInertia: return readInertia(field, in, given, field.of<Eigen::Matrix3d>(spec));
      case FieldType::kCoefficients: return readCoefficients(field, in, spec);
      case FieldType::kChoice: return readChoice(field, in, field.member(spec));
      case FieldType::kRecords: return readRecords(field, in, given, field.member(spec));
      case FieldType::kPart:
      case FieldType::kKind: return;
    }
  }

 private:
  std::string pathOf(const std::string& name) const { return path_.empty() ? name : path_ + '.' + name; }

  /// Numbers that a description cannot hold are far beyond every limit; see wholeAt().
  int whole(const FieldDescriptor& in) const {
    constexpr auto kMax = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
    return static_cast<int>(std::min(reflection_.GetUInt32(message_, &in), kMax));
  }

  void readTexts(const FieldDescriptor& in, std::vector<std::string>& texts) {
    for (int i = 0; i < reflection_.FieldSize(message_, &in); ++i)
      texts.push_back(reflection_.GetRepeatedString(message_, &in, i));
  }

  template <typename Vector>
  bool readVector(const std::string& path, const std::vector<double>& list, Vector& vector) {
    constexpr int kSize = Vector::RowsAtCompileTime;
    if (list.size() == static_cast<std::size_t>(kSize)) {
      std::copy(list.begin(), list.end(), vector.data());
      return true;
    }
    out_.error(path, asWritten(list),
               kSize == 3 ? "must be a list of three numbers" : "must be a list of four numbers");
    return false;
  }

  template <typename Vector>
  void readVector(const Field& field, const FieldDescriptor& in, Vector& vector) {
    const std::vector<double> list = numbersOf(message_, in);
    if (!list.empty())
      readVector(pathOf(field.name), list, vector);
    else if (field.meaning.required)
      out_.error(pathOf(field.name), "none", "must be given: a list of three numbers");
  }

  template <typename Vector>
  void readOptional(const Field& field, const FieldDescriptor& in, void* spec) {
    const std::vector<double> list = numbersOf(message_, in);
    Vector vector;
    if (!list.empty() && readVector(pathOf(field.name), list, vector)) field.of<std::optional<Vector>>(spec) = vector;
  }

  void readInertia(const Field& field, const FieldDescriptor& in, bool given, Eigen::Matrix3d& inertia) {
    if (!given) return out_.error(pathOf(field.name), "none", "must be given", "for example {xx: 1, yy: 1, zz: 1}");
    const Message& tensor = reflection_.GetMessage(message_, &in);
    for (const InertiaElement& e : kInertiaElements)
      inertia(e.row, e.column) = inertia(e.column, e.row) =
          tensor.GetReflection()->GetDouble(tensor, &descriptorOf(tensor, e.name));
  }

  void readCoefficients(const Field& field, const FieldDescriptor& in, void* spec) {
    for (int i = 0; i < reflection_.FieldSize(message_, &in); ++i) {
      const Message& c = reflection_.GetRepeatedMessage(message_, &in, i);
      const std::string name = c.GetReflection()->GetString(c, &descriptorOf(c, "name"));
      const double value = c.GetReflection()->GetDouble(c, &descriptorOf(c, "value"));
      if (!field.of<std::map<std::string, double>>(spec).emplace(name, value).second)
        out_.error(rt::element(pathOf(field.name).c_str(), static_cast<std::size_t>(i)), rt::printed(name),
                   "must be given once");
    }
  }

  void readChoice(const Field& field, const FieldDescriptor& in, void* member) {
    const rt::ChoiceAccess& choice = *field.choice;
    const int number = reflection_.GetEnumValue(message_, &in);
    const bool known = number >= choice.first && number < choice.first + choice.count;
    if (known || (number == 0 && choice.has_default))
      choice.set(member, number);
    else
      out_.error(pathOf(field.name), std::to_string(number), "must be " + valuesOf(*in.enum_type()));
  }

  void readRecords(const Field& field, const FieldDescriptor& in, bool given, void* member) {
    const rt::RecordAccess& records = *field.records;
    if (records.shape != Shape::kList) {
      if (!given) return;
      records.resize(member, 1);
      return readFields(reflection_.GetMessage(message_, &in), records.fields(), records.at(member, 0),
                        pathOf(field.name), out_);
    }
    const auto size = static_cast<std::size_t>(reflection_.FieldSize(message_, &in));
    records.resize(member, size);
    for (std::size_t i = 0; i < size; ++i)
      readFields(reflection_.GetRepeatedMessage(message_, &in, static_cast<int>(i)), records.fields(),
                 records.at(member, i), rt::element(pathOf(field.name).c_str(), i), out_);
  }

  void readKind(const Field& field, void* member) {
    const rt::KindAccess& access = *field.kinds;
    const OneofDescriptor& oneof = *message_.GetDescriptor()->FindOneofByName(field.name);
    const FieldDescriptor* const in = reflection_.GetOneofFieldDescriptor(message_, &oneof);
    std::string known;
    for (const rt::KindInfo& kind : access.kinds) {
      known += (known.empty() ? "" : ", ") + std::string(kind.name);
      if (in == nullptr || in->name() != kind.name) continue;
      kind.choose(member);
      return readFields(reflection_.GetMessage(message_, in), kind.fields(), access.held(member), pathOf(kind.name),
                        out_);
    }
    out_.error(pathOf(field.name), "none", "must be given: one of " + known);
  }

  const Message& message_;
  const Reflection& reflection_;
  const std::string& path_;
  rt::FindingList& out_;
};

/// Writes the fields of one message.
class Writer {
 public:
  explicit Writer(Message& message) : message_(message), reflection_(*message.GetReflection()) {}

  void write(const Field& field, const void* spec) {
    if (field.type == FieldType::kPart) return writeFields(memberOf(field, spec), field.records->fields(), message_);
    if (field.type == FieldType::kKind) return writeKind(field, memberOf(field, spec));
    const FieldDescriptor& out = descriptorOf(message_, field.name);
    switch (field.type) {
      case FieldType::kText: return reflection_.SetString(&message_, &out, field.of<std::string>(spec));
      case FieldType::kTexts:
        for (const std::string& text : field.of<std::vector<std::string>>(spec))
          reflection_.AddString(&message_, &out, text);
        return;
      case FieldType::kNumber: return reflection_.SetDouble(&message_, &out, field.of<double>(spec));
      case FieldType::kOptionalNumber:
        if (const auto& number = field.of<std::optional<double>>(spec)) reflection_.SetDouble(&message_, &out, *number);
        return;
      case FieldType::kWhole: return writeWhole(out, field.of<int>(spec));
      case FieldType::kOptionalWhole:
        if (const auto& number = field.of<std::optional<int>>(spec)) writeWhole(out, *number);
        return;
      case FieldType::kTruth: return reflection_.SetBool(&message_, &out, field.of<bool>(spec));
      case FieldType::kOptionalTruth:
        if (const auto& truth = field.of<std::optional<bool>>(spec)) reflection_.SetBool(&message_, &out, *truth);
        return;
      case FieldType::kVector3: return writeNumbers(out, field.of<Eigen::Vector3d>(spec));
      case FieldType::kOptionalVector3:
        if (const auto& vector = field.of<std::optional<Eigen::Vector3d>>(spec)) writeNumbers(out, *vector);
        return;
      case FieldType::kVector4: return writeNumbers(out, field.of<Eigen::Vector4d>(spec));
      case FieldType::kOptionalVector4:
        if (const auto& vector = field.of<std::optional<Eigen::Vector4d>>(spec)) writeNumbers(out, *vector);
        return;
      case FieldType::kNumbers: return writeNumbers(out, field.of<std::vector<double>>(spec));
      case FieldType::kMatrix: return writeMatrix(out, field.of<Eigen::MatrixXd>(spec));
      case FieldType::kInertia: return writeInertia(out, field.of<Eigen::Matrix3d>(spec));
      case FieldType::kCoefficients: return writeCoefficients(out, field.of<std::map<std::string, double>>(spec));
      case FieldType::kChoice: return writeChoice(field, out, memberOf(field, spec));
      case FieldType::kRecords: return writeRecords(field, out, memberOf(field, spec));
      case FieldType::kPart:
      case FieldType::kKind: return;
    }
  }

 private:
  /// Access functions take members that can be written; here they are only read.
  static void* memberOf(const Field& field, const void* spec) { return field.member(const_cast<void*>(spec)); }

  void writeWhole(const FieldDescriptor& out, int number) {
    reflection_.SetUInt32(&message_, &out, static_cast<std::uint32_t>(number));
  }

  template <typename List>
  void writeNumbers(const FieldDescriptor& out, const List& list) {
    for (const double number : list) reflection_.AddDouble(&message_, &out, number);
  }

  void writeMatrix(const FieldDescriptor& out, const Eigen::MatrixXd& matrix) {
    for (Eigen::Index r = 0; r < matrix.rows(); ++r)
      for (Eigen::Index c = 0; c < matrix.cols(); ++c)
        if (r == c || !matrix.isDiagonal(0)) reflection_.AddDouble(&message_, &out, matrix(r, c));
  }

  void writeInertia(const FieldDescriptor& out, const Eigen::Matrix3d& inertia) {
    Message& tensor = *reflection_.MutableMessage(&message_, &out);
    for (const InertiaElement& e : kInertiaElements)
      tensor.GetReflection()->SetDouble(&tensor, &descriptorOf(tensor, e.name), inertia(e.row, e.column));
  }

  void writeCoefficients(const FieldDescriptor& out, const std::map<std::string, double>& coefficients) {
    for (const auto& [name, value] : coefficients) {
      Message& c = *reflection_.AddMessage(&message_, &out);
      c.GetReflection()->SetString(&c, &descriptorOf(c, "name"), name);
      c.GetReflection()->SetDouble(&c, &descriptorOf(c, "value"), value);
    }
  }

  void writeChoice(const Field& field, const FieldDescriptor& out, const void* member) {
    const int number = field.choice->get(member);
    if (field.meaning.brief && number == field.choice->first) return;
    reflection_.SetEnumValue(&message_, &out, number);
  }

  void writeRecords(const Field& field, const FieldDescriptor& out, void* member) {
    const rt::RecordAccess& records = *field.records;
    for (std::size_t i = 0; i < records.size(member); ++i) {
      Message& record = records.shape == Shape::kList ? *reflection_.AddMessage(&message_, &out)
                                                      : *reflection_.MutableMessage(&message_, &out);
      writeFields(records.at(member, i), records.fields(), record);
      if (field.meaning.brief && record.ByteSizeLong() == 0) reflection_.ClearField(&message_, &out);
    }
  }

  void writeKind(const Field& field, void* member) {
    const rt::KindInfo& kind = field.kinds->kinds[field.kinds->index(member)];
    writeFields(field.kinds->held(member), kind.fields(),
                *reflection_.MutableMessage(&message_, &descriptorOf(message_, kind.name)));
  }

  Message& message_;
  const Reflection& reflection_;
};

}  // namespace

void readFields(const Message& message, rt::Fields fields, void* spec, const std::string& path, rt::FindingList& out) {
  Reader reader(message, path, out);
  for (const Field& field : fields) reader.read(field, spec);
}

std::optional<std::uint32_t> wholeAt(const Message& message, const std::string& path) {
  const std::size_t end = std::min(path.find('.'), path.size()), bracket = std::min(path.find('['), end);
  const FieldDescriptor* const field = message.GetDescriptor()->FindFieldByName(path.substr(0, bracket));
  if (field == nullptr || field->is_repeated() != (bracket < end)) return std::nullopt;
  const Reflection& reflection = *message.GetReflection();
  if (end == path.size()) {
    const bool is_whole = field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32 && !field->is_repeated();
    return is_whole ? std::optional(reflection.GetUInt32(message, field)) : std::nullopt;
  }
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return std::nullopt;
  const std::string rest = path.substr(end + 1);
  if (!field->is_repeated()) return wholeAt(reflection.GetMessage(message, field), rest);
  const int index = std::atoi(path.c_str() + bracket + 1);
  return index < reflection.FieldSize(message, field)
             ? wholeAt(reflection.GetRepeatedMessage(message, field, index), rest)
             : std::nullopt;
}

void writeFields(const void* spec, rt::Fields fields, Message& message) {
  Writer writer(message);
  for (const Field& field : fields) writer.write(field, spec);
}

}  // namespace tactus::server
