#include "rt/model/elements/strut.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/directions.h"
#include "rt/model/expand.h"
#include "rt/model/rules.h"

#include <Eigen/Geometry>

namespace tactus::rt {
namespace {

/// Unit quaternion, scalar first, of a frame whose z axis is a direction.
Vector4d frameAlong(const Vector3d& direction) {
  Matrix3d frame;
  frame.col(0) = perpendicularTo(direction);
  frame.col(1) = direction.cross(frame.col(0));
  frame.col(2) = direction;
  const Eigen::Quaterniond q(frame);
  return unitVector<Vector4d>({q.w(), q.x(), q.y(), q.z()});
}

/// Both ends of a strut in the declared state.
struct Ends {
  DeclaredPose pose_1, pose_2;
  Vector3d top, bottom, along;  ///< world; along: unit, from point 1 to point 2
};

/// A tube or rod with its mounted end at `end`; its z axis runs along the strut.
BodySpec bodyOf(const StrutBodySpec& spec, const Vector3d& end, const Vector3d& inward, const Ends& ends) {
  BodySpec body;
  body.mass = spec.mass;
  body.inertia = Vector3d(spec.transverse_inertia, spec.transverse_inertia, spec.axial_inertia).asDiagonal();
  body.position = end + spec.offset * inward;
  body.orientation = frameAlong(ends.along);
  return body;
}

void addTubeAndRod(const StrutSpec& spec, const Ends& ends, Expansion& expansion) {
  const Vector3d z = Vector3d::UnitZ();
  const Vector3d tube_end = -spec.tube->offset * z, rod_end = spec.rod->offset * z;
  const BodySpec tube_body = bodyOf(*spec.tube, ends.top, ends.along, ends);
  const BodySpec rod_body = bodyOf(*spec.rod, ends.bottom, -ends.along, ends);
  const std::string tube = expansion.add("tube", ".tube", tube_body), rod = expansion.add("rod", ".rod", rod_body);
  expansion.carry(tube, spec.body_1);
  expansion.carry(rod, spec.body_2);

  // The cross of each universal joint lies across the strut.
  const Vector3d across_body = DeclaredPose(tube_body).rotation.col(0);
  expansion.add(
      "mount_1", "", spec.body_1, tube,
      UniversalSpec{spec.point_1, tube_end, ends.pose_1.rotation.transpose() * across_body, Vector3d::UnitY()});
  expansion.add(
      "mount_2", "", spec.body_2, rod,
      UniversalSpec{spec.point_2, rod_end, ends.pose_2.rotation.transpose() * across_body, Vector3d::UnitY()});
  expansion.add("slide", "", tube, rod, CylindricalSpec{tube_end, rod_end, z, z, 0});

  TranslationalSpringSpec spring{
      tube, rod, tube_end, rod_end, spec.stiffness, spec.damping, spec.free_length, spec.preload, spec.law};
  expansion.add("spring", spring);
}

}  // namespace

Fields StrutBodySpec::fields() {
  static constexpr Field kFields[] = {
      field<&StrutBodySpec::mass>("mass", "Mass.", {.unit = "kg", .range = Range::kPositive}),
      field<&StrutBodySpec::axial_inertia>("axial_inertia", "Moment of inertia about the line of the strut.",
                                           {.unit = "kg m^2", .range = Range::kPositive}),
      field<&StrutBodySpec::transverse_inertia>("transverse_inertia",
                                                "Moment of inertia about any axis across the line.",
                                                {.unit = "kg m^2", .range = Range::kPositive}),
      field<&StrutBodySpec::offset>("offset", "Distance of the center of mass from the mounted end, along the strut.",
                                    {.unit = "m", .range = Range::kFinite}),
  };
  return kFields;
}

Fields StrutSpec::fields() {
  static constexpr Field kFields[] = {
      field<&StrutSpec::body_1>("body_1", "Name of a body, or \"ground\".", {.refers = Refers::kBodyOrGround}),
      field<&StrutSpec::body_2>("body_2", "Name of another body, or \"ground\".",
                                {.refers = Refers::kBodyOrGround, .rule = "not body_1"}),
      field<&StrutSpec::point_1>(
          "point_1", "Point on body 1.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "apart from point_2 in the declared state"}),
      field<&StrutSpec::point_2>("point_2", "Point on body 2.",
                                 {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&StrutSpec::stiffness>("stiffness", "Tension per elongation.",
                                   {.unit = "N/m", .range = Range::kNotNegative}),
      field<&StrutSpec::damping>("damping", "Tension per rate of the length.",
                                 {.unit = "N s/m", .range = Range::kNotNegative}),
      field<&StrutSpec::free_length>(
          "free_length", "Length without elastic force.",
          {.unit = "m", .range = Range::kPositive, .otherwise = "the distance in the declared state"}),
      field<&StrutSpec::preload>("preload", "Tension at the free length and at rest.",
                                 {.unit = "N", .range = Range::kFinite}),
      part<&StrutSpec::law>(),
      field<&StrutSpec::tube>("tube", "Body between body 1 and the rod. Its mounted end is point 1.",
                              {.otherwise = "none", .rule = "together with rod"}),
      field<&StrutSpec::rod>("rod", "Body between the tube and body 2. Its mounted end is point 2.",
                             {.otherwise = "none", .rule = "together with tube"}),
  };
  return kFields;
}

void check(const StrutSpec& spec, const FindingPlace& at) {
  if (spec.tube.has_value() != spec.rod.has_value())
    at.error(spec.tube ? ".rod" : ".tube", "none", "must be given together with the other part",
             "a strut without tube and rod has no mass");
}

void expand(const StrutSpec& spec, Expansion& expansion) {
  const auto add_spring = [&spec, &expansion] {
    expansion.add("", TranslationalSpringSpec{spec.body_1, spec.body_2, spec.point_1, spec.point_2, spec.stiffness,
                                              spec.damping, spec.free_length, spec.preload, spec.law});
  };
  if (!spec.tube || !spec.rod) return add_spring();
  // Both ends may be parts of other composites.
  expansion.whenBodiesExist({spec.body_1, spec.body_2}, [&spec, &expansion, add_spring] {
    const auto pose_1 = expansion.declaredPose(spec.body_1), pose_2 = expansion.declaredPose(spec.body_2);
    if (pose_1 && pose_2) {
      const Vector3d top = pose_1->toWorld(spec.point_1), bottom = pose_2->toWorld(spec.point_2);
      if ((bottom - top).allFinite() && (bottom - top).norm() > kNearestPoints)
        return addTubeAndRod(spec, {*pose_1, *pose_2, top, bottom, unitVector<Vector3d>(bottom - top)}, expansion);
    }
    add_spring();  // its rules report what is wrong with the ends
  });
}

}  // namespace tactus::rt
