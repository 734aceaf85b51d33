#include "rt/model/expand.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tactus::rt {
namespace {

/// Whether a path leads along fields: ".tube.mass", ".mounts[2].axis[0]".
bool hasField(Fields fields, const std::string& path) {
  const std::size_t end = std::min(path.find('.', 1), path.size());
  const std::string name = path.substr(1, std::min(path.find('[', 1), end) - 1);
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    if (field.type == FieldType::kPart) return hasField(field.records->fields(), path);
    if (field.name != name) return false;
    return end == path.size() || field.type != FieldType::kRecords ||
           hasField(field.records->fields(), path.substr(end));
  });
}

}  // namespace

Expansion::Expansion(const ModelSpec& declared) : references_(declared), spec_(declared) {
  for (const CompositeSpec& composite : spec_.composites)
    if (const auto* const beam = std::get_if<BeamSpec>(&composite.kind))
      for (const BeamMountSpec& mount : beam->mounts)
        if (mount.kind == BeamMountKind::kRigid) held_rigidly_.insert(mount.body);
}

const BodySpec* Expansion::body(const std::string& name) const {
  if (const BodySpec* const declared = references_.body(name)) return declared;
  const auto found = made_.find(name);
  return found == made_.end() ? nullptr : &spec_.bodies[found->second];
}

std::optional<DeclaredPose> Expansion::declaredPose(const std::string& name) const {
  if (name == kGroundName) return DeclaredPose();
  const BodySpec* const found = body(name);
  return found == nullptr ? std::nullopt : usablePose(*found);
}

const std::string* Expansion::firstMissing(const std::vector<std::string>& bodies) const {
  const auto missing = std::find_if(bodies.begin(), bodies.end(), [this](const std::string& name) {
    return name != kGroundName && body(name) == nullptr;
  });
  return missing == bodies.end() ? nullptr : &*missing;
}

void Expansion::whenBodiesExist(std::vector<std::string> bodies, std::function<void()> rest) {
  if (firstMissing(bodies) == nullptr) return rest();
  waiting_.push_back({place_, std::move(bodies), std::move(rest)});
}

void Expansion::carry(const std::string& part, const std::string& carrier, Motion seen) {
  if (carrier != kGroundName) carried_.push_back({part, carrier, std::move(seen)});
}

std::string Expansion::nameOf(const char* part) const {
  return *part == '\0' ? place_.name : place_.name + '.' + part;
}

void Expansion::keepOrigin(const char* list, std::size_t size, std::string field) {
  origins_.emplace(element(list, size - 1), Origin{place_.path, std::move(field), place_.fields});
}

std::string Expansion::add(const char* part, const std::string& field, BodySpec body) {
  body.name = nameOf(part);
  body.description = place_.description;
  made_.emplace(body.name, spec_.bodies.size());
  spec_.bodies.push_back(std::move(body));
  keepOrigin("bodies", spec_.bodies.size(), field);
  return nameOf(part);
}

std::string Expansion::add(const char* part, const std::string& field, const std::string& body_1,
                           const std::string& body_2, JointKinds kind) {
  spec_.joints.push_back({nameOf(part), place_.description, body_1, body_2, std::move(kind)});
  keepOrigin("joints", spec_.joints.size(), field);
  return nameOf(part);
}

std::string Expansion::add(const char* part, ForceKinds kind) {
  spec_.forces.push_back({nameOf(part), place_.description, std::move(kind)});
  keepOrigin("forces", spec_.forces.size(), "");
  return nameOf(part);
}

void Expansion::run() {
  for (std::size_t i = 0; i < spec_.composites.size() && !tooLarge(); ++i) {
    const CompositeSpec& composite = spec_.composites[i];
    place_.name = composite.name;
    place_.description = composite.description;
    std::visit(
        [&]<typename Spec>(const Spec& kind) {
          place_.path = element("composites", i) + '.' + Spec::kName;
          place_.fields = Spec::fields();
          rt::expand(kind, *this);
        },
        composite.kind);
  }
  if (!tooLarge()) runWaiting();
  moveCarried();
  spec_.composites.clear();
}

void Expansion::runWaiting() {
  std::unordered_map<std::string, std::vector<std::size_t>> waiting_for;
  std::vector<std::size_t> queue(waiting_.size());
  std::iota(queue.begin(), queue.end(), std::size_t(0));
  std::vector<bool> done(waiting_.size(), false);
  const auto call = [&](std::size_t i) {
    done[i] = true;
    place_ = waiting_[i].place;
    waiting_[i].rest();
  };
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const std::size_t i = queue[k];
    if (const std::string* const missing = firstMissing(waiting_[i].bodies)) {
      waiting_for[*missing].push_back(i);
      continue;
    }
    const std::size_t before = spec_.bodies.size();
    call(i);
    for (std::size_t made = before; made < spec_.bodies.size(); ++made)
      if (const auto found = waiting_for.find(spec_.bodies[made].name); found != waiting_for.end()) {
        queue.insert(queue.end(), found->second.begin(), found->second.end());
        waiting_for.erase(found);
      }
  }
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (!done[i]) call(i);
  waiting_.clear();
}

void Expansion::moveCarried() {
  std::unordered_map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < carried_.size(); ++i) place_of.emplace(carried_[i].part, i);
  std::vector<bool> begun(carried_.size(), false);
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    // From each part to the body that moves by itself, then back. Parts in a ring stay at rest.
    for (std::size_t at = i; !begun[at];) {
      begun[at] = true;
      chain.push_back(at);
      const auto next = place_of.find(carried_[at].carrier);
      if (next == place_of.end() || references_.body(next->first) != nullptr) break;
      at = next->second;
    }
    for (; !chain.empty(); chain.pop_back()) {
      const Carried& one = carried_[chain.back()];
      const BodySpec* const carrier = body(one.carrier);
      if (carrier == nullptr || !usablePose(*carrier)) continue;
      moveWith(one.seen ? one.seen(*carrier) : *carrier, spec_.bodies[made_.at(one.part)]);
    }
  }
  carried_.clear();
}

std::string Expansion::declaredPath(const std::string& path) const {
  const std::size_t end = path.find('.');
  const auto origin = origins_.find(path.substr(0, end));
  if (origin == origins_.end()) return path;
  const auto& [composite, of_field, fields] = origin->second;
  if (end == std::string::npos) return composite + of_field;
  // The name of the kind of a part is no field of the composite.
  const std::size_t field = path.find('.', end + 1);
  const bool has_kind = path.compare(0, 6, "bodies") != 0;
  if (has_kind && field == std::string::npos) return composite + of_field;
  const std::string whole = of_field + path.substr(has_kind ? field : end);
  return composite + (hasField(fields, whole) ? whole : of_field);
}

void moveWith(const BodySpec& carrier, BodySpec& part) {
  const Vector3d omega = DeclaredPose(carrier).rotation * carrier.angular_velocity;
  part.velocity = carrier.velocity + omega.cross(part.position - carrier.position);
  part.angular_velocity = DeclaredPose(part).rotation.transpose() * omega;
}

ModelSpec expand(const ModelSpec& declared) {
  Expansion expansion(declared);
  expansion.run();
  return expansion.spec();
}

}  // namespace tactus::rt
