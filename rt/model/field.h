// The description of one member of a spec, from which reading, writing, the generic rules and the reference follow.
//
// Each spec has one constexpr table of fields in the source of its element. A Field erases the type of the member, so
// that the loops over fields are ordinary functions; all of them run at set-up.
#pragma once

#include <Eigen/Core>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tactus::rt {

struct Field;
using Fields = std::span<const Field>;

/// What a member holds.
enum class FieldType : std::uint8_t {
  kText,            ///< std::string
  kTexts,           ///< std::vector<std::string>
  kNumber,          ///< double
  kOptionalNumber,  ///< std::optional<double>
  kWhole,           ///< int, not below zero
  kOptionalWhole,   ///< std::optional<int>
  kTruth,           ///< bool
  kOptionalTruth,   ///< std::optional<bool>
  kVector3,
  kOptionalVector3,
  kVector4,
  kOptionalVector4,
  kNumbers,       ///< std::vector<double>
  kMatrix,        ///< Eigen::MatrixXd: a diagonal or all elements, row by row
  kInertia,       ///< Eigen::Matrix3d, symmetric
  kCoefficients,  ///< std::map<std::string, double>
  kChoice,        ///< an enumeration
  kRecords,       ///< a spec (optional or not), or a list of specs
  kPart,          ///< a spec whose members are fields of the message around it
  kKind,          ///< std::variant of specs: a oneof
};

/// The generic rule on the value of a number, a vector or a list of numbers.
enum class Range : std::uint8_t { kAny, kFinite, kPositive, kNotNegative, kWithin, kDirection, kUnitQuaternion };

/// What a text is the name of.
enum class Refers : std::uint8_t {
  kNothing,
  kBody,
  kBodyOrGround,
  kJoint,
  kJointWithAngle,
  kJointWithTravel,
  kDrive,
  kRoad,
  kRowForce,  ///< a force element of one row
};

/// What is known of a field besides its name and its type.
struct Meaning {
  const char* unit = "";  ///< of numbers: "N/m"; "1" where they have no dimension
  Range range = Range::kAny;
  double low = 0, high = 0;  ///< of Range::kWithin
  Refers refers = Refers::kNothing;
  bool required = false;       ///< must be given; a number with Range::kPositive and no default is required without it
  bool brief = false;          ///< of a choice or a record: not written where it has its default
  const char* otherwise = "";  ///< the default in words, where it is not the initial value of the member
  const char* rule = "";       ///< the range in words, where an element checks it
};

/// Access to an enumeration as the number that it has in model.proto.
struct ChoiceAccess {
  int (*get)(const void* member);
  void (*set)(void* member, int number);
  int count;         ///< enumerators
  int first;         ///< number of the first enumerator in the proto; 0 stands for the default
  bool has_default;  ///< false: a choice must be given
};

/// Access to a list of specs. A single one is a list that always has one element, an optional one has none or one.
struct RecordAccess {
  std::size_t (*size)(const void* member);
  void (*resize)(void* member, std::size_t size);
  void* (*at)(void* member, std::size_t index);
  Fields (*fields)();
  enum class Shape : std::uint8_t { kOne, kOptional, kList } shape;
};

/// An alternative of a variant, by its name in the oneof.
struct KindInfo {
  const char* name;
  Fields (*fields)();
  void (*choose)(void* member);  ///< makes it the one that the variant holds
};

/// Access to a variant of specs.
struct KindAccess {
  std::size_t (*index)(const void* member);  ///< into `kinds`
  void* (*held)(void* member);
  std::span<const KindInfo> kinds;
};

struct Field {
  const char* name;  ///< in model.proto
  const char* text;  ///< for people: what it is
  Meaning meaning;
  FieldType type;
  void* (*member)(void* spec);
  const ChoiceAccess* choice = nullptr;
  const RecordAccess* records = nullptr;
  const KindAccess* kinds = nullptr;

  template <typename Member>
  Member& of(void* spec) const {
    return *static_cast<Member*>(member(spec));
  }
  template <typename Member>
  const Member& of(const void* spec) const {
    return *static_cast<const Member*>(member(const_cast<void*>(spec)));
  }
};

// From the type of a member to its Field.

template <typename Type>
concept Described = requires {
  { Type::fields() } -> std::same_as<Fields>;
};

/// Number of enumerators and their numbers in the proto; specialized where an enumeration is declared.
template <typename Enum>
struct ChoiceOf;

namespace field_access {

template <typename Type>
struct Record {
  static constexpr auto kShape = RecordAccess::Shape::kOne;
  static std::size_t size(const void*) { return 1; }
  static void resize(void*, std::size_t) {}
  static void* at(void* member, std::size_t) { return member; }
  using Spec = Type;
};
template <typename Type>
struct Record<std::optional<Type>> {
  static constexpr auto kShape = RecordAccess::Shape::kOptional;
  static std::size_t size(const void* member) { return static_cast<const std::optional<Type>*>(member)->has_value(); }
  static void resize(void* member, std::size_t size) {
    auto& record = *static_cast<std::optional<Type>*>(member);
    if (size == 0)
      record.reset();
    else
      record.emplace();
  }
  static void* at(void* member, std::size_t) { return &**static_cast<std::optional<Type>*>(member); }
  using Spec = Type;
};
template <typename Type>
struct Record<std::vector<Type>> {
  static constexpr auto kShape = RecordAccess::Shape::kList;
  static std::size_t size(const void* member) { return static_cast<const std::vector<Type>*>(member)->size(); }
  static void resize(void* member, std::size_t size) { static_cast<std::vector<Type>*>(member)->resize(size); }
  static void* at(void* member, std::size_t index) { return &(*static_cast<std::vector<Type>*>(member))[index]; }
  using Spec = Type;
};

template <typename Member>
inline constexpr RecordAccess kRecord = {&Record<Member>::size, &Record<Member>::resize, &Record<Member>::at,
                                         &Record<Member>::Spec::fields, Record<Member>::kShape};

template <typename Enum>
inline constexpr ChoiceAccess kChoice = {
    [](const void* member) { return static_cast<int>(*static_cast<const Enum*>(member)) + ChoiceOf<Enum>::kFirst; },
    [](void* member, int number) {
      *static_cast<Enum*>(member) = static_cast<Enum>(number == 0 ? 0 : number - ChoiceOf<Enum>::kFirst);
    },
    ChoiceOf<Enum>::kCount, ChoiceOf<Enum>::kFirst, ChoiceOf<Enum>::kHasDefault};

/// Alternatives of a variant. A spec with several names in its oneof lists them in kNames and keeps in `quantity`, an
/// enumeration of the same order, which one it goes by.
template <typename Variant>
struct Kinds;
template <typename... Specs>
struct Kinds<std::variant<Specs...>> {
  using Variant = std::variant<Specs...>;

  template <typename Spec>
  static constexpr std::size_t namesOf() {
    if constexpr (requires { Spec::kNames; })
      return Spec::kNames.size();
    else
      return 1;
  }
  template <typename Spec, std::size_t name>
  static void choose(void* member) {
    auto& spec = static_cast<Variant*>(member)->template emplace<Spec>();
    if constexpr (requires { Spec::kNames; })
      spec.quantity = static_cast<decltype(spec.quantity)>(name);
    else
      (void)spec;
  }
  static constexpr std::size_t kCount = (namesOf<Specs>() + ...);

  static constexpr std::array<KindInfo, kCount> infos() {
    std::array<KindInfo, kCount> all{};
    std::size_t next = 0;
    const auto add = [&]<typename Spec>(std::type_identity<Spec>) {
      if constexpr (requires { Spec::kNames; }) [&]<std::size_t... i>(std::index_sequence<i...>) {
          ((all[next++] = {Spec::kNames[i], &Spec::fields, &choose<Spec, i>}), ...);
        }
      (std::make_index_sequence<Spec::kNames.size()>());
      else all[next++] = {Spec::kName, &Spec::fields, &choose<Spec, 0>};
    };
    (add(std::type_identity<Specs>()), ...);
    return all;
  }
  static constexpr std::array<KindInfo, kCount> kInfos = infos();

  static std::size_t index(const void* member) {
    const Variant& variant = *static_cast<const Variant*>(member);
    constexpr std::size_t names[] = {namesOf<Specs>()...};
    std::size_t sum = 0;
    for (std::size_t i = 0; i < variant.index(); ++i) sum += names[i];
    std::visit(
        [&]<typename Spec>(const Spec& spec) {
          if constexpr (requires { Spec::kNames; }) sum += static_cast<std::size_t>(spec.quantity);
        },
        variant);
    return sum;
  }
  static void* held(void* member) {
    return std::visit([](auto& spec) -> void* { return &spec; }, *static_cast<Variant*>(member));
  }
  static constexpr KindAccess kAccess = {&index, &held, kInfos};
};

template <typename Type>
inline constexpr bool kIsVariant = false;
template <typename... Specs>
inline constexpr bool kIsVariant<std::variant<Specs...>> = true;

template <typename Type>
constexpr FieldType typeOf() {
  if constexpr (std::is_same_v<Type, std::string>)
    return FieldType::kText;
  else if constexpr (std::is_same_v<Type, std::vector<std::string>>)
    return FieldType::kTexts;
  else if constexpr (std::is_same_v<Type, double>)
    return FieldType::kNumber;
  else if constexpr (std::is_same_v<Type, std::optional<double>>)
    return FieldType::kOptionalNumber;
  else if constexpr (std::is_same_v<Type, int>)
    return FieldType::kWhole;
  else if constexpr (std::is_same_v<Type, std::optional<int>>)
    return FieldType::kOptionalWhole;
  else if constexpr (std::is_same_v<Type, bool>)
    return FieldType::kTruth;
  else if constexpr (std::is_same_v<Type, std::optional<bool>>)
    return FieldType::kOptionalTruth;
  else if constexpr (std::is_same_v<Type, Eigen::Vector3d>)
    return FieldType::kVector3;
  else if constexpr (std::is_same_v<Type, std::optional<Eigen::Vector3d>>)
    return FieldType::kOptionalVector3;
  else if constexpr (std::is_same_v<Type, Eigen::Vector4d>)
    return FieldType::kVector4;
  else if constexpr (std::is_same_v<Type, std::optional<Eigen::Vector4d>>)
    return FieldType::kOptionalVector4;
  else if constexpr (std::is_same_v<Type, std::vector<double>>)
    return FieldType::kNumbers;
  else if constexpr (std::is_same_v<Type, Eigen::MatrixXd>)
    return FieldType::kMatrix;
  else if constexpr (std::is_same_v<Type, Eigen::Matrix3d>)
    return FieldType::kInertia;
  else if constexpr (std::is_same_v<Type, std::map<std::string, double>>)
    return FieldType::kCoefficients;
  else if constexpr (std::is_enum_v<Type>)
    return FieldType::kChoice;
  else if constexpr (kIsVariant<Type>)
    return FieldType::kKind;
  else
    return FieldType::kRecords;
}

template <typename Pointer>
struct Pointee;
template <typename OfSpec, typename OfMember>
struct Pointee<OfMember OfSpec::*> {
  using Spec = OfSpec;
  using Member = OfMember;
};

}  // namespace field_access

/// The description of a member: field<&AirLoadSpec::area>("area", "Reference area.", {.unit = "m^2"}).
template <auto pointer>
constexpr Field field(const char* name, const char* text, Meaning meaning = {}) {
  using Spec = typename field_access::Pointee<decltype(pointer)>::Spec;
  using Member = typename field_access::Pointee<decltype(pointer)>::Member;
  Field field{name, text, meaning, field_access::typeOf<Member>(),
              [](void* spec) -> void* { return &(static_cast<Spec*>(spec)->*pointer); }};
  if constexpr (field_access::typeOf<Member>() == FieldType::kChoice)
    field.choice = &field_access::kChoice<Member>;
  else if constexpr (field_access::typeOf<Member>() == FieldType::kKind)
    field.kinds = &field_access::Kinds<Member>::kAccess;
  else if constexpr (field_access::typeOf<Member>() == FieldType::kRecords)
    field.records = &field_access::kRecord<Member>;
  return field;
}

/// A member whose own members are fields of the message around it.
template <auto pointer>
constexpr Field part() {
  Field part = field<pointer>("", "");
  part.type = FieldType::kPart;
  return part;
}

}  // namespace tactus::rt
