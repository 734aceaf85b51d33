#include "server/import/open_drive.h"

#include "rt/model/check_model.h"
#include "server/import/road_chain.h"
#include "server/import/road_links.h"
#include "server/import/tree_names.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace tactus::server {
namespace {

constexpr std::size_t kMostNamed = 20;  ///< roads in a description

/// "OpenDRIVE roads 7: North, 9 (from its end)"
std::string describe(const std::vector<Stretch>& chain) {
  std::string text = chain.size() == 1 ? "OpenDRIVE road " : "OpenDRIVE roads ";
  for (const Stretch& stretch : chain) {
    const auto before = static_cast<std::size_t>(&stretch - chain.data());
    if (before == kMostNamed) return text + " and " + std::to_string(chain.size() - before) + " more";
    if (before > 0) text += ", ";
    text += stretch.road->id();
    const std::string given = stretch.road->node().text("name", "");
    if (!given.empty()) text += ": " + given;
    if (stretch.reversed) text += " (from its end)";
  }
  return text;
}

/// "7, 9 and 30 more"
std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kMostNamed); ++i) text += (i == 0 ? "" : ", ") + ids[i];
  return ids.size() > kMostNamed ? text + " and " + std::to_string(ids.size() - kMostNamed) + " more" : text;
}

/// The first road of the file in a chain.
const DriveRoad& firstOf(const std::vector<Stretch>& chain) {
  return *std::min_element(chain.begin(), chain.end(), [](const auto& a, const auto& b) {
            return a.road < b.road;
          })->road;
}

XmlTree::Unread whyNot(const std::string& element, const std::string& attribute) {
  if (element == "explicit" || element == "sway")
    return {LossEffect::kPicture, "explicit and swaying marks are not drawn"};
  if (element == "objects" || element == "object") return {LossEffect::kPicture, "objects are not imported"};
  if (element == "shape" || element == "crossfall" || element == "crossSectionSurface" || element == "height" ||
      element == "CRG" || element == "surface")
    return {LossEffect::kMotion, "surfaces besides elevation and superelevation are not imported"};
  if (element == "include") return {LossEffect::kMotion, "is not read: put the content of that file in its place"};
  if (element == "border") return {LossEffect::kMotion, "lanes by border are not imported: give their width"};
  if (element == "junction" || element == "link" || element == "neighbor" || element == "signals" ||
      element == "controller" || element == "railroad" || element == "type" || element == "speed" ||
      element == "userData" || element == "header" || element == "geoReference" || element == "rule" ||
      element == "access" || element == "junctionGroup" || element == "station" || element == "dataQuality")
    return {LossEffect::kNothing, "has no effect on tyres and is not imported"};
  if (element == "poly3") return {LossEffect::kMotion, "poly3 is not imported: write it as paramPoly3"};
  if (!attribute.empty()) return {LossEffect::kNothing, "is no attribute that is imported"};
  return {LossEffect::kNothing, "is no element that is imported"};
}

/// What moves the file as a whole on the earth is a loss.
void readHeader(const XmlNode& header) {
  for (const XmlNode& node : header.children()) {
    if (node.tag() == "offset")
      node.dropped(LossEffect::kNothing, "the roads keep the coordinates of the file: an include can move them");
    if (node.tag() == "geoReference")
      node.dropped(LossEffect::kNothing, "the place on the earth is not imported: the world frame is that of the file");
  }
  for (const char* attribute :
       {"revMajor", "revMinor", "name", "version", "date", "vendor", "north", "south", "east", "west"})
    header.markRead(attribute);
}

}  // namespace

std::vector<SourcePlace> readOpenDrive(const XmlNode& root, const std::vector<std::string>& only, v1::Model& model) {
  for (const double g : {0.0, 0.0, -9.81}) model.add_gravity(g);
  if (const auto header = root.child("header")) readHeader(*header);
  std::vector<std::string> known;
  std::map<std::string, int> lines;  // by id
  std::vector<DriveRoad> roads;
  for (const XmlNode& node : root.children("road")) {
    const std::string id = node.text("id", "");
    if (const auto [before, is_new] = lines.emplace(id, node.place().line); !is_new)
      node.error("id", "must be unique among roads", "the road in line " + std::to_string(before->second) + " has it");
    known.push_back(id);
    const std::string junction = node.text("junction", "-1");
    const bool chosen = only.empty() ? junction == "-1" : std::find(only.begin(), only.end(), id) != only.end();
    if (!chosen) {
      node.markAllRead();
      node.dropped(LossEffect::kMotion,
                   only.empty() ? "roads of junctions are imported by --road ID alone" : "was not chosen by --road");
      continue;
    }
    node.markRead();
    roads.emplace_back(node);
    if (root.report().failed()) return {};
  }
  for (const std::string& id : only)
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      const std::string nearest = rt::nearestName(id, known);
      root.refuse("--road " + id, "must be the id of a road of the file: " + listed(known),
                  nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    }
  if (roads.empty() && !root.report().failed())
    root.refuse("no road", known.empty() ? "must have a <road>" : "must have a <road> outside junctions",
                known.empty() ? "" : "--road ID takes one of a junction");

  TreeNames names;
  std::vector<SourcePlace> places;
  for (LinkedRoads& chain : chainsOf(roads)) {
    if (root.report().failed()) return {};
    const DriveRoad& first = firstOf(chain.stretches);
    places.push_back(first.node().place());
    v1::Road& road = *model.add_roads();
    road.set_name(names.take("road_" + first.id(), "", first.node().place(), root.report()));
    road.set_description(describe(chain.stretches));
    // Written although it is the default: a parameter or an override can then change it.
    road.set_friction(1);
    for (const double up : {0.0, 0.0, 1.0}) road.add_up(up);
    for (const double along : {1.0, 0.0, 0.0}) road.add_along(along);
    RoadChain(std::move(chain)).fill(road);
  }
  root.tree().reportUnread(whyNot);
  return places;
}

}  // namespace tactus::server
