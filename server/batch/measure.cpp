#include "server/batch/measure.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/model.h"
#include "server/batch/shown.h"
#include "server/batch/unique_reactions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::server {
namespace {

/// A body that moves by less than this share of its size, or turns by less than this angle, is judged by it.
constexpr double kLeastWay = 0.2, kLeastAngle = 0.2;
/// A load counts as at least this share of the largest one on its body.
constexpr double kLeastShare = 0.1;
/// The largest load on a body counts as at least this share of what would make it move and turn so from rest.
constexpr double kLeastInertia = 1e-3;
/// Turns count up to this angle, rad.
constexpr double kMaxAngle = 20;
/// Size of a body that has none, relative to the mechanism.
constexpr double kLeastSize = 1e-6;

double norm(const std::vector<double>& values, const std::vector<int>& at) {
  double sum = 0;
  for (const int i : at) sum += values[static_cast<std::size_t>(i)] * values[static_cast<std::size_t>(i)];
  return std::sqrt(sum);
}

double differenceOf(const Measure& measure, const std::vector<double>& a, const std::vector<double>& b) {
  if (measure.rotation) {
    rt::Vector4d p, q;
    for (int i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(measure.signals[static_cast<std::size_t>(i)]);
      p[i] = a[at];
      q[i] = b[at];
    }
    return 2 * std::atan2(rt::multiplyG(p, q).norm(), std::abs(p.dot(q)));
  }
  double sum = 0;
  for (const int i : measure.signals) {
    const double d = a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)];
    sum += d * d;
  }
  return std::sqrt(sum);
}

/// Builds the list of measures.
class MeasureList {
 public:
  MeasureList(const rt::Model& model, const SeriesReader& reader, const Series& reference, double duration,
              const std::vector<double>& first_not_unique)
      : model_(model),
        reader_(reader),
        reference_(reference),
        duration_(duration),
        first_not_unique_(first_not_unique) {}

  std::vector<Measure> make() {
    for (const double end : tableEnds(model_))
      for (std::size_t k = 0; k < reference_.t.size(); ++k)
        if (std::abs(reference_.t[k] - end) <= 1e-9 * end) jumps_.push_back(k);
    for (int b = 0; b < model_.bodyCount(); ++b) sizes_.push_back(sizeOf(b));
    for (int b = 0; b < model_.bodyCount(); ++b) weights_.push_back(weightOf(b));
    findLoads();
    for (int b = 0; b < model_.bodyCount(); ++b) addBody(b);
    for (int j = 0; j < model_.jointCount(); ++j) addJoint(j);
    for (int s = 0; s < static_cast<int>(model_.sensors.size()); ++s) addSensor(s);
    addElements();
    return std::move(list_);
  }

 private:
  double sizeOf(int b) const {
    const rt::Body& body = model_.bodies[static_cast<std::size_t>(b)];
    double size = std::sqrt(body.inertia.trace() / (2 * body.mass));
    for (const rt::Primitive& p : model_.primitives) {
      if (p.body_1 == b) size = std::max(size, p.s_1.norm());
      if (p.body_2 == b) size = std::max(size, p.s_2.norm());
    }
    return std::max(size, kLeastSize * model_.length);
  }

  /// The smaller of the sizes of the bodies of a joint.
  double sizeAt(int body_1, int body_2) const {
    if (body_1 == rt::kGround) return sizes_[static_cast<std::size_t>(body_2)];
    if (body_2 == rt::kGround) return sizes_[static_cast<std::size_t>(body_1)];
    return std::min(sizes_[static_cast<std::size_t>(body_1)], sizes_[static_cast<std::size_t>(body_2)]);
  }

  /// What accelerates or carries a body, N: its mass times gravity, or times its largest acceleration. A body that is
  /// in balance without gravity has neither: a share of d / T^2 and of omega^2 s, with its way d, the duration T and
  /// its size s, keeps round-off from being judged on a scale of round-off.
  double weightOf(int b) const {
    const std::string& name = model_.body_names[static_cast<std::size_t>(b)];
    const double size = sizes_[static_cast<std::size_t>(b)];
    Measure place;
    place.signals = vectorAt(name + ".r");
    const double moved = std::max(way(place), kLeastWay * size) / (duration_ * duration_);
    const double turned = std::pow(peak(vectorAt(name + ".omega")), 2) * size;
    const double least = kLeastInertia * std::max(moved, turned);
    return model_.bodies[static_cast<std::size_t>(b)].mass *
           std::max({model_.gravity.norm(), peak(vectorAt(name + ".a")), least});
  }

  /// The largest load on each body, N: of a joint, or what accelerates or carries it.
  void findLoads() {
    loads_ = weights_;
    for (int j = 0; j < model_.jointCount(); ++j) {
      const rt::Joint& joint = model_.joints[static_cast<std::size_t>(j)];
      const double force = peak(vectorAt(model_.joint_names[static_cast<std::size_t>(j)] + ".force"));
      for (const int b : {joint.body_1, joint.body_2})
        if (b != rt::kGround)
          loads_[static_cast<std::size_t>(b)] = std::max(loads_[static_cast<std::size_t>(b)], force);
    }
  }
  double loadAt(int body_1, int body_2) const {
    if (body_1 == rt::kGround) return loads_[static_cast<std::size_t>(body_2)];
    if (body_2 == rt::kGround) return loads_[static_cast<std::size_t>(body_1)];
    return std::min(loads_[static_cast<std::size_t>(body_1)], loads_[static_cast<std::size_t>(body_2)]);
  }

  std::vector<int> vectorAt(const std::string& name) const {
    return {reader_.find(name + ".x"), reader_.find(name + ".y"), reader_.find(name + ".z")};
  }

  double peak(const std::vector<int>& signals) const {
    double most = 0;
    for (const std::vector<double>& sample : reference_.values) most = std::max(most, norm(sample, signals));
    return most;
  }

  /// Largest distance from the start.
  double way(const Measure& measure) const {
    double most = 0;
    for (const std::vector<double>& sample : reference_.values)
      most = std::max(most, differenceOf(measure, sample, reference_.values.front()));
    return most;
  }

  /// Largest integral of an angular velocity in body axes: more than pi for a body that spins.
  double turnOf(const std::vector<int>& omega) const {
    double most = 0;
    rt::Vector3d sum = rt::Vector3d::Zero();
    for (std::size_t k = 1; k < reference_.t.size(); ++k) {
      for (int c = 0; c < 3; ++c) {
        const auto at = static_cast<std::size_t>(omega[static_cast<std::size_t>(c)]);
        sum[c] +=
            0.5 * (reference_.t[k] - reference_.t[k - 1]) * (reference_.values[k][at] + reference_.values[k - 1][at]);
      }
      most = std::max(most, sum.norm());
    }
    return most;
  }

  Measure& add(Kind kind, const std::string& name, const std::string& unit, std::vector<int> signals) {
    Measure& measure = list_.emplace_back();
    measure.kind = kind;
    measure.name = name;
    measure.unit = unit;
    measure.signals = std::move(signals);
    return measure;
  }

  void addLength(Kind kind, const std::string& name, std::vector<int> signals, double size) {
    Measure& m = add(kind, name, "m", std::move(signals));
    m.scale = std::max(way(m), kLeastWay * size);
  }
  void addAngle(Kind kind, const std::string& name, std::vector<int> signals) {
    Measure& m = add(kind, name, "rad", std::move(signals));
    m.scale = std::clamp(way(m), kLeastAngle, kMaxAngle);
  }
  void addRate(Kind kind, const std::string& name, const std::string& unit, std::vector<int> signals, double size) {
    Measure& m = add(kind, name, unit, std::move(signals));
    m.may_jump = true;
    m.scale = std::max(way(m), kLeastWay * size / duration_);
  }
  Measure& addForce(Kind kind, const std::string& name, const std::string& unit, std::vector<int> signals,
                    double least) {
    Measure& m = add(kind, name, unit, std::move(signals));
    m.mean_square = true;
    m.jumps = jumps_;
    m.scale = std::max(peak(m.signals), least);
    return m;
  }

  void addBody(int b) {
    const std::string& name = model_.body_names[static_cast<std::size_t>(b)];
    const double size = sizes_[static_cast<std::size_t>(b)];
    addLength(Kind::kPosition, name, vectorAt(name + ".r"), size);
    Measure& turn = add(Kind::kRotation, name, "rad", {});
    for (int c = 0; c < 4; ++c) turn.signals.push_back(reader_.find(name + ".p.e" + std::to_string(c)));
    turn.rotation = true;
    turn.scale = std::clamp(std::max(way(turn), turnOf(vectorAt(name + ".omega"))), kLeastAngle, kMaxAngle);
    addRate(Kind::kVelocity, name + ".v", "m/s", vectorAt(name + ".v"), size);
    addRate(Kind::kVelocity, name + ".omega", "rad/s", vectorAt(name + ".omega"), 1);
  }

  /// Adds a scalar signal of a joint or a force element, if the model has it.
  void addSignal(const std::string& name, double size, double force) {
    const int at = reader_.find(name);
    if (at < 0) return;
    const std::string& unit = unitAt(at);
    if (unit == "m") addLength(Kind::kJoint, name, {at}, size);
    if (unit == "rad") addAngle(Kind::kJoint, name, {at});
    if (unit == "m/s") addRate(Kind::kVelocity, name, unit, {at}, size);
    if (unit == "rad/s") addRate(Kind::kVelocity, name, unit, {at}, 1);
    if (unit == "N") addForce(Kind::kLoad, name, unit, {at}, kLeastShare * force);
    if (unit == "N m") addForce(Kind::kLoad, name, unit, {at}, kLeastShare * force * size);
  }

  const std::string& unitAt(int place) const {
    return reader_.directory()
        .signals()[static_cast<std::size_t>(reader_.indices()[static_cast<std::size_t>(place)])]
        .unit;
  }

  /// The error of a reaction that is not determined at a pose says nothing about the method.
  void leaveOutIfShared(int j, Measure& measure) const {
    measure.unjudged_from = first_not_unique_[static_cast<std::size_t>(j)];
    if (!std::isfinite(measure.unjudged_from)) return;
    measure.unjudged = computesUnique(model_) ? "not determined by the motion at t = " + shown(measure.unjudged_from) +
                                                    " s: redundant constraints share it"
                                              : "on a loop of a mechanism with too many rows to compute whether "
                                                "redundant constraints share it";
  }

  void addJoint(int j) {
    const rt::Joint& joint = model_.joints[static_cast<std::size_t>(j)];
    const std::string& name = model_.joint_names[static_cast<std::size_t>(j)];
    const double size = sizeAt(joint.body_1, joint.body_2), weight = loadAt(joint.body_1, joint.body_2);
    const Kind kind = joint.law == rt::LawKind::kRigid ? Kind::kReaction : Kind::kLoad;
    const std::vector<int> force = vectorAt(name + ".force");
    Measure& f = addForce(kind, name + ".force", "N", force, kLeastShare * weight);
    leaveOutIfShared(j, f);
    const double arm = std::max(weight, peak(force)) * size;
    Measure& t = addForce(kind, name + ".torque", "N m", vectorAt(name + ".torque"), kLeastShare * arm);
    leaveOutIfShared(j, t);
    for (const char* own : {".angle", ".travel", ".length", ".rate", ".travel_rate"}) addSignal(name + own, size, 0);
    const std::size_t before = list_.size();
    addSignal(name + ".tension", size, weight);
    addSignal(name + ".moment", size, weight);
    for (std::size_t k = before; k < list_.size(); ++k) leaveOutIfShared(j, list_[k]);
  }

  void addSensor(int s) {
    const rt::Sensor& sensor = model_.sensors[static_cast<std::size_t>(s)];
    const std::string& name = model_.sensor_names[static_cast<std::size_t>(s)];
    const int at = reader_.find(name);
    const std::string& unit = unitAt(at);
    const bool of_joint = sensor.kind == rt::SensorKind::kJointAngle || sensor.kind == rt::SensorKind::kJointRate ||
                          sensor.kind == rt::SensorKind::kForceValue || sensor.kind == rt::SensorKind::kJointTravel ||
                          sensor.kind == rt::SensorKind::kJointTravelRate ||
                          sensor.kind == rt::SensorKind::kReactionForce ||
                          sensor.kind == rt::SensorKind::kReactionTorque;
    int body_1 = sensor.target, body_2 = rt::kGround;
    if (of_joint) {
      const rt::Joint& joint = model_.joints[static_cast<std::size_t>(sensor.target)];
      body_1 = joint.body_1;
      body_2 = joint.body_2;
    }
    const double size = std::max(sizeAt(body_1, body_2), of_joint ? 0 : sensor.point.norm());
    if (unit == "m") {
      addLength(Kind::kSensor, name, {at}, size);
    } else if (unit == "rad") {
      addAngle(Kind::kSensor, name, {at});
    } else if (unit == "m/s") {
      addRate(Kind::kSensor, name, unit, {at}, size);
    } else if (unit == "rad/s") {
      addRate(Kind::kSensor, name, unit, {at}, 1);
    } else if (unit == "m/s^2") {
      // Of a body that hardly accelerates, a tenth of gravity or of its peak acceleration in any direction.
      const auto body = static_cast<std::size_t>(body_1);
      const double most = weights_[body] / model_.bodies[body].mass;
      addForce(Kind::kSensor, name, unit, {at}, std::max(kLeastShare * most, 1e-9));
    } else {
      const std::string& joint = model_.joint_names[static_cast<std::size_t>(sensor.target)];
      const double force = std::max(loadAt(body_1, body_2), peak(vectorAt(joint + ".force")));
      Measure& m = addForce(Kind::kSensor, name, unit, {at}, kLeastShare * force * (unit == "N m" ? size : 1));
      leaveOutIfShared(sensor.target, m);
    }
  }

  /// Loads of force elements that are no joints: their signals in N and N m.
  void addElements() {
    const double lightest = weights_.empty() ? 0 : *std::min_element(weights_.begin(), weights_.end());
    for (const std::vector<std::string>* names :
         {&model_.slip_tyre_names, &model_.friction_names, &model_.powertrain_names})
      for (const std::string& name : *names) addElement(name, lightest);
    for (int j = 0; j < model_.jointCount(); ++j)
      if (model_.joints[static_cast<std::size_t>(j)].kind == rt::JointKind::kVerticalTyre)
        addElement(model_.joint_names[static_cast<std::size_t>(j)], lightest);
  }

  void addElement(const std::string& element, double lightest) {
    std::vector<std::pair<int, std::string>> forces, torques;
    double most[2] = {0, 0};
    for (std::size_t place = 0; place < reader_.indices().size(); ++place) {
      const rt::Signal& signal = reader_.directory().signals()[static_cast<std::size_t>(reader_.indices()[place])];
      if (signal.name.rfind(element + '.', 0) != 0 || signal.causality == rt::Causality::kInput) continue;
      const std::string own = signal.name.substr(element.size() + 1);
      if (own.find('.') != std::string::npos) continue;
      const bool turns = signal.unit == "N m";
      if (signal.unit != "N" && !turns) continue;
      (turns ? torques : forces).emplace_back(static_cast<int>(place), signal.name);
      most[turns ? 1 : 0] = std::max(most[turns ? 1 : 0], peak({static_cast<int>(place)}));
    }
    for (const auto& [place, name] : forces)
      addForce(Kind::kLoad, name, "N", {place}, kLeastShare * std::max(most[0], lightest));
    for (const auto& [place, name] : torques)
      addForce(Kind::kLoad, name, "N m", {place},
               kLeastShare * std::max(most[1], lightest * *std::min_element(sizes_.begin(), sizes_.end())));
  }

  const rt::Model& model_;
  const SeriesReader& reader_;
  const Series& reference_;
  double duration_;
  const std::vector<double>& first_not_unique_;
  std::vector<std::size_t> jumps_;               ///< samples at the ends of tables
  std::vector<double> sizes_, weights_, loads_;  ///< of each body, m and N
  std::vector<Measure> list_;
};

}  // namespace

std::vector<double> tableEnds(const rt::Model& model) {
  std::vector<double> ends;
  for (const rt::Drive& drive : model.drives)
    if (drive.kind == rt::DriveKind::kTable) ends.insert(ends.end(), {drive.times.front(), drive.times.back()});
  std::sort(ends.begin(), ends.end());
  return ends;
}

std::vector<Measure> measuresOf(const rt::Model& model, const SeriesReader& reader, const Series& reference,
                                double duration, const std::vector<double>& first_not_unique) {
  return MeasureList(model, reader, reference, duration, first_not_unique).make();
}

void widenScales(std::vector<Measure>& measures, const std::vector<Measure>& other) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    measures[i].scale = std::max(measures[i].scale, other[i].scale);
    if (other[i].jumps.size() > measures[i].jumps.size()) measures[i].jumps = other[i].jumps;
  }
}

std::vector<double> differences(const Measure& measure, const Series& a, const Series& b) {
  const std::size_t n = std::min(a.values.size(), b.values.size());
  std::vector<double> all;
  for (std::size_t k = 1; k < n; ++k) all.push_back(differenceOf(measure, a.values[k], b.values[k]));
  for (const std::size_t k : measure.jumps)
    if (k > 0 && k < n && std::isfinite(all[k - 1])) all[k - 1] = 0;
  if (!measure.may_jump || all.size() < 3) return all;
  std::vector<double> lasting(all.size());
  for (std::size_t k = 0; k < all.size(); ++k)
    lasting[k] = std::min(all[k], std::max(k > 0 ? all[k - 1] : 0.0, k + 1 < all.size() ? all[k + 1] : 0.0));
  return lasting;
}

double errorOf(const Measure& measure, const std::vector<double>& differences) {
  double most = 0, sum = 0;
  for (const double d : differences) {
    // A difference that is no number must not vanish in a maximum.
    if (!std::isfinite(d)) return std::numeric_limits<double>::infinity();
    most = std::max(most, d);
    sum += d * d;
  }
  if (!measure.mean_square || differences.empty()) return most;
  const auto left_out = std::count_if(measure.jumps.begin(), measure.jumps.end(),
                                      [&](std::size_t k) { return k > 0 && k <= differences.size(); });
  return std::sqrt(sum / std::max(1.0, static_cast<double>(differences.size()) - static_cast<double>(left_out)));
}

}  // namespace tactus::server
