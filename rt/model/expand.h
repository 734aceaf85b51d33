// Composite elements: one declared element becomes bodies, joints and force elements before anything is built.
#pragma once

#include "rt/model/model_spec.h"
#include "rt/model/references.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tactus::rt {

/// Bodies of one model, with those that are parts.
inline constexpr std::size_t kMaxBodies = 4096;
/// Joints, with those that are parts; force elements and composites, as declared.
inline constexpr std::size_t kMaxJoints = 16384;

/// A description in the making whose composites become parts. Parts are named after their composite, "leg.spring"; an
/// only part and the body of a modal body's mean motion have its name, "leg". They come behind the declared elements of
/// their list, so that the paths of these stay.
class Expansion {
 public:
  /// @param declared  kept; names in it are looked up while composites expand
  explicit Expansion(const ModelSpec& declared);

  /// The declared elements, by name.
  const References& references() const noexcept { return references_; }
  /// Name of the composite that expands.
  const std::string& name() const noexcept { return place_.name; }
  /// A declared body, or one that a composite has made so far; null: there is none yet. Valid until the next part.
  const BodySpec* body(const std::string& name) const;
  /// Its pose, or that of ground; none if there is no such body yet or it has no pose that can be used.
  std::optional<DeclaredPose> declaredPose(const std::string& name) const;

  /// Whether a rigid mount of any beam holds the body of this name.
  bool isHeldRigidly(const std::string& body) const { return held_rigidly_.count(body) > 0; }

  /// Calls `rest` of the composite that expands once the bodies exist: now, or when other composites have made them. If
  /// they never do, it is called behind everything else, and the rules on references report their names.
  /// @param bodies  names; "ground" always exists
  void whenBodiesExist(std::vector<std::string> bodies, std::function<void()> rest);

  /// What a part sees of the motion of the body that carries it.
  using Motion = std::function<BodySpec(const BodySpec&)>;
  /// Gives a part the velocity that it has as a point of a body, once all bodies have theirs: the order of declaration
  /// does not matter. The part stays at rest if there is no such body or the body has no pose that can be used.
  /// @param part  name, from add()
  /// @param seen  empty: the whole motion
  void carry(const std::string& part, const std::string& carrier, Motion seen = {});

  // What expand() of a composite calls. @returns the name of the part
  /// @param part   empty: the part that has the name of the composite
  /// @param field  of the composite that the body comes from: ".tube"
  std::string add(const char* part, const std::string& field, BodySpec body);
  /// @param field  of the composite that the joint comes from: ".mounts[2]"; empty: the composite as a whole
  std::string add(const char* part, const std::string& field, const std::string& body_1, const std::string& body_2,
                  JointKinds kind);
  std::string add(const char* part, ForceKinds kind);

  /// Expands every composite, in the order of declaration, then what waits for bodies, then the velocities. Stops once
  /// the description is too large.
  void run();
  /// Whether there are more bodies or joints than a model may have: a small description can stand for more than there
  /// is memory. Parts may be missing in spec() then.
  bool tooLarge() const noexcept { return spec_.bodies.size() > kMaxBodies || spec_.joints.size() > kMaxJoints; }

  /// Without composites.
  const ModelSpec& spec() const noexcept { return spec_; }
  /// A path in spec() as one in the declared description: "forces[7].translational_spring.stiffness" of a part is
  /// "composites[0].strut.stiffness". A field that the composite has not ends at the field that the part comes from.
  std::string declaredPath(const std::string& path) const;

 private:
  /// Of the composite that expands.
  struct Place {
    std::string name, description, path;
    Fields fields;  ///< of its kind
  };
  /// Where a part comes from.
  struct Origin {
    std::string path, field;  ///< of the composite with its kind; of one of its fields, or empty
    Fields fields;            ///< of its kind
  };
  struct Waiting {
    Place place;
    std::vector<std::string> bodies;
    std::function<void()> rest;
  };

  struct Carried {
    std::string part, carrier;
    Motion seen;
  };

  std::string nameOf(const char* part) const;
  /// The first of the bodies that does not exist yet; null: all do.
  const std::string* firstMissing(const std::vector<std::string>& bodies) const;
  void runWaiting();
  void moveCarried();
  void keepOrigin(const char* list, std::size_t size, std::string field);

  const References references_;
  ModelSpec spec_;
  std::unordered_map<std::string, Origin> origins_;    ///< by the path of a part
  std::unordered_set<std::string> held_rigidly_;       ///< bodies
  std::unordered_map<std::string, std::size_t> made_;  ///< bodies that are parts, by name
  std::vector<Waiting> waiting_;
  std::vector<Carried> carried_;
  Place place_;
};

/// Gives a part the velocity that it has as a point of the body that carries it.
void moveWith(const BodySpec& carrier, BodySpec& part);

/// The description without composites.
ModelSpec expand(const ModelSpec& declared);

}  // namespace tactus::rt
