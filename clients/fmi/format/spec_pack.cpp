#include "clients/fmi/format/spec_pack.h"

#include "clients/fmi/format/byte_stream.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tactus::fmi {
namespace {

using rt::Field;
using rt::Fields;
using rt::FieldType;

class Packer {
 public:
  void fields(Fields fields, void* spec) {
    for (const Field& field : fields) member(field, spec);
  }

  void number(double value) {
    numbers_.push_back(out_.size());
    out_.number(value);
  }
  void given(bool value) { out_.number(static_cast<std::uint8_t>(value)); }

  PackedSpec take() { return {out_.take(), std::move(numbers_)}; }

 private:
  void count(std::size_t value) { out_.number(static_cast<std::uint64_t>(value)); }

  template <typename Values>
  void list(const Values& values) {
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(values.size()); ++i) number(values.data()[i]);
  }

  template <typename Value, typename Write>
  void optional(const std::optional<Value>& value, Write write) {
    given(value.has_value());
    if (value) write(*value);
  }

  void member(const Field& field, void* spec) {
    void* const at = field.member(spec);
    switch (field.type) {
      case FieldType::kText: return out_.text(field.of<std::string>(spec));
      case FieldType::kTexts: {
        const auto& texts = field.of<std::vector<std::string>>(spec);
        count(texts.size());
        for (const std::string& text : texts) out_.text(text);
        return;
      }
      case FieldType::kNumber: return number(field.of<double>(spec));
      case FieldType::kOptionalNumber:
        return optional(field.of<std::optional<double>>(spec), [&](double value) { number(value); });
      case FieldType::kWhole: return out_.number(field.of<int>(spec));
      case FieldType::kOptionalWhole:
        return optional(field.of<std::optional<int>>(spec), [&](int value) { out_.number(value); });
      case FieldType::kTruth: return given(field.of<bool>(spec));
      case FieldType::kOptionalTruth:
        return optional(field.of<std::optional<bool>>(spec), [&](bool value) { given(value); });
      case FieldType::kVector3: return list(field.of<Eigen::Vector3d>(spec));
      case FieldType::kOptionalVector3:
        return optional(field.of<std::optional<Eigen::Vector3d>>(spec), [&](const auto& value) { list(value); });
      case FieldType::kVector4: return list(field.of<Eigen::Vector4d>(spec));
      case FieldType::kOptionalVector4:
        return optional(field.of<std::optional<Eigen::Vector4d>>(spec), [&](const auto& value) { list(value); });
      case FieldType::kNumbers: {
        const auto& values = field.of<std::vector<double>>(spec);
        count(values.size());
        return list(values);
      }
      case FieldType::kMatrix: {
        const auto& matrix = field.of<Eigen::MatrixXd>(spec);
        count(static_cast<std::size_t>(matrix.rows()));
        count(static_cast<std::size_t>(matrix.cols()));
        return list(matrix);
      }
      case FieldType::kInertia: return list(field.of<Eigen::Matrix3d>(spec));
      case FieldType::kCoefficients: {
        const auto& coefficients = field.of<std::map<std::string, double>>(spec);
        count(coefficients.size());
        for (const auto& [name, value] : coefficients) {
          out_.text(name);
          number(value);
        }
        return;
      }
      case FieldType::kChoice: return out_.number(field.choice->get(at));
      case FieldType::kPart: return fields(field.records->fields(), at);
      case FieldType::kRecords: {
        const std::size_t size = field.records->size(at);
        count(size);
        for (std::size_t i = 0; i < size; ++i) fields(field.records->fields(), field.records->at(at, i));
        return;
      }
      case FieldType::kKind: {
        const std::size_t index = field.kinds->index(at);
        count(index);
        return fields(field.kinds->kinds[index].fields(), field.kinds->held(at));
      }
    }
  }

  ByteWriter out_;
  std::vector<std::size_t> numbers_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : in_(bytes) {}

  void fields(Fields fields, void* spec) {
    for (const Field& field : fields) member(field, spec);
  }
  double number() { return in_.number<double>(); }
  bool given() { return in_.number<std::uint8_t>() != 0; }

  void finish() const {
    if (!in_.atEnd()) throw Error("the bytes of the model do not end with it");
  }

 private:
  template <typename Values>
  void list(Values& values) {
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(values.size()); ++i) values.data()[i] = number();
  }

  template <typename Value, typename Read>
  void optional(std::optional<Value>& value, Read read) {
    value.reset();
    if (given()) read(value.emplace());
  }

  void member(const Field& field, void* spec) {
    void* const at = field.member(spec);
    switch (field.type) {
      case FieldType::kText: field.of<std::string>(spec) = in_.text(); return;
      case FieldType::kTexts: {
        auto& texts = field.of<std::vector<std::string>>(spec);
        texts.resize(in_.size(sizeof(std::uint64_t)));
        for (std::string& text : texts) text = in_.text();
        return;
      }
      case FieldType::kNumber: field.of<double>(spec) = number(); return;
      case FieldType::kOptionalNumber:
        return optional(field.of<std::optional<double>>(spec), [&](double& value) { value = number(); });
      case FieldType::kWhole: field.of<int>(spec) = in_.number<int>(); return;
      case FieldType::kOptionalWhole:
        return optional(field.of<std::optional<int>>(spec), [&](int& value) { value = in_.number<int>(); });
      case FieldType::kTruth: field.of<bool>(spec) = given(); return;
      case FieldType::kOptionalTruth:
        return optional(field.of<std::optional<bool>>(spec), [&](bool& value) { value = given(); });
      case FieldType::kVector3: return list(field.of<Eigen::Vector3d>(spec));
      case FieldType::kOptionalVector3:
        return optional(field.of<std::optional<Eigen::Vector3d>>(spec), [&](auto& value) { list(value); });
      case FieldType::kVector4: return list(field.of<Eigen::Vector4d>(spec));
      case FieldType::kOptionalVector4:
        return optional(field.of<std::optional<Eigen::Vector4d>>(spec), [&](auto& value) { list(value); });
      case FieldType::kNumbers: {
        auto& values = field.of<std::vector<double>>(spec);
        values.resize(in_.size(sizeof(double)));
        return list(values);
      }
      case FieldType::kMatrix: {
        auto& matrix = field.of<Eigen::MatrixXd>(spec);
        const std::size_t rows = in_.size(1), columns = in_.size(1);
        if (rows > kMaxSide || columns > kMaxSide) throw Error("the bytes of the model have a matrix too large");
        matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
        return list(matrix);
      }
      case FieldType::kInertia: return list(field.of<Eigen::Matrix3d>(spec));
      case FieldType::kCoefficients: {
        auto& coefficients = field.of<std::map<std::string, double>>(spec);
        coefficients.clear();
        for (std::size_t left = in_.size(sizeof(double)); left > 0; --left) {
          std::string name = in_.text();
          coefficients.emplace(std::move(name), number());
        }
        return;
      }
      case FieldType::kChoice: {
        const int number = in_.number<int>();
        const rt::ChoiceAccess& choice = *field.choice;
        if (number < 0 || number >= choice.first + choice.count) throw Error("the bytes of the model name no choice");
        return choice.set(at, number);
      }
      case FieldType::kPart: return fields(field.records->fields(), at);
      case FieldType::kRecords: {
        const std::size_t size = in_.size(1);  // each record has at least one field
        if (field.records->shape != rt::RecordAccess::Shape::kOne) field.records->resize(at, size);
        if (field.records->size(at) != size) throw Error("the bytes of the model have the wrong number of parts");
        for (std::size_t i = 0; i < size; ++i) fields(field.records->fields(), field.records->at(at, i));
        return;
      }
      case FieldType::kKind: {
        const auto index = in_.number<std::uint64_t>();
        if (index >= field.kinds->kinds.size()) throw Error("the bytes of the model name no kind");
        const rt::KindInfo& kind = field.kinds->kinds[static_cast<std::size_t>(index)];
        kind.choose(at);
        return fields(kind.fields(), field.kinds->held(at));
      }
    }
  }

  static constexpr std::size_t kMaxSide = 1 << 14;
  ByteReader in_;
};

}  // namespace

PackedSpec packSpec(const rt::ModelSpec& spec) {
  Packer packer;
  // Fields give access to members that may change; packing changes none.
  packer.fields(rt::ModelSpec::fields(), const_cast<rt::ModelSpec*>(&spec));
  for (const rt::ParameterSpec& parameter : spec.parameters) {
    packer.given(parameter.value.has_value());
    if (parameter.value) packer.number(*parameter.value);
  }
  return packer.take();
}

rt::ModelSpec unpackSpec(std::string_view bytes) {
  rt::ModelSpec spec;
  Unpacker unpacker(bytes);
  unpacker.fields(rt::ModelSpec::fields(), &spec);
  for (rt::ParameterSpec& parameter : spec.parameters) {
    parameter.value.reset();
    if (unpacker.given()) parameter.value = unpacker.number();
  }
  unpacker.finish();
  return spec;
}

}  // namespace tactus::fmi
