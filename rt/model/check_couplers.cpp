// Rules on couplers.
#include "rt/model/check_model.h"
#include "rt/model/rules.h"

#include <cmath>
#include <set>
#include <utility>

namespace tactus::rt::rules {
namespace {

constexpr std::size_t kFewest = 2, kMax = 3;

}  // namespace

void checkCouplers(const ModelSpec& spec, const References& references, FindingList& out) {
  std::set<std::string> declared;
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const JointSpec& joint = spec.joints[j];
    const auto* coupler = std::get_if<CouplerSpec>(&joint.kind);
    if (coupler == nullptr) {
      declared.insert(joint.name);
      continue;
    }
    const std::string path = element("joints", j), list = path + ".coupler.coordinates";
    const std::pair<const char*, const std::string&> bodies[] = {{".body_1", joint.body_1}, {".body_2", joint.body_2}};
    for (const auto& [field, name] : bodies)
      if (!name.empty())
        out.error(path + field, printed(name), "must be left out of a coupler", "its bodies are those of its joints");
    if (coupler->coordinates.size() < kFewest || coupler->coordinates.size() > kMax)
      out.error(list, std::to_string(coupler->coordinates.size()) + " elements", "must be 2 or 3 elements");
    std::set<std::pair<std::string, bool>> coupled;
    for (std::size_t i = 0; i < coupler->coordinates.size(); ++i) {
      const CoupledCoordinateSpec& c = coupler->coordinates[i];
      const std::string at = element(list.c_str(), i);
      if (c.along_axis)
        references.requireTravel(at + ".joint", c.joint, out);
      else
        references.requireAngle(at + ".joint", c.joint, out);
      const JointSpec* target = references.joint(c.joint);
      const bool fits = target != nullptr && (c.along_axis ? hasTravel(*target) : hasAngle(*target));
      if (fits && !declared.contains(c.joint))
        out.error(at + ".joint", printed(c.joint), "must be declared before the coupler");
      if (!coupled.emplace(c.joint, c.along_axis).second)
        out.error(at + ".joint", printed(c.joint), "must be coupled once", "ratios of one coordinate add up");
      if (requireFinite(at + ".ratio", c.ratio, out) && c.ratio == 0)
        out.error(at + ".ratio", "0", "must be given, not zero");
    }
  }
}

}  // namespace tactus::rt::rules
