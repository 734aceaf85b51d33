// Composite elements: one declared element becomes bodies, joints and force elements before anything is built.
#pragma once

#include "rt/model/model_spec.h"
#include "rt/model/references.h"

#include <string>
#include <unordered_map>

namespace tactus::rt {

/// A description in the making whose composites become parts. Parts are named after their composite, "leg.spring"; an
/// only part and the body of a modal body's mean motion have its name, "leg". They come behind the declared elements of
/// their list, so that the paths of these stay.
class Expansion {
 public:
  /// @param declared  kept; names in it are looked up while composites expand
  explicit Expansion(const ModelSpec& declared);

  /// The declared elements, by name.
  const References& references() const noexcept { return references_; }

  // What expand() of a composite calls. @returns the name of the part
  /// @param part   empty: the part that has the name of the composite
  /// @param field  of the composite that the body comes from: ".tube"
  std::string add(const char* part, const char* field, BodySpec body);
  std::string add(const char* part, const std::string& body_1, const std::string& body_2, JointKinds kind);
  std::string add(const char* part, ForceKinds kind);

  /// Expands every composite.
  void run();

  /// Without composites.
  const ModelSpec& spec() const noexcept { return spec_; }
  /// A path in spec() as one in the declared description: "forces[7].translational_spring.stiffness" of a part is
  /// "composites[0].strut.stiffness".
  std::string declaredPath(const std::string& path) const;

 private:
  std::string nameOf(const char* part) const;
  void keepOrigin(const char* list, std::size_t size, std::string origin);

  const References references_;
  ModelSpec spec_;
  std::unordered_map<std::string, std::string>
      origins_;                            ///< path of a part -> path of its composite, or of a field of it
  std::string name_, description_, path_;  ///< of the composite that expands
};

/// The description without composites.
ModelSpec expand(const ModelSpec& declared);

}  // namespace tactus::rt
