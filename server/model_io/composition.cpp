#include "server/model_io/composition.h"

#include "rt/model/check_model.h"
#include "rt/model/elements/element.h"
#include "rt/model/finding_list.h"
#include "server/model_io/attached_vectors.h"
#include "server/model_io/element_names.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/grid_file.h"
#include "server/model_io/json_reader.h"
#include "server/model_io/mesh_file.h"
#include "server/model_io/model_file.h"
#include "server/model_io/parameter_target.h"
#include "server/model_io/resolve.h"
#include "server/model_io/text_reader.h"
#include "server/model_io/tyre_file.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxFiles = 1024;

/// Lists of elements: all repeated messages of a model but includes and meshes.
std::vector<const FieldDescriptor*> elementLists() {
  std::vector<const FieldDescriptor*> lists;
  const google::protobuf::Descriptor& model = *v1::Model::descriptor();
  for (int i = 0; i < model.field_count(); ++i) {
    const FieldDescriptor* const field = model.field(i);
    const bool is_list = field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (is_list && field->name() != "includes" && field->name() != "meshes") lists.push_back(field);
  }
  return lists;
}

/// "bodies[3].mass" as the list, the index and what is left of it; no list: not of an element.
struct ElementPath {
  std::string list, rest;
  std::size_t index = 0;

  explicit ElementPath(const std::string& path) {
    const std::size_t open = path.find('['), close = path.find(']');
    if (open == std::string::npos || close == std::string::npos || path.find('.') < open) return;
    const auto read = std::from_chars(path.data() + open + 1, path.data() + close, index);
    if (read.ec != std::errc() || read.ptr != path.data() + close) return;
    list = path.substr(0, open);
    rest = path.substr(close + 1);
  }
};

/// Targets of parameters that count elements, after the elements of the list moved up.
void shiftTargets(v1::Model& model, const std::map<std::string, int>& sizes) {
  for (v1::Parameter& parameter : *model.mutable_parameters())
    for (std::string& target : *parameter.mutable_targets()) {
      const ElementPath path(target);
      const auto found = sizes.find(path.list);
      if (found != sizes.end())
        target =
            path.list + '[' + std::to_string(path.index + static_cast<std::size_t>(found->second)) + ']' + path.rest;
    }
}

/// Whether a target of a parameter is a component of gravity.
bool isGravity(const std::string& target) {
  return target == "gravity" || target.rfind("gravity[", 0) == 0;
}

constexpr const char* kGravityHint = "set gravity in the file that includes this one";

/// Moves what is given in the world frame, and what is given on ground.
/// @param change  of numbers into another frame, see transform()
template <typename Change>
void move(v1::Model& model, const Isometry& in_world, const Isometry& on_ground, Change&& change) {
  eachInWorld(model, [&](Numbers& numbers, VectorKind kind) { change(numbers, kind, in_world); });
  eachAttached(model, [&](const std::string& body, Numbers& numbers, VectorKind kind) {
    if (body == rt::kGroundName) change(numbers, kind, on_ground);
  });
}

ModelSyntax syntaxOfPart(const std::string& name) {
  return std::filesystem::path(name).extension() == ".txtpb" ? ModelSyntax::kText : ModelSyntax::kJson;
}

}  // namespace

bool Composition::read(std::string_view text, ModelSyntax syntax, v1::Model& model) {
  Part whole;
  files_.emplace_back("", syntax);
  open_.emplace_back();
  const bool complete = readPart(0, text, syntax, 0, whole);
  sources_ = std::move(whole.sources);
  model = std::move(whole.model);
  if (!complete) return false;
  rt::FindingList out;
  resolve(model, out);
  for (const rt::Finding& finding : out.take()) add(finding);
  return true;
}

bool Composition::readPart(std::size_t file, std::string_view text, ModelSyntax syntax, int depth, Part& part) {
  File& own = files_[file];
  const bool complete = syntax == ModelSyntax::kJson ? readJson(text, own.builder) : readText(text, own.builder);
  for (const LocatedFinding& finding : own.builder.findings()) {
    findings_.push_back({file, finding});
    findings_.back().second.file = own.name;
  }
  part.model = own.model;
  for (const FieldDescriptor* list : elementLists()) {
    auto& sources = part.sources[list->name()];
    for (int i = 0; i < part.model.GetReflection()->FieldSize(part.model, list); ++i)
      sources.push_back({file, rt::element(list->name().c_str(), static_cast<std::size_t>(i))});
  }
  if (!complete) return false;
  if (root_) readFiles(file, part);

  // Bodies get their places first: included files may stand on them.
  rt::FindingList out;
  resolvePlacements(part.model, out);
  addAll(out.take(), part, file);
  const auto includes = part.model.includes();
  part.model.clear_includes();
  bool all = true;
  for (int i = 0; i < includes.size(); ++i) all = include(file, i, includes[i], depth, part) && all;
  rt::FindingList more;
  resolvePlacements(part.model, more);
  addAll(more.take(), part, file);
  return all;
}

void Composition::readFiles(std::size_t file, Part& part) {
  const std::filesystem::path folder = (*root_ / files_[file].name).parent_path();
  addAll(readGridFiles(*root_, folder, part.model), part, file);
  addAll(readMeshFiles(folder, part.model), part, file);
  addAll(readTyreFiles(*root_, folder, part.model), part, file);
}

bool Composition::include(std::size_t file, int index, const v1::Include& entry, int depth, Part& part) {
  const std::string path = rt::element("includes", static_cast<std::size_t>(index));
  const auto refuse = [&](const char* field, const std::string& value, std::string rule, std::string hint = {}) {
    addAt(file, {rt::Severity::kError, path + field, value, std::move(rule), std::move(hint)});
    return false;
  };
  const std::string shown = rt::printed(entry.file());
  if (!root_) return refuse(".file", shown, kNoFolder, "tactus model print writes the model with its included files");
  const std::string ending = std::filesystem::path(entry.file()).extension().string();
  if (ending != ".json" && ending != ".txtpb") return refuse(".file", shown, "must end in .json or .txtpb");
  if (depth + 1 >= kMaxDepth)
    return refuse(".file", shown, "must not be included deeper than " + std::to_string(kMaxDepth) + " files");
  if (files_.size() >= kMaxFiles)
    return refuse(".file", shown, "must not be one of more than " + std::to_string(kMaxFiles) + " files of a model");
  const std::filesystem::path base = std::filesystem::path(files_[file].name).parent_path();
  const std::string name = (base / entry.file()).lexically_normal().string();
  std::string text;
  if (auto problem = readFileIn(*root_, *root_ / base, entry.file(), kMaxModelFile, text))
    return refuse(".file", shown, std::move(problem->rule), std::move(problem->hint));
  // By its place on the disk: a link is no way around.
  std::error_code failed;
  const std::string place = std::filesystem::weakly_canonical(*root_ / name, failed).string();
  if (std::find(open_.begin(), open_.end(), place) != open_.end())
    return refuse(".file", shown, "must not include itself, directly or by other files");

  files_.emplace_back(name, syntaxOfPart(name));
  const std::size_t child_file = files_.size() - 1;
  open_.push_back(place);
  Part child;
  const bool complete = readPart(child_file, text, syntaxOfPart(name), depth + 1, child);
  open_.pop_back();
  if (!complete) return false;

  applyOverrides(entry, path, file, child);
  if (!placeChild(entry, path, file, part.model, child.model)) return false;
  dropGravityTargets(child, child_file);
  prefixNames(child.model, entry.prefix(), entry.body().empty() ? rt::kGroundName : entry.body());
  append(child, part);
  return true;
}

void Composition::applyOverrides(const v1::Include& entry, const std::string& path, std::size_t file, Part& child) {
  for (int i = 0; i < entry.overrides_size(); ++i) {
    const v1::Override& change = entry.overrides(i);
    const std::string at = path + '.' + rt::element("overrides", static_cast<std::size_t>(i));
    const auto refuse = [&](const char* field, const std::string& value, std::string rule, std::string hint = {}) {
      addAt(file, {rt::Severity::kError, at + field, value, std::move(rule), std::move(hint)});
    };
    if (!std::isfinite(change.value())) {
      refuse(".value", rt::printed(change.value()), "must be finite");
      continue;
    }
    const auto& parameters = child.model.parameters();
    const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const v1::Parameter& p) { return p.name() == change.target(); });
    if (parameter != parameters.end()) {
      if ((parameter->has_minimum() && change.value() < parameter->minimum()) ||
          (parameter->has_maximum() && change.value() > parameter->maximum()))
        refuse(".value", rt::printed(change.value()),
               "must be within the range that the parameter declares in its file");
      const auto targets = parameter->targets();
      if (std::any_of(targets.begin(), targets.end(), isGravity)) {
        refuse(".target", rt::printed(change.target()), "must not set gravity: that of an included file does not count",
               kGravityHint);
        continue;
      }
      for (const std::string& target : targets) writeTarget(child.model, target, change.value());
      continue;
    }
    TargetProblem problem;
    if (isGravity(change.target()))
      refuse(".target", rt::printed(change.target()), "must not be gravity: that of an included file does not count",
             kGravityHint);
    else if (readTarget(child.model, change.target(), problem))
      writeTarget(child.model, change.target(), change.value());
    else
      refuse(".target", rt::printed(change.target()),
             "must be a parameter or a path of a number of the included file: it " + problem.rule, problem.hint);
  }
}

bool Composition::placeChild(const v1::Include& entry, const std::string& path, std::size_t file, const v1::Model& host,
                             v1::Model& child) {
  const auto refuse = [&](const char* field, const std::string& value, std::string rule, std::string hint = {}) {
    addAt(file, {rt::Severity::kError, path + field, value, std::move(rule), std::move(hint)});
    return false;
  };
  if (!entry.position().empty() && entry.position_size() != 3)
    return refuse(".position", std::to_string(entry.position_size()) + " numbers", "must be a list of three numbers");
  if (!entry.orientation().empty()) {
    const double size = entry.orientation_size() == 4 ? Eigen::Vector4d(entry.orientation().data()).norm() : 0;
    if (!(std::abs(size - 1) < 1e-6))
      return refuse(".orientation", std::to_string(entry.orientation_size()) + " numbers", "must be a unit quaternion");
  }
  const Isometry on_ground{vectorOf(entry.position()), quaternionOf(entry.orientation())};
  Isometry in_world = on_ground;
  if (!entry.body().empty() && entry.body() != rt::kGroundName) {
    const auto found = std::find_if(host.bodies().begin(), host.bodies().end(),
                                    [&](const v1::Body& body) { return body.name() == entry.body(); });
    if (found == host.bodies().end()) {
      std::vector<std::string> known;
      for (const v1::Body& body : host.bodies()) known.push_back(body.name());
      const std::string near = rt::nearestName(entry.body(), known);
      return refuse(".body", rt::printed(entry.body()), "must be a body of this file or of an include before it",
                    near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    if (found->has_placement())
      return refuse(".body", rt::printed(entry.body()), "must be a body whose place is known before this include",
                    "its placement leads to a body that is not there yet; put that include first");
    in_world = Isometry{vectorOf(found->position()), quaternionOf(found->orientation())} * on_ground;
  }
  // A parameter sets one number; a component of a vector that moves becomes a mixture of several.
  if (child.parameters_size() > 0) {
    v1::Model moved = child;
    move(moved, in_world, on_ground, [](Numbers& numbers, VectorKind kind, const Isometry& into) {
      const bool turns = into.rotation.vec().norm() > 0,
                 is_vector = kind == VectorKind::kPoint || kind == VectorKind::kOriginPoint;
      if (!turns && !(is_vector && !into.position.isZero(0))) return;
      for (double& number : numbers) number = std::numeric_limits<double>::quiet_NaN();
    });
    for (const v1::Parameter& parameter : child.parameters())
      for (const std::string& target : parameter.targets()) {
        if (isUnknownIn(moved, child, target))
          return refuse("", rt::printed(entry.file()),
                        "must not move a vector that a parameter of the file sets: " + rt::printed(parameter.name()) +
                            " sets " + target,
                        "remove the parameter or this target, or include the file where it stands");
      }
  }
  move(child, in_world, on_ground, transform);
  return true;
}

void Composition::dropGravityTargets(Part& child, std::size_t file) {
  std::vector<rt::Finding> findings;
  std::vector<int> emptied;  // parameters that set nothing else
  auto& parameters = *child.model.mutable_parameters();
  for (int i = 0; i < parameters.size(); ++i) {
    auto& targets = *parameters[i].mutable_targets();
    const auto kept = std::remove_if(targets.begin(), targets.end(), isGravity);
    if (kept == targets.end()) continue;
    findings.push_back({rt::Severity::kWarning, rt::element("parameters", static_cast<std::size_t>(i)) + ".targets",
                        "gravity", "does not count in an included file: the parameter does not set it", kGravityHint});
    targets.erase(kept, targets.end());
    if (targets.empty()) emptied.push_back(i);
  }
  addAll(findings, child, file);
  auto& sources = child.sources["parameters"];
  for (auto i = emptied.rbegin(); i != emptied.rend(); ++i) {
    parameters.DeleteSubrange(*i, 1);
    sources.erase(sources.begin() + *i);
  }
}

void Composition::append(Part& child, Part& part) {
  std::map<std::string, int> sizes;
  const Reflection& reflection = *part.model.GetReflection();
  for (const FieldDescriptor* list : elementLists()) sizes[list->name()] = reflection.FieldSize(part.model, list);
  shiftTargets(child.model, sizes);
  for (const FieldDescriptor* list : elementLists()) {
    for (int i = 0; i < reflection.FieldSize(child.model, list); ++i)
      reflection.AddMessage(&part.model, list)->CopyFrom(reflection.GetRepeatedMessage(child.model, list, i));
    auto& from = child.sources[list->name()];
    auto& to = part.sources[list->name()];
    to.insert(to.end(), from.begin(), from.end());
  }
  std::set<std::string> hashes;
  for (const v1::Mesh& mesh : part.model.meshes()) hashes.insert(mesh.hash());
  for (const v1::Mesh& mesh : child.model.meshes())
    if (hashes.insert(mesh.hash()).second) *part.model.add_meshes() = mesh;
}

void Composition::addAt(std::size_t file, const rt::Finding& finding) {
  const File& at = files_[file];
  if (at.builder.explains(finding.path)) return;
  findings_.push_back({file, {finding, at.builder.lines().lineOf(finding.path), 0, at.name}});
}

Composition::Source Composition::sourceOf(const Sources& sources, const std::string& path, std::size_t file) const {
  const ElementPath element(path);
  const auto found = sources.find(element.list);
  if (found == sources.end() || element.index >= found->second.size()) return {file, path};
  const Source& source = found->second[element.index];
  return {source.file, source.path + element.rest};
}

void Composition::addAll(std::vector<rt::Finding> findings, const Part& part, std::size_t file) {
  for (rt::Finding& finding : findings) {
    const Source source = sourceOf(part.sources, finding.path, file);
    finding.path = source.path;
    addAt(source.file, finding);
  }
}

void Composition::add(const rt::Finding& finding) {
  const Source source = sourceOf(sources_, finding.path, 0);
  rt::Finding located = finding;
  located.path = source.path;
  addAt(source.file, located);
}

bool Composition::hasErrorAt(const std::string& path) const {
  const Source source = sourceOf(sources_, path, 0);
  return files_[source.file].builder.explains(source.path) ||
         std::any_of(findings_.begin(), findings_.end(), [&source](const auto& found) {
           return found.first == source.file && isErrorAt(found.second.finding, source.path);
         });
}

std::vector<LocatedFinding> Composition::takeFindings() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.line) < std::pair(b.first, b.second.line);
  });
  std::vector<LocatedFinding> out;
  for (auto& [file, finding] : findings_) out.push_back(std::move(finding));
  return out;
}

}  // namespace tactus::server
