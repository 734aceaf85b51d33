#include "server/import/import_file.h"

#include "rt/mechanics/initial_state.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "server/import/mesh_places.h"
#include "server/import/mjcf.h"
#include "server/import/open_drive.h"
#include "server/import/sdf.h"
#include "server/import/tree_names.h"
#include "server/import/urdf.h"
#include "server/import/xml_tree.h"
#include "server/model_io/model_file.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace tactus::server {
namespace {

std::string formatOf(const std::string& root) {
  return root == "robot" ? "URDF" : root == "mujoco" ? "MJCF" : root == "sdf" ? "SDF" : root == "OpenDRIVE" ? root : "";
}

/// Place of the element that a path of the model lies in.
SourcePlace placeOf(const ImportedModel& model, std::string path, const std::string& file) {
  while (!path.empty()) {
    if (const auto found = model.places.find(path); found != model.places.end()) return found->second;
    const std::size_t last = path.find_last_of(".[");
    path.resize(last == std::string::npos ? 0 : last);
  }
  return {file, 0, ""};
}

/// Place of the road that a path of the model lies in: roads[3].line.points[7].
SourcePlace placeOf(const std::vector<SourcePlace>& roads, const std::string& path, const std::string& file) {
  constexpr std::string_view kRoads = "roads[";
  std::size_t index = roads.size();
  if (path.starts_with(kRoads)) std::from_chars(path.data() + kRoads.size(), path.data() + path.size(), index);
  return index < roads.size() ? roads[index] : SourcePlace{file, 0, ""};
}

/// Loops that the starts of the joints leave open: the assembly closes them, or the starts are refused.
void closeLoops(const std::vector<OpenLoop>& loops, const rt::ModelSpec& spec, ImportReport& report) {
  if (loops.empty() || report.failed()) return;
  std::string why;
  try {
    rt::initialState(rt::buildModel(spec));
  } catch (const Error& error) { why = error.what(); }
  for (const OpenLoop& loop : loops) {
    const std::string gap = rt::printed(loop.gap) + " m apart where the joints start";
    if (why.empty())
      report.approximated(loop.place, LossEffect::kMotion,
                          "its points are " + gap + "; a run begins with the bodies moved until they meet");
    else
      report.error(loop.place, "points " + gap, "must meet, or be moved together by the assembly of the initial state",
                   "give all joints of the loop starts that close it, --start JOINT=VALUE; " + why);
  }
}

/// Roads alone: the rules of a model hold for them beside a body that the model does not get.
void readRoads(const std::string& path, const XmlNode& root, const ImportOptions& options, ImportedFile& imported) {
  ImportReport& report = imported.report;
  const std::vector<SourcePlace> places = readOpenDrive(root, options.roads, imported.message);
  imported.message.set_name(asName(std::filesystem::path(path).stem().string()));
  if (!report.failed()) {
    v1::Model probe = imported.message;
    v1::Body& body = *probe.add_bodies();
    body.set_name("probe");
    body.set_mass(1);
    body.mutable_inertia()->set_xx(1);
    body.mutable_inertia()->set_yy(1);
    body.mutable_inertia()->set_zz(1);
    for (const LocatedFinding& located : readModelMessage(probe).findings)
      if (located.finding.severity == rt::Severity::kError)
        report.error(placeOf(places, located.finding.path, path), located.finding.path + " = " + located.finding.value,
                     located.finding.rule, located.finding.hint);
  }
  report.sort();
}

}  // namespace

ImportedFile importFile(const std::string& path, const ImportOptions& options) {
  ImportedFile imported;
  ImportReport& report = imported.report;
  if (const std::string ending = std::filesystem::path(path).extension().string();
      ending == ".tir" || ending == ".TIR") {
    report.error({path, 0, ""}, "", "must be URDF, MJCF, SDF or OpenDRIVE, not a file of a tyre",
                 "tactus model import-tyre reads it");
    return imported;
  }
  XmlTree tree(path, report);
  const std::optional<XmlNode> root = tree.root();
  imported.format = root ? formatOf(root->tag()) : "";
  if (imported.format == "OpenDRIVE") {
    readRoads(path, *root, options, imported);
    return imported;
  }
  LinkTree links;
  std::filesystem::path mesh_folder;
  if (imported.format == "URDF") {
    links = readUrdf(*root, options.free_base);
  } else if (imported.format == "MJCF") {
    tree.resolveIncludes("include");
    links = readMjcf(*root, options.drop_tendons, mesh_folder);
  } else if (imported.format == "SDF") {
    links = readSdf(*root);
  } else if (root) {
    root->refuse("", "must be robot (URDF), mujoco (MJCF), sdf (SDF) or OpenDRIVE: the root element tells the format");
  }
  if (!report.failed()) {
    if (links.name.empty()) links.name = std::filesystem::path(path).stem().string();
    ImportedModel model = makeModel(links, options, report);
    if (model.spec.bodies.empty() && !report.failed())
      root->refuse("no moving link", "must have a link that moves: what is fixed to ground is part of it",
                   imported.format == "URDF" && !options.free_base ? "--base free lets the root move" : "");
    if (!report.failed()) {
      imported.message = toProto(model.spec);
      readImportedMeshes(path, mesh_folder, model.places, imported.message, report);
      const ModelDocument document = readModelMessage(imported.message);
      for (const LocatedFinding& located : document.findings)
        if (located.finding.severity == rt::Severity::kError)
          report.error(placeOf(model, located.finding.path, path), located.finding.path + " = " + located.finding.value,
                       located.finding.rule, located.finding.hint);
      closeLoops(model.open_loops, document.spec, report);
    }
  }
  report.sort();
  return imported;
}

}  // namespace tactus::server
