#include "rt/model/elements/road_mark.h"

#include "rt/model/rules.h"

#include <cmath>
#include <string>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxMarks = 4096, kMaxMarkPoints = 200'000;  ///< of a road: a picture shows all of them
constexpr double kShortestPiece = 0.1;                             ///< a dash and the gap behind it, m

}  // namespace

Fields RoadMarkSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RoadMarkSpec::points>(
          "points", "Way along the road and position to its left, point by point.",
          {.unit = "m", .range = Range::kFinite, .rule = "2 or more points, the way rising from each to the next"}),
      field<&RoadMarkSpec::width>("width", "Width of the line.", {.unit = "m", .range = Range::kPositive}),
      field<&RoadMarkSpec::color>("color", "Red, green and blue.",
                                  {.unit = "1", .otherwise = "white", .rule = "0 to 1"}),
      field<&RoadMarkSpec::dash>("dash", "Length of the painted pieces; 0: the line has no gaps.",
                                 {.unit = "m", .range = Range::kNotNegative}),
      field<&RoadMarkSpec::gap>(
          "gap", "Length of the gaps between the painted pieces.",
          {.unit = "m", .range = Range::kNotNegative, .rule = "dash and gap together 0.1 m or more"}),
  };
  return kFields;
}

void checkRoadMarks(const std::vector<RoadMarkSpec>& marks, const FindingPlace& at) {
  if (marks.size() > kMaxMarks)
    at.error(".marks", std::to_string(marks.size()) + " elements", "must be at most " + std::to_string(kMaxMarks));
  std::size_t points = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const RoadMarkSpec& mark = marks[i];
    const FindingPlace here = at.within('.' + element("marks", i));
    const std::size_t count = mark.points.size();
    points += count / 2;
    if (count % 2 != 0 || count < 4)
      here.error(".points", std::to_string(count) + " numbers", "must be way and position of 2 or more points");
    for (std::size_t k = 2; k + 1 < count; k += 2)
      if (!(mark.points[k] > mark.points[k - 2])) {
        here.error('.' + element("points", k), printed(mark.points[k]),
                   "must be farther along the road than the point before");
        break;
      }
    if (mark.color && !(mark.color->minCoeff() >= 0 && mark.color->maxCoeff() <= 1))
      here.error(".color", printed(*mark.color), "must be red, green and blue from 0 to 1", "for example [1, 0.8, 0]");
    if (mark.dash == 0 && mark.gap > 0)
      here.error(".gap", printed(mark.gap), "must be 0 for a line without dashes", "give dash, too");
    if (mark.dash > 0 && mark.dash + mark.gap < kShortestPiece)
      here.error(".dash", printed(mark.dash), "must be 0.1 m or more together with gap");
  }
  if (points > kMaxMarkPoints)
    at.error(".marks", std::to_string(points) + " points",
             "must have at most " + std::to_string(kMaxMarkPoints) + " in all");
}

}  // namespace tactus::rt
