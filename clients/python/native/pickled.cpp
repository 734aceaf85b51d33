#include "clients/python/native/pickled.h"

#include "clients/engine/refusal.h"
#include "server/build_info.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace tactus::python {

namespace {

using engine::Refusal;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values to bytes.
class Writer {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (add(values), ...);
  }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  void add(const Plain auto& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class List>
  requires requires(const List& list) { list.size(); }
  void add(const List& list) {
    add(list.size());
    for (const auto& value : list) add(value);
  }

  std::string bytes_;
};

/// Takes the same values from the bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  void requireEnd() const {
    if (!rest_.empty()) throw damaged();
  }

 private:
  static Refusal damaged() {
    return Refusal("SNAPSHOT_INCOMPATIBLE", "saved", "the bytes of the saved state are damaged",
                   "make them again with pickle.dumps");
  }
  void take(Plain auto& value) {
    if (rest_.size() < sizeof value) throw damaged();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  template <class List>
  requires requires(List& list) { list.resize(0); }
  void take(List& list) {
    std::size_t size = 0;
    take(size);
    if (size > rest_.size()) throw damaged();  // each value has a byte or more
    list.resize(size);
    for (auto& value : list) take(value);
  }

  std::string_view rest_;
};

// All values of a saved state, once for both directions: `visit` is a Writer or a Reader. The bindings name each
// member: one more does not compile.

template <class Visit, class Report>
void visitReport(Visit& visit, Report& report) {
  auto& [status, converged, iterations, factorizations, limited, increment, contraction, residual, position, velocity,
         acceleration, projection] = report;
  visit(status, converged, iterations, factorizations, limited, increment, contraction, residual, position, velocity,
        acceleration, projection);
}

template <class Visit, class Header>
void visitHeader(Visit& visit, Header& header) {
  auto& [tick, sim_time_ns, publish_time_ns, input_sequence, input_first_tick, overrun, input_held, faulted, epoch,
         input_mode, input_loss, group_modes, taken_inputs, model_version, report] = header;
  visit(tick, sim_time_ns, publish_time_ns, input_sequence, input_first_tick, overrun, input_held, faulted, epoch,
        input_mode, model_version);
  for (auto& group : input_loss) {
    auto& [armed, lost, commanded, latched, heard_tick, since_tick] = group;
    visit(armed, lost, commanded, latched, heard_tick, since_tick);
  }
  for (auto& mode : group_modes) visit(mode);
  for (auto& input : taken_inputs) {
    auto& [holder, sequence, first_tick] = input;
    visit(holder, sequence, first_tick);
  }
  visitReport(visit, report);
}

template <class Visit, class Settings>
void visitSettings(Visit& visit, Settings& settings) {
  visit(settings.period_ns);
  rt::forEachSetting([&](const rt::SettingInfo&, auto member) { visit(settings.*member); });
}

std::string thisBuild() {
  const server::BuildInfo& build = server::buildInfo();
  std::string text;
  for (const char* part : {build.version, build.commit, build.compiler, build.flags, build.instruction_set})
    text.append(part).append("\n");
  return text;
}

}  // namespace

py::tuple pickledOf(const SavedState& saved) {
  Writer write;
  visitHeader(write, saved.snapshot.header);
  write(saved.snapshot.state, saved.snapshot.inputs, saved.snapshot.input_history);
  write(saved.parameters.size());
  for (const engine::ParameterValue& parameter : saved.parameters) write(parameter.name, parameter.value);
  write(saved.model_hash);
  visitSettings(write, saved.settings);
  return py::make_tuple(thisBuild(), py::bytes(write.bytes()));
}

SavedState savedOf(const py::tuple& pickled) {
  if (pickled[0].cast<std::string>() != thisBuild())
    throw Refusal("SNAPSHOT_INCOMPATIBLE", "saved", "the saved state comes from another build of Tactus",
                  "use one build in all processes, and keep states in files with Session.save_snapshot");
  const std::string bytes = pickled[1].cast<std::string>();
  Reader read(bytes);
  SavedState saved;
  visitHeader(read, saved.snapshot.header);
  read(saved.snapshot.state, saved.snapshot.inputs, saved.snapshot.input_history);
  std::size_t parameters = 0;
  read(parameters);
  for (std::size_t k = 0; k < parameters; ++k) {
    engine::ParameterValue parameter;
    read(parameter.name, parameter.value);
    saved.parameters.push_back(std::move(parameter));
  }
  read(saved.model_hash);
  visitSettings(read, saved.settings);
  read.requireEnd();
  return saved;
}

// Without the coordinates that were chosen: neither modes nor responses need them.
py::tuple pickledOf(const LinearPoint& point) {
  const rt::offline::LinearSystem& system = point.system;
  std::vector<std::pair<std::string, std::string>> states;
  for (const rt::offline::LinearState& state : system.states) states.emplace_back(state.name, state.unit);
  return py::make_tuple(states, system.inputs, system.coordinates, system.state, system.rate, system.A, system.B,
                        system.C, system.D, system.output, system.motion, system.rank, system.redundant_rows,
                        point.outputs, point.output_units, point.tick, point.state_hash);
}

LinearPoint pointOf(const py::tuple& pickled) {
  LinearPoint point;
  rt::offline::LinearSystem& system = point.system;
  std::vector<std::pair<std::string, std::string>> states;
  std::size_t k = 0;
  const auto take = [&]<class T>(T& value) { value = pickled[k++].template cast<T>(); };
  take(states);
  for (auto& [name, unit] : states) system.states.push_back({std::move(name), std::move(unit)});
  take(system.inputs), take(system.coordinates), take(system.state), take(system.rate);
  take(system.A), take(system.B), take(system.C), take(system.D);
  take(system.output), take(system.motion), take(system.rank), take(system.redundant_rows);
  take(point.outputs), take(point.output_units), take(point.tick), take(point.state_hash);
  return point;
}

}  // namespace tactus::python
