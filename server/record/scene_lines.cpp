#include "server/record/scene_lines.h"

#include "rt/model/elements/beam_shape.h"
#include "rt/model/model.h"
#include "server/record/scene_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::server {
namespace {

using Eigen::Vector3d;

constexpr int kTurns = 6, kPointsPerTurn = 8;  // of a coil
constexpr double kRadius = 0.12;               // of a coil, of its length in the declared state

struct Look {
  double thickness;  ///< pixels
  double red, green, blue;
};
constexpr Look kSpring{2, 0.88, 0.63, 0.19}, kRod{5, 0.60, 0.65, 0.72};

/// @param p  scalar first
Vector3d placeIn(const Vector3d& r, const Eigen::Vector4d& p, const Vector3d& point) {
  return r + Eigen::Quaterniond(p[0], p[1], p[2], p[3]) * point;
}

/// Writes points one after the other over those of a line of an entity that are there.
class Pen {
 public:
  Pen(foxglove::SceneEntity& entity, int index, const Look& look)
      : line_(index < entity.lines_size() ? *entity.mutable_lines(index) : *entity.add_lines()) {
    line_.set_type(foxglove::LinePrimitive::LINE_STRIP);
    line_.set_thickness(look.thickness);
    line_.set_scale_invariant(true);
    scene::set(*line_.mutable_color(), look.red, look.green, look.blue);
    line_.mutable_pose()->mutable_orientation()->set_w(1);
  }
  ~Pen() { line_.mutable_points()->DeleteSubrange(count_, line_.points_size() - count_); }
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;

  void put(const Vector3d& at) {
    foxglove::Point3& point = count_ < line_.points_size() ? *line_.mutable_points(count_) : *line_.add_points();
    ++count_;
    scene::set(point, at);
  }

 private:
  foxglove::LinePrimitive& line_;
  int count_ = 0;
};

void drawCoil(const Vector3d& from, const Vector3d& to, double radius, Pen& pen) {
  const Vector3d axis = to - from;
  const double length = axis.norm();
  pen.put(from);
  if (length > 0) {
    const Vector3d across = axis.unitOrthogonal(), third = axis.cross(across) / length;
    constexpr int kPoints = kTurns * kPointsPerTurn;
    for (int k = 1; k < kPoints; ++k) {
      const double angle = 2 * std::numbers::pi * k / kPointsPerTurn;
      pen.put(from + axis * (static_cast<double>(k) / kPoints) +
              radius * (std::cos(angle) * across + std::sin(angle) * third));
    }
  }
  pen.put(to);
}

}  // namespace

SceneLines::SceneLines(const v1::Model& message, const rt::Model& model) : model_(model) {
  for (const v1::Force& force : message.forces()) {
    if (force.has_translational_spring()) {
      const v1::TranslationalSpring& spring = force.translational_spring();
      addBetween(force.name(), Kind::kCoil, spring.body_1(), spring.body_2(), spring);
    } else if (force.has_rope()) {
      Line& line = lines_.emplace_back(Line{force.name(), Kind::kRope, {}, 0});
      for (const v1::RopePoint& point : force.rope().points())
        line.ends.push_back({bodyOf(point.body()), scene::vectorOf(point.point())});
    }
  }
  for (const v1::Composite& composite : message.composites()) {
    if (composite.has_strut())
      addBetween(composite.name(), Kind::kStrut, composite.strut().body_1(), composite.strut().body_2(),
                 composite.strut());
    else if (composite.has_beam())
      addBeam(composite.name(), composite.beam());
    else if (composite.has_modal_body())
      for (const v1::ModalInterface& interface : composite.modal_body().interfaces()) {
        const std::string end = composite.name() + "." + interface.name();
        lines_.push_back({end, Kind::kRod, {{bodyOf(composite.name()), {0, 0, 0}}, {bodyOf(end), {0, 0, 0}}}, 0});
      }
  }
  for (const v1::Joint& joint : message.joints())
    if (joint.has_distance()) addBetween(joint.name(), Kind::kRod, joint.body_1(), joint.body_2(), joint.distance());
}

template <class Element>
void SceneLines::addBetween(const std::string& name, Kind kind, const std::string& body_1, const std::string& body_2,
                            const Element& points) {
  const std::vector<End> ends{{bodyOf(body_1), scene::vectorOf(points.point_1())},
                              {bodyOf(body_2), scene::vectorOf(points.point_2())}};
  const rt::InitialCondition& declared = model_.initial_conditions.front();
  const auto placeOf = [&](const End& end) {
    const auto body = static_cast<std::size_t>(end.body);
    return end.body < 0 ? end.point : placeIn(declared.position[body], declared.orientation[body], end.point);
  };
  lines_.push_back({name, kind, ends, kRadius * (placeOf(ends[1]) - placeOf(ends[0])).norm()});
}

void SceneLines::addBeam(const std::string& name, const v1::Beam& beam) {
  std::vector<rt::BeamPointSpec> points;
  for (const v1::BeamPoint& point : beam.points()) points.push_back({scene::vectorOf(point.position()), point.twist()});
  const int elements = static_cast<int>(beam.elements());
  const rt::BeamShape shape(
      points, beam.curve() == v1::BEAM_CURVE_SPLINE ? rt::BeamCurve::kSpline : rt::BeamCurve::kPolyline, elements);
  Line& line = lines_.emplace_back(Line{name, Kind::kRod, {}, 0});
  for (int node = 0; node <= elements; ++node) {
    // A node that ground holds is no body: it stays where the beam was declared.
    const int body = bodyOf(name + "." + std::to_string(node));
    line.ends.push_back({body, body < 0 ? shape.nodes[static_cast<std::size_t>(node)] : Vector3d::Zero()});
  }
}

int SceneLines::bodyOf(const std::string& name) const {
  const auto found = std::find(model_.body_names.begin(), model_.body_names.end(), name);
  return found == model_.body_names.end() ? -1 : static_cast<int>(found - model_.body_names.begin());
}

void SceneLines::write(const rt::Snapshot& snapshot, std::uint64_t time_ns, foxglove::SceneUpdate& out) const {
  const rt::StateView state(rt::StateLayout(model_), snapshot.state.data());
  const auto placeOf = [&](const End& end) -> Vector3d {
    if (end.body < 0) return end.point;
    return placeIn(state.r(end.body), state.p(end.body), end.point);
  };
  while (out.entities_size() < static_cast<int>(lines_.size())) out.add_entities();
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    const Line& line = lines_[k];
    foxglove::SceneEntity& entity = *out.mutable_entities(static_cast<int>(k));
    scene::setTime(*entity.mutable_timestamp(), time_ns);
    entity.set_frame_id(scene::kWorld);
    entity.set_id(line.name);
    int drawn = 0;
    if (line.kind == Kind::kCoil || line.kind == Kind::kStrut) {
      Pen pen(entity, drawn++, kSpring);
      drawCoil(placeOf(line.ends[0]), placeOf(line.ends[1]), line.radius, pen);
    }
    if (line.kind != Kind::kCoil) {
      Pen pen(entity, drawn++, line.kind == Kind::kRope ? kSpring : kRod);
      for (const End& end : line.ends) pen.put(placeOf(end));
    }
  }
}

}  // namespace tactus::server
