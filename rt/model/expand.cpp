#include "rt/model/expand.h"

#include "rt/model/finding_list.h"

#include <utility>

namespace tactus::rt {

Expansion::Expansion(const ModelSpec& declared) : references_(declared), spec_(declared) {}

std::string Expansion::nameOf(const char* part) const {
  return *part == '\0' ? name_ : name_ + '.' + part;
}

void Expansion::keepOrigin(const char* list, std::size_t size, std::string origin) {
  origins_.emplace(element(list, size - 1), std::move(origin));
}

std::string Expansion::add(const char* part, const char* field, BodySpec body) {
  body.name = nameOf(part);
  body.description = description_;
  spec_.bodies.push_back(std::move(body));
  keepOrigin("bodies", spec_.bodies.size(), path_ + field);
  return nameOf(part);
}

std::string Expansion::add(const char* part, const std::string& body_1, const std::string& body_2, JointKinds kind) {
  spec_.joints.push_back({nameOf(part), description_, body_1, body_2, std::move(kind)});
  keepOrigin("joints", spec_.joints.size(), path_);
  return nameOf(part);
}

std::string Expansion::add(const char* part, ForceKinds kind) {
  spec_.forces.push_back({nameOf(part), description_, std::move(kind)});
  keepOrigin("forces", spec_.forces.size(), path_);
  return nameOf(part);
}

void Expansion::run() {
  for (std::size_t i = 0; i < spec_.composites.size(); ++i) {
    const CompositeSpec& composite = spec_.composites[i];
    name_ = composite.name;
    description_ = composite.description;
    std::visit(
        [&]<typename Spec>(const Spec& kind) {
          path_ = element("composites", i) + '.' + Spec::kName;
          rt::expand(kind, *this);
        },
        composite.kind);
  }
  spec_.composites.clear();
}

std::string Expansion::declaredPath(const std::string& path) const {
  const std::size_t end = path.find('.');
  const auto origin = origins_.find(path.substr(0, end));
  if (origin == origins_.end()) return path;
  if (end == std::string::npos) return origin->second;
  // The name of the kind of a part is no field of the composite.
  const std::size_t field = path.find('.', end + 1);
  const bool has_kind = path.compare(0, 6, "bodies") != 0;
  if (has_kind && field == std::string::npos) return origin->second;
  return origin->second + path.substr(has_kind ? field : end);
}

ModelSpec expand(const ModelSpec& declared) {
  Expansion expansion(declared);
  expansion.run();
  return expansion.spec();
}

}  // namespace tactus::rt
