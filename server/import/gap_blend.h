// Closes the gaps of a line that is put together of pieces, and counts the way along what comes of it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace tactus::server {

constexpr double kBlendReach = 2;  ///< on each side of a gap, m
/// A smaller gap stays: the rule of a model for the distance of points leaves room for hundreds in one distance.
constexpr double kNoGap = 1e-6;  ///< m

/// A place where the piece after it does not begin where the piece before it ends.
struct LineGap {
  double way = 0;       ///< m
  double x = 0, y = 0;  ///< from the end of the piece before it to the start of the other, m
  double before = kBlendReach, after = kBlendReach;  ///< how far the pieces bend to each other, above zero, m

  /// Leaves the ends of a line where they are.
  void stayWithin(double length) {
    before = std::min(before, way);
    after = std::min(after, length - way);
  }
  /// The part of the gap that a point beside it moves by. It falls to zero with the slope zero at the end of the reach;
  /// at the gap both sides meet with one direction.
  double share(bool is_after, double distance) const {
    const double reach = is_after ? after : before, inwards = 1 - distance / reach;
    const double part = inwards > 0 ? reach / (before + after) * inwards * inwards : 0;
    return is_after ? -part : part;
  }
};

/// Ways along a line with closed gaps, beside the ways of its file, which count the pieces alone. A gap that points
/// along the line makes it longer, one against it shorter. Away from gaps both ways differ by a constant.
class BlendedWay {
 public:
  /// @param gaps   places of the gaps, m
  /// @param chord  length of the line with closed gaps between two places that are at most 0.125 m apart
  BlendedWay(std::vector<double> gaps, double length, const std::function<double(double from, double to)>& chord);

  double length() const { return ofFile(length_); }
  /// From a way of the file; without gaps the same number.
  double ofFile(double way) const;
  /// To a way of the file.
  double toFile(double way) const;

 private:
  double length_;                    ///< of the file, m
  std::vector<double> file_, line_;  ///< ways at the same places, rising; empty without gaps
};

}  // namespace tactus::server
