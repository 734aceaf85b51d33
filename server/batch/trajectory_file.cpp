#include "server/batch/trajectory_file.h"

#include "proto/text/replaced_file.h"
#include "rt/error.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tactus::server {

namespace {

void requireName(const std::string& path) {
  if (!path.ends_with(".csv")) throw Error(path + ": trajectories are written as .csv");
}

}  // namespace

TrajectoryFile::TrajectoryFile(const std::string& path, const rt::SignalDirectory& directory, std::vector<int> signals)
    : path_(path), reader_(directory, std::move(signals)), values_(reader_.indices().size()) {
  requireName(path);
  file_.reset(std::fopen(path.c_str(), "w"));
  require(file_ != nullptr);
  bool written = std::fputs("t", file_.get()) >= 0;
  for (const int i : reader_.indices())
    written =
        std::fprintf(file_.get(), ",%s", directory.signals()[static_cast<std::size_t>(i)].name.c_str()) > 0 && written;
  require(written);
}

void TrajectoryFile::requireWritable(const std::string& path) {
  requireName(path);
  try {
    text::requireReplaceable(path);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
}

void TrajectoryFile::addColumns(const std::vector<std::string>& names) {
  for (const std::string& name : names) require(std::fprintf(file_.get(), ",%s", name.c_str()) > 0);
}

void TrajectoryFile::endHead() {
  if (head_) require(std::fputc('\n', file_.get()) != EOF);
  head_ = false;
}

void TrajectoryFile::append(const rt::Snapshot& snapshot, const std::vector<double>& more) {
  endHead();
  reader_.read(snapshot, values_);
  bool written = std::fprintf(file_.get(), "%.17g", static_cast<double>(snapshot.header.sim_time_ns) * 1e-9) > 0;
  for (const std::vector<double>* part : {&std::as_const(values_), &more})
    for (const double value : *part) written = std::fprintf(file_.get(), ",%.17g", value) > 0 && written;
  require(written && std::fputc('\n', file_.get()) != EOF);
}

void TrajectoryFile::close() {
  endHead();
  require(std::fclose(file_.release()) == 0);
}

void TrajectoryFile::require(bool written) const {
  if (!written) throw Error(path_ + ": " + std::strerror(errno));
}

}  // namespace tactus::server
