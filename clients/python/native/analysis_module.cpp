#include "clients/python/native/analysis_module.h"

#include "clients/engine/engine_setup.h"
#include "clients/engine/refusal.h"
#include "clients/python/native/analysis.h"
#include "clients/python/native/message_source.h"
#include "clients/python/native/pickled.h"
#include "rt/offline/analysis/frequency_response.h"
#include "rt/offline/analysis/modes.h"
#include "rt/offline/integrator.h"
#include "rt/state/actuator_input.h"
#include "rt/utf8.h"

#include <google/protobuf/util/json_util.h>
#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace py = pybind11;

namespace tactus::python {
namespace {

using engine::Refusal;
using rt::offline::Mode;

// Ctrl-C ends a block within this time.
constexpr std::chrono::milliseconds kSignalInterval{20};
constexpr std::chrono::milliseconds kPatience{100};

/// A copy of a matrix as an array, row by row.
template <class T, class Matrix>
py::array_t<T> tableOf(const Matrix& matrix) {
  py::array_t<T> table({static_cast<py::ssize_t>(matrix.rows()), static_cast<py::ssize_t>(matrix.cols())});
  auto view = table.template mutable_unchecked<2>();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) view(r, c) = matrix(r, c);
  return table;
}

template <class T, class Vector>
py::array_t<T> rowOf(const Vector& values) {
  py::array_t<T> row(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), row.mutable_data());
  return row;
}

/// What `work` returns. It runs in a thread of its own, without the lock of the interpreter, while this thread looks
/// now and then: what `look` throws, by Ctrl-C or otherwise, sets the flag and becomes the exception of the call. The
/// call does not wait longer than kPatience for work that is within a factorization of seconds: the thread ends by
/// itself.
template <class Result>
Result interruptible(const std::function<void()>& look, OwnWork<Result> work) {
  const auto interrupt = std::make_shared<std::atomic<bool>>(false);
  const py::gil_scoped_release released;
  std::packaged_task<Result()> task([interrupt, work = std::move(work)] { return work(*interrupt); });
  std::future<Result> result = task.get_future();
  std::thread thread(std::move(task));
  try {
    while (result.wait_for(kSignalInterval) != std::future_status::ready) look();
  } catch (...) {
    *interrupt = true;
    result.wait_for(kPatience) == std::future_status::ready ? thread.join() : thread.detach();
    throw;
  }
  thread.join();
  return result.get();
}

py::list modesOf(const LinearPoint& point) {
  const auto modes = interruptible<std::vector<Mode>>(
      lookForSignals(), [system = point.system](const std::atomic<bool>&) { return rt::offline::modesOf(system); });
  py::list list;
  for (const Mode& mode : modes)
    list.append(py::make_tuple(rt::offline::toString(mode), mode.eigenvalue, mode.omega, mode.damping,
                               rowOf<std::complex<double>>(mode.shape), rowOf<std::complex<double>>(mode.state)));
  return list;
}

py::array_t<std::complex<double>> responseOf(const LinearPoint& point, const std::vector<double>& omega) {
  const auto response = interruptible<std::vector<Eigen::MatrixXcd>>(
      lookForSignals(), [system = point.system, omega](const std::atomic<bool>&) {
        return rt::offline::frequencyResponse(system, omega);
      });
  const auto rows = point.system.D.rows(), columns = point.system.B.cols();
  py::array_t<std::complex<double>> table(
      {static_cast<py::ssize_t>(omega.size()), static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
  auto view = table.mutable_unchecked<3>();
  for (std::size_t k = 0; k < response.size(); ++k)
    for (Eigen::Index r = 0; r < rows; ++r)
      for (Eigen::Index c = 0; c < columns; ++c) view(static_cast<py::ssize_t>(k), r, c) = response[k](r, c);
  return table;
}

py::list statesOf(const LinearPoint& point) {
  py::list states;
  for (const rt::offline::LinearState& state : point.system.states)
    states.append(py::make_tuple(state.name, state.unit));
  return states;
}

/// A model in the form of a JSON model file, with the content of all files that it names.
std::string modelContent(const std::string& model, const std::optional<std::string>& folder) {
  const server::ModelDocument document = openModel(model, folder);
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(document.message, &json, options).ok())
    throw engine::Refusal("MODEL_INVALID", "model", "\"" + model + "\" cannot be written as JSON");
  return json;
}

/// A model before a run of a method of rt/offline: without the period, the solver and the initial state of a tick, for
/// which it may be unfit.
struct BuiltModel {
  BuiltModel(const std::string& name, const std::optional<std::string>& folder,
             const std::vector<std::pair<std::string, double>>& parameters)
      : model(MessageSource(openModel(name, folder)).build(valuesOf(parameters))) {}

  static engine::ParameterValues valuesOf(const std::vector<std::pair<std::string, double>>& pairs) {
    engine::ParameterValues values;
    for (const auto& [name, value] : pairs) values.push_back({name, value});
    return values;
  }

  const std::shared_ptr<const rt::Model> model;
};

/// The findings on a model given as JSON.
py::list check(const std::string& json, const std::string& folder) {
  py::list findings;
  const auto add = [&](const server::LocatedFinding& located) {
    const rt::Finding& f = located.finding;
    findings.append(py::make_tuple(f.severity == rt::Severity::kError ? "error" : "warning", located.line,
                                   rt::validText(placeOf(located)), rt::validText(f.value), rt::validText(f.rule),
                                   rt::validText(f.hint)));
  };
  const server::ModelDocument document = openModel(json, folder);
  for (const server::LocatedFinding& located : document.findings) add(located);
  if (!document.valid()) return findings;
  try {
    MessageSource(document).build({});
  } catch (const Refusal& refusal) {
    for (const server::LocatedFinding& located : refusal.findings()) add(located);
  }
  return findings;
}

/// The same as lookForSignals(), and calls a function of Python.
/// @param[in] also  outlives what is returned
std::function<void()> lookAndCall(const py::object& also) {
  return [&also, signals = lookForSignals()] {
    signals();
    const py::gil_scoped_acquire held;
    if (!also.is_none()) also();
  };
}

/// A method of rt/offline.
/// @param[in] look  None, or called now and then; what it raises ends the run
/// @returns model, signals, times, values, figures of the run
py::tuple offline(const std::string& model, const std::optional<std::string>& folder, const std::string& method,
                  const std::vector<std::string>& settings, std::int64_t step_ns, std::int64_t until_ns,
                  const std::vector<std::pair<std::string, double>>& parameters, const std::string& initial_condition,
                  const py::array_t<double, py::array::c_style | py::array::forcecast>& rows,
                  const std::vector<std::string>& signals, std::int64_t every, const py::object& look) {
  MethodOptions options{
      method,  settings, step_ns, until_ns, {}, initial_condition, {rows.data(), rows.data() + rows.size()},
      signals, every};
  options.parameters = BuiltModel::valuesOf(parameters);
  const MethodRun run = interruptible<MethodRun>(
      lookAndCall(look), [model, folder, options = std::move(options)](const std::atomic<bool>& interrupt) {
        return runMethod(openModel(model, folder), options, interrupt);
      });
  py::list directory;
  for (const rt::Signal& signal : run.signals) directory.append(py::make_tuple(signal.name, signal.unit));
  py::array_t<double> values(
      {static_cast<py::ssize_t>(run.times.size()), static_cast<py::ssize_t>(run.signals.size())});
  std::copy(run.values.begin(), run.values.end(), values.mutable_data());
  using namespace py::literals;
  const rt::offline::Trajectory& t = run.trajectory;
  const py::dict figures("steps"_a = t.statistics.steps, "failure"_a = t.failure, "energy_drift"_a = t.energy_drift,
                         "position_violation"_a = t.worst_position, "velocity_violation"_a = t.worst_velocity,
                         "acceleration_violation"_a = t.worst_acceleration);
  return py::make_tuple(run.model, directory, rowOf<double>(run.times), values, figures);
}

}  // namespace

std::function<void()> lookForSignals() {
  return [next = std::chrono::steady_clock::now() + kSignalInterval]() mutable {
    if (std::chrono::steady_clock::now() < next) return;
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    next = std::chrono::steady_clock::now() + kSignalInterval;
  };
}

py::object pythonLinearize(Engine& engine, const std::vector<std::string>& outputs,
                           const std::array<double, 3>& turning, const std::vector<std::string>& inputs) {
  return py::cast(interruptible<LinearPoint>(lookForSignals(), linearizationOf(engine, outputs, turning, inputs)));
}

py::object pythonPose(Engine& engine) {
  const PoseRank pose = interruptible<PoseRank>(lookForSignals(), poseOf(engine));
  return py::make_tuple(pose.rows, pose.rank, pose.freedoms, pose.singular, pose.singular_values);
}

py::object pythonEquilibrium(Engine& engine, int load_steps) {
  return py::cast(interruptible<EquilibriumPoint>(lookForSignals(), equilibriumOf(engine, load_steps)));
}

py::object pythonTrim(Engine& engine, const std::vector<std::pair<std::string, double>>& required,
                      const std::vector<std::string>& free, bool moving) {
  return py::cast(interruptible<TrimPoint>(lookForSignals(), trimOf(engine, required, free, moving)));
}

std::vector<double> pythonSensitivity(std::shared_ptr<Engine> engine, SensitivityRequest request,
                                      std::function<void()> finished) {
  return interruptible<std::vector<double>>(lookForSignals(),
                                            [engine = std::move(engine), request = std::move(request),
                                             finished = std::move(finished)](const std::atomic<bool>& interrupt) {
                                              struct AtEnd {
                                                const std::function<void()>& call;
                                                ~AtEnd() { call(); }
                                              } const at_end{finished};
                                              SensitivityRequest own = request;
                                              own.look = [&] { requireNot(interrupt); };
                                              return sensitivityAlong(*engine, own);
                                            });
}

void addAnalyses(py::module_& module) {
  py::class_<LinearPoint>(module, "LinearPoint", "A linear system; see tactus.LinearSystem.")
      .def_property_readonly("A", [](const LinearPoint& self) { return tableOf<double>(self.system.A); })
      .def_property_readonly("B", [](const LinearPoint& self) { return tableOf<double>(self.system.B); })
      .def_property_readonly("C", [](const LinearPoint& self) { return tableOf<double>(self.system.C); })
      .def_property_readonly("D", [](const LinearPoint& self) { return tableOf<double>(self.system.D); })
      .def_property_readonly("state", [](const LinearPoint& self) { return rowOf<double>(self.system.state); })
      .def_property_readonly("rate", [](const LinearPoint& self) { return rowOf<double>(self.system.rate); })
      .def_property_readonly("output", [](const LinearPoint& self) { return rowOf<double>(self.system.output); })
      .def_property_readonly("states", &statesOf)
      .def_property_readonly("inputs", [](const LinearPoint& self) { return self.system.inputs; })
      .def_property_readonly("outputs", [](const LinearPoint& self) { return self.outputs; })
      .def_property_readonly("output_units", [](const LinearPoint& self) { return self.output_units; })
      .def_property_readonly("coordinates", [](const LinearPoint& self) { return self.system.coordinates; })
      .def_readonly("tick", &LinearPoint::tick)
      .def_readonly("state_hash", &LinearPoint::state_hash)
      .def_property_readonly("redundant_rows", [](const LinearPoint& self) { return self.system.redundant_rows; })
      .def_property_readonly("unrest", [](const LinearPoint& self) { return unrestOf(self.system).rate; })
      .def("modes", &modesOf)
      .def("response", &responseOf)
      .def(py::pickle([](const LinearPoint& self) { return pickledOf(self); }, &pointOf));
  py::class_<EquilibriumPoint>(module, "EquilibriumPoint", "A pose at rest; see tactus.Equilibrium.")
      .def_readonly("saved", &EquilibriumPoint::saved)
      .def_property_readonly("residual", [](const EquilibriumPoint& self) { return self.found.residual; })
      .def_property_readonly("violation", [](const EquilibriumPoint& self) { return self.found.violation; })
      .def_property_readonly("freedoms", [](const EquilibriumPoint& self) { return self.found.freedoms; })
      .def_property_readonly("redundant_rows", [](const EquilibriumPoint& self) { return self.found.redundant_rows; })
      .def_property_readonly("indifferent", [](const EquilibriumPoint& self) { return self.found.indifferent; })
      .def_property_readonly("unstable", [](const EquilibriumPoint& self) { return self.found.unstable; })
      .def_property_readonly("singular",
                             [](const EquilibriumPoint& self) { return self.found.singular_rank.has_value(); });
  py::class_<TrimPoint>(module, "TrimPoint", "A trim; see tactus.Trim.")
      .def_readonly("saved", &TrimPoint::saved)
      .def_readonly("out_of_range", &TrimPoint::out_of_range)
      .def_property_readonly("inputs", [](const TrimPoint& self) { return self.found.input; })
      .def_property_readonly("residual", [](const TrimPoint& self) { return self.found.residual; })
      .def_property_readonly("iterations", [](const TrimPoint& self) { return self.found.iterations; })
      .def_property_readonly("turning", [](const TrimPoint& self) {
        return py::make_tuple(self.found.turning.x(), self.found.turning.y(), self.found.turning.z());
      });
  py::class_<BuiltModel>(module, "BuiltModel", "A model before a run of a reference method; see tactus.offline.")
      .def(py::init<const std::string&, const std::optional<std::string>&,
                    const std::vector<std::pair<std::string, double>>&>(),
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("hash", [](const BuiltModel& self) { return rt::formatHash(self.model->hash); })
      .def_property_readonly("actuators", [](const BuiltModel& self) { return self.model->actuator_names; })
      .def_property_readonly("inputs", [](const BuiltModel& self) { return rt::ActuatorInput(*self.model).values; })
      .def("actuator",
           [](const BuiltModel& self, const std::string& name) { return engine::actuatorOf(*self.model, name); })
      .def("initial_condition", [](const BuiltModel& self, const std::string& name) {
        return engine::initialConditionOf(*self.model, name);
      });
  module.def("check", &check);
  module.def("model_content", &modelContent);
  module.def("offline", &offline);
  module.def("integrators", [] {
    std::vector<std::string> names;
    for (const rt::offline::Method& method : rt::offline::methods()) names.push_back(method.name);
    return names;
  });
}

}  // namespace tactus::python
