// What a comparison of two runs judges: every measured quantity of every body, joint, force element and sensor, each on
// a scale of its own.
//
// An error counts as a share of its limit, tolerance x scale. No scale is a mean over the mechanism:
//
//   position, travel, length    the way of this body or joint in the reference, at least a fifth of the body's size
//   rotation, angle             the turn from the start in the reference, at least 0.2 rad and at most 20 rad, about
//                               three turns: a later phase matters as much
//   velocity, rate              its change in the reference, at least 0.2 sizes or 0.2 rad over the duration
//   reaction, load              its peak in the reference, at least a tenth of the largest load on one of its bodies,
//                               that with the smaller one: the reaction balances it; of a force element, of its own.
//                               The largest load on a body is above round-off also in balance without gravity
//   sensor                      as the quantity that it measures
//
// The error of a coordinate is its maximum over the samples. A velocity may jump at a stop: an error at one sample
// alone does not count. Forces, torques and accelerations may peak for a moment where a law or a road has a kink, with
// an error of order 1: their error is the root of the mean square over the samples.
//
// The size of a body is its radius of gyration, or the distance from its mass center to its farthest joint.
#pragma once

#include "rt/offline/core/trajectory.h"
#include "rt/signals/signal_reader.h"
#include "server/batch/tolerances.h"

#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// The values of all signals of a run but constraint norms and solver figures, sample by sample.
struct Series {
  std::vector<double> t;                    ///< s
  std::vector<std::vector<double>> values;  ///< by sample, then by signal
};

/// Reads trajectories of one model.
class SeriesReader {
 public:
  explicit SeriesReader(const rt::Model& model);

  const rt::SignalDirectory& directory() const { return directory_; }
  const std::vector<int>& indices() const { return indices_; }  ///< of the signals of a Series
  int find(const std::string& signal) const;                    ///< place in a Series, or -1
  Series read(const rt::offline::Trajectory& trajectory);

 private:
  const rt::Model& model_;
  rt::SignalDirectory directory_;
  std::vector<int> indices_;
  std::vector<int> places_;  ///< of each signal of the directory in a Series, or -1
  rt::SignalReader reader_;
};

/// One quantity that is judged.
struct Measure {
  Kind kind = Kind::kPosition;
  std::string name, unit;
  std::vector<int> signals;  ///< components, places in a Series
  bool rotation = false;     ///< Euler parameters: the difference is an angle
  /// Whether it may jump: an error at one sample alone can be the shift of an event by less than a sample.
  bool may_jump = false;
  bool mean_square = false;  ///< of forces, torques and accelerations
  /// Samples at which it jumps in the reference, too: a difference there says on which side of the jump a method is.
  std::vector<std::size_t> jumps;
  double scale = 0;          ///< in its unit
  std::string unjudged;      ///< why it is only shown; else empty
  double unjudged_from = 0;  ///< s, the first pose at which the motion does not determine it; of no use if judged
};

/// Where accelerations jump because the table of a drive begins or ends, s, rising.
std::vector<double> tableEnds(const rt::Model& model);

/// The measures of a model, with their scales from a reference over a duration.
/// @param[in] first_not_unique  of each joint, see firstNotUnique()
std::vector<Measure> measuresOf(const rt::Model& model, const SeriesReader& reader, const Series& reference,
                                double duration, const std::vector<double>& first_not_unique);

/// Raises scales to those of the same measures from another run, and takes its jumps if it came farther.
void widenScales(std::vector<Measure>& measures, const std::vector<Measure>& other);

/// Differences of a measure between two runs over their common samples, one for each sample after the start.
std::vector<double> differences(const Measure& measure, const Series& a, const Series& b);

/// The error of a measure: the maximum of its differences, or the root of their mean square.
double errorOf(const Measure& measure, const std::vector<double>& differences);

}  // namespace tactus::server
