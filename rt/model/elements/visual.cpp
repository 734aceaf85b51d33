#include "rt/model/elements/visual.h"

#include "rt/model/check_fields.h"
#include "rt/model/rules.h"

namespace tactus::rt {
namespace {

void checkShape(const BoxVisualSpec& shape, const FindingPlace& at) {
  if (!shape.sides.allFinite() || !(shape.sides.minCoeff() > 0))
    at.error(".sides", printed(shape.sides), "must be three finite numbers above zero");
}

void checkShape(const TubeVisualSpec& shape, const FindingPlace& at) {
  if (shape.outer_radius > 0 && shape.inner_radius >= shape.outer_radius)
    at.error(".inner_radius", printed(shape.inner_radius), "must be below outer_radius", "a full tube is a cylinder");
}

void checkShape(const PrismVisualSpec& shape, const FindingPlace& at) {
  const std::size_t numbers = shape.outline.size();
  if (numbers % 2 != 0 || numbers < 6 || numbers > 2 * kMaxCorners)
    at.error(".outline", std::to_string(numbers) + " numbers",
             "must be x and y of 3 to " + std::to_string(kMaxCorners) + " corners",
             "for example [0, 0, 1, 0, 0, 1] is a triangle");
}

template <typename Shape>
void checkShape(const Shape&, const FindingPlace&) {}

void checkVisual(const VisualSpec& visual, const FindingPlace& at) {
  if (visual.color && !(visual.color->minCoeff() >= 0 && visual.color->maxCoeff() <= 1))
    at.error(".color", printed(*visual.color), "must be red, green and blue from 0 to 1",
             "for example [0.8, 0.1, 0.1]");
  std::visit(
      [&]<typename Shape>(const Shape& shape) {
        const FindingPlace of_shape = at.within(std::string(".") + Shape::kName);
        checkFields(shape, of_shape);
        checkShape(shape, of_shape);
      },
      visual.shape);
}

}  // namespace

Fields BoxVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BoxVisualSpec::sides>("sides", "Lengths along x, y and z.",
                                   {.unit = "m", .required = true, .rule = "above zero"}),
  };
  return kFields;
}

Fields SphereVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SphereVisualSpec::radius>("radius", "Radius.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields CylinderVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CylinderVisualSpec::radius>("radius", "Radius.", {.unit = "m", .range = Range::kPositive}),
      field<&CylinderVisualSpec::length>("length", "Length along z.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields CapsuleVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CapsuleVisualSpec::radius>("radius", "Radius.", {.unit = "m", .range = Range::kPositive}),
      field<&CapsuleVisualSpec::length>("length", "Length along z between the centers of the half spheres.",
                                        {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields TubeVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&TubeVisualSpec::outer_radius>("outer_radius", "Outer radius.", {.unit = "m", .range = Range::kPositive}),
      field<&TubeVisualSpec::inner_radius>("inner_radius", "Inner radius.",
                                           {.unit = "m", .range = Range::kPositive, .rule = "below outer_radius"}),
      field<&TubeVisualSpec::length>("length", "Length along z.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields PrismVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PrismVisualSpec::outline>(
          "outline", "x and y of each corner of the polygon, one corner after the other; its sides must not cross.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "3 to 256 corners"}),
      field<&PrismVisualSpec::length>("length", "Length along z.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields MeshVisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&MeshVisualSpec::hash>("hash",
                                   "Of one of the meshes of the model; a model file names a file in place of it."),
      field<&MeshVisualSpec::scale>("scale", "Length of a unit of the mesh.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields MeshSpec::fields() {
  static constexpr Field kFields[] = {
      field<&MeshSpec::hash>("hash", "FNV-1a (64 bit) of the bytes, 16 hexadecimal digits.", {.required = true}),
      field<&MeshSpec::format>("format", "`glb`, `gltf`, `stl` or `obj`.", {.required = true}),
      field<&MeshSpec::content>("content", "The bytes of the file in base64.", {.required = true}),
  };
  return kFields;
}

Fields VisualSpec::fields() {
  static constexpr Field kFields[] = {
      field<&VisualSpec::name>("name", "Free text."),
      field<&VisualSpec::position>("position", "Origin of the shape, body frame.",
                                   {.unit = "m", .range = Range::kFinite}),
      field<&VisualSpec::orientation>("orientation", "From frame of the shape to body frame.",
                                      {.unit = "1", .range = Range::kUnitQuaternion}),
      field<&VisualSpec::color>("color", "Red, green and blue.",
                                {.unit = "1", .otherwise = "the color of the body", .rule = "0 to 1"}),
      field<&VisualSpec::opacity>("opacity", "1: solid; less: what lies behind shows through.",
                                  {.unit = "1", .range = Range::kWithin, .low = 0, .high = 1}),
      field<&VisualSpec::shape>("shape", "What is drawn."),
  };
  return kFields;
}

void checkVisuals(const std::vector<VisualSpec>& visuals, const FindingPlace& at) {
  if (visuals.size() > kMaxVisuals)
    at.error(".visuals", std::to_string(visuals.size()) + " elements",
             "must be at most " + std::to_string(kMaxVisuals));
  for (std::size_t i = 0; i < visuals.size(); ++i) checkVisual(visuals[i], at.within('.' + element("visuals", i)));
}

}  // namespace tactus::rt
