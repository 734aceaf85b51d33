#include "server/batch/measure.h"

#include "rt/model/model.h"

namespace tactus::server {
namespace {

std::vector<int> judgedSignals(const rt::SignalDirectory& directory) {
  std::vector<int> indices;
  for (int i = 0; i < static_cast<int>(directory.signals().size()); ++i) {
    // Constraint norms and solver figures describe the method, not the motion.
    const std::string& name = directory.signals()[static_cast<std::size_t>(i)].name;
    if (name.rfind("constraint.", 0) != 0 && name.rfind("solver.", 0) != 0) indices.push_back(i);
  }
  return indices;
}

}  // namespace

SeriesReader::SeriesReader(const rt::Model& model)
    : model_(model),
      directory_(model),
      indices_(judgedSignals(directory_)),
      places_(directory_.signals().size(), -1),
      reader_(directory_, indices_) {
  for (std::size_t k = 0; k < indices_.size(); ++k)
    places_[static_cast<std::size_t>(indices_[k])] = static_cast<int>(k);
}

int SeriesReader::find(const std::string& signal) const {
  const int i = directory_.find(signal);
  return i < 0 ? -1 : places_[static_cast<std::size_t>(i)];
}

Series SeriesReader::read(const rt::offline::Trajectory& trajectory) {
  Series series;
  rt::Snapshot snapshot(model_);
  for (const rt::offline::Sample& sample : trajectory.samples) {
    snapshot.state = sample.state;
    snapshot.inputs = sample.inputs;
    series.t.push_back(sample.t);
    reader_.read(snapshot, series.values.emplace_back(indices_.size()));
  }
  return series;
}

}  // namespace tactus::server
