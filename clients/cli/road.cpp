#include "clients/cli/road.h"

#include "clients/cli/remote.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::client {
namespace {

struct RoadChoices : RemoteChoices {
  std::string road;
  std::vector<std::string> points;
};

/// "1.5,-2" or "1.5,-2,0.3" as three numbers.
std::optional<std::vector<double>> pointOf(std::string_view text) {
  std::vector<double> point;
  while (true) {
    const std::string_view word = text.substr(0, text.find(','));
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
    point.push_back(value);
    if (word.size() == text.size()) break;
    text.remove_prefix(word.size() + 1);
  }
  if (point.size() == 2) point.push_back(0);
  return point.size() == 3 ? std::optional(point) : std::nullopt;
}

std::string checkPoint(const std::string& text) {
  return pointOf(text) ? "" : "a point is X,Y or X,Y,Z in m, not \"" + text + '"';
}

void printSurface(const v1::QueryRoadResponse& surface, bool json) {
  auto list = nlohmann::ordered_json::array();
  text::Table table({"x", "y", "z", "height", "normal", "friction", "along", "across"}, "rrrrrrrr");
  for (int i = 0; i < surface.heights_size(); ++i) {
    const auto vector = [i](const auto& values) {
      return std::vector{values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    };
    const std::vector<double> point = vector(surface.points()), normal = vector(surface.normals());
    list.push_back({{"point", point},
                    {"normal", normal},
                    {"height", surface.heights(i)},
                    {"friction", surface.frictions(i)},
                    {"along", surface.along(i)},
                    {"across", surface.across(i)}});
    const auto short_text = [](double value) { return fmt::format("{:.6g}", value); };
    table.add({short_text(point[0]), short_text(point[1]), short_text(point[2]), short_text(surface.heights(i)),
               fmt::format("{:.4f} {:.4f} {:.4f}", normal[0], normal[1], normal[2]), short_text(surface.frictions(i)),
               short_text(surface.along(i)), short_text(surface.across(i))});
  }
  if (json)
    fmt::print("{}", text::jsonText({{"road", surface.road()}, {"surface", list}}));
  else
    fmt::print("{}", table.text());
}

void runRoad(const RoadChoices& choices) {
  const Client client = connect(choices);
  std::vector<double> points;
  for (const std::string& text : choices.points)
    if (const auto point = pointOf(text)) points.insert(points.end(), point->begin(), point->end());
  printSurface(chooseSession(client, choices.session).road(points, choices.road), choices.json);
}

}  // namespace

void addRoadCommand(CLI::App& app, int& exit_code) {
  auto choices = std::make_shared<RoadChoices>();
  CLI::App* command =
      addRemoteCommand(app, "road", "Show height, normal and friction of a road of a session under points", *choices);
  addSessionOption(*command, *choices);
  command->add_option("POINT", choices->points, "X,Y or X,Y,Z, world frame, m; a number below 1 begins with 0: -0.5,1")
      ->required()
      ->check(checkPoint);
  command->add_option("--road", choices->road, "Name of the road; default: the only one of the model");
  onCall(*command, exit_code, [choices] {
    runRoad(*choices);
    return text::kExitOk;
  });
}

}  // namespace tactus::client
