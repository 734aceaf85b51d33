// The Python module tactus._native: the Engine with NumPy arrays. clients/python/tactus/simulation.py is its user.
#include "clients/engine/engine.h"
#include "clients/engine/refusal.h"
#include "clients/python/native/analysis_module.h"
#include "clients/python/native/message_source.h"
#include "clients/python/native/pickled.h"
#include "clients/python/native/sensitivity.h"
#include "rt/model/model.h"
#include "rt/utf8.h"
#include "server/build_info.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace py = pybind11;

namespace tactus::python {
namespace {

using engine::Engine;
using engine::EngineOptions;
using engine::Refusal;
using engine::SavedState;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// The exception of tactus.errors for a Refusal.
void raise(const Refusal& refusal) {
  const py::module_ errors = py::module_::import("tactus.errors");
  py::list findings;
  for (const server::LocatedFinding& located : refusal.findings()) {
    const rt::Finding& f = located.finding;
    findings.append(errors.attr("Finding")(f.severity == rt::Severity::kError ? "error" : "warning", located.line,
                                           rt::validText(placeOf(located)), rt::validText(f.value),
                                           rt::validText(f.rule), rt::validText(f.hint)));
  }
  const py::object kind = errors.attr("CLASS_OF_REASON").attr("get")(refusal.reason(), errors.attr("TactusError"));
  const bool unknown = refusal.reason().ends_with("_UNKNOWN");
  const py::object error = kind(rt::validText(refusal.what()), unknown ? "NOT_FOUND" : "INVALID_ARGUMENT",
                                refusal.reason(), refusal.field(), rt::validText(refusal.hint()), findings);
  PyErr_SetObject(kind.ptr(), error.ptr());
}

std::span<const double> spanOf(const Doubles& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// An Engine that one thread uses at a time: calls from others are refused while a block runs without the lock of the
/// interpreter.
class Simulation {
 public:
  Simulation(const std::string& model, const std::optional<std::string>& folder, std::int64_t period_ns,
             const std::vector<std::pair<std::string, double>>& settings,
             const std::vector<std::pair<std::string, double>>& parameters, const std::string& initial_condition,
             int threads)
      : engine_(std::make_shared<Engine>(
            std::make_unique<MessageSource>(openModel(model, folder)),
            EngineOptions{period_ns, changesOf(settings), valuesOf(parameters), initial_condition, threads})) {}

  Engine& engine() {
    if (*busy_)
      throw Refusal("SESSION_STATE", "simulation", "another thread runs ticks of this simulation",
                    "give each thread a simulation of its own");
    return *engine_;
  }

  void setInputs(const std::vector<int>& actuators, const Doubles& values) {
    engine().setInputs(actuators, spanOf(values));
  }

  /// @param[in] rows  of values of these actuators; refused as by run()
  void checkRows(const std::vector<int>& actuators, const Doubles& rows) {
    const Engine& engine = this->engine();
    const std::span<const double> values = spanOf(rows);
    const py::gil_scoped_release released;
    engine.requireInRange(actuators, values);
  }

  /// Ticks with held inputs. @returns ticks made
  std::int64_t step(std::int64_t ticks) {
    Engine& engine = this->engine();
    const Hold hold(*busy_);
    const Show show(*this);
    Engine::Block block{ticks, {}, {}, {}, 1, {}, {}, {}};
    if (ticks == 1) return engine.run(block);
    const py::gil_scoped_release released;
    block.look = lookForSignals();
    return engine.run(block);
  }

  /// @returns ticks made, numbers of the ticks of the outputs, and the outputs, one row for each
  py::tuple run(std::int64_t ticks, const std::vector<int>& actuators, const Doubles& rows,
                const std::vector<int>& signals, std::int64_t every) {
    Engine& engine = this->engine();
    const std::int64_t count = signals.empty() ? 0 : ticks / every;
    Doubles outputs({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(signals.size())});
    Numbers numbers(static_cast<py::ssize_t>(count));
    Engine::Block block{ticks,
                        actuators,
                        spanOf(rows),
                        signals,
                        every,
                        {outputs.mutable_data(), static_cast<std::size_t>(outputs.size())},
                        {numbers.mutable_data(), static_cast<std::size_t>(numbers.size())},
                        lookForSignals()};
    std::int64_t done = 0;
    {
      const Hold hold(*busy_);
      const Show show(*this);
      const py::gil_scoped_release released;
      done = engine.run(block);
    }
    return py::make_tuple(done, numbers, outputs);
  }

  py::object linearize(const std::vector<std::string>& outputs, const std::array<double, 3>& turning,
                       const std::vector<std::string>& inputs) {
    Engine& engine = this->engine();
    const Hold hold(*busy_);
    return pythonLinearize(engine, outputs, turning, inputs);
  }

  py::object pose() {
    Engine& engine = this->engine();
    const Hold hold(*busy_);
    return pythonPose(engine);
  }

  py::object equilibrium(int load_steps) {
    Engine& engine = this->engine();
    const Hold hold(*busy_);
    return pythonEquilibrium(engine, load_steps);
  }

  py::object trim(const std::vector<std::pair<std::string, double>>& required, const std::vector<std::string>& free,
                  bool moving) {
    Engine& engine = this->engine();
    const Hold hold(*busy_);
    return pythonTrim(engine, required, free, moving);
  }

  /// Derivatives along ticks from the present one on. @returns [row][signal][parameter]
  py::array_t<double> sensitivity(std::int64_t ticks, const std::vector<std::string>& parameters,
                                  const std::vector<double>& steps, const std::vector<int>& sides,
                                  const std::vector<std::string>& signals, const Doubles& inputs, std::int64_t every) {
    engine();
    SensitivityRequest request{
        parameters, steps, sides, signals, ticks, every, {inputs.data(), inputs.data() + inputs.size()}};
    *busy_ = true;  // until the thread of the work has ended, which Ctrl-C does not wait for
    const std::vector<double> values =
        pythonSensitivity(engine_, std::move(request), [busy = busy_] { *busy = false; });
    py::array_t<double> table({static_cast<py::ssize_t>(ticks / every), static_cast<py::ssize_t>(signals.size()),
                               static_cast<py::ssize_t>(parameters.size())});
    std::copy(values.begin(), values.end(), table.mutable_data());
    return table;
  }

  /// Calls change(engine), after which the views show its state.
  template <class Change>
  void change(Change&& change) {
    Engine& engine = this->engine();
    const Show show(*this);
    change(engine);
  }

  /// A read-only view of the values of State; it shows every later tick.
  static py::array state(const py::object& self) {
    Simulation& simulation = self.cast<Simulation&>();
    if (simulation.shown_.empty()) simulation.shown_ = simulation.engine().state().values();
    const std::vector<double>& values = simulation.shown_;
    py::array view(py::dtype::of<double>(), {static_cast<py::ssize_t>(values.size())}, {}, values.data(), self);
    py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return view;
  }

 private:
  struct Hold {
    explicit Hold(std::atomic<bool>& busy) : busy_(busy) { busy_ = true; }
    ~Hold() { busy_ = false; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    std::atomic<bool>& busy_;
  };

  /// At its end, also by an exception, the views show the state of the engine. A step exchanges the values of State
  /// with those of its workspace, and a change of parameters replaces the workspace: neither is a place for a view.
  struct Show {
    explicit Show(Simulation& simulation) : simulation_(simulation) {}
    ~Show() {
      std::vector<double>& shown = simulation_.shown_;
      if (!shown.empty()) std::copy_n(simulation_.engine_->state().values().begin(), shown.size(), shown.begin());
    }
    Show(const Show&) = delete;
    Show& operator=(const Show&) = delete;
    Simulation& simulation_;
  };

  static std::vector<rt::SettingChange> changesOf(const std::vector<std::pair<std::string, double>>& pairs) {
    std::vector<rt::SettingChange> changes;
    for (const auto& [name, value] : pairs) changes.push_back({name, value});
    return changes;
  }

 public:
  static engine::ParameterValues valuesOf(const std::vector<std::pair<std::string, double>>& pairs) {
    engine::ParameterValues values;
    for (const auto& [name, value] : pairs) values.push_back({name, value});
    return values;
  }

 private:
  std::shared_ptr<Engine> engine_;
  std::vector<double> shown_;  ///< what all views show; empty while there is none
  std::shared_ptr<std::atomic<bool>> busy_ = std::make_shared<std::atomic<bool>>(false);
};

py::list signalsOf(Simulation& self) {
  py::list signals;
  for (const rt::Signal& s : self.engine().signals().signals())
    signals.append(py::make_tuple(s.name, s.unit, s.frame, s.causality == rt::Causality::kInput, s.description,
                                  s.minimum, s.maximum));
  return signals;
}

py::dict settingsOf(Simulation& self) {
  const rt::Settings& settings = self.engine().settings();
  py::dict values;
  rt::forEachSetting([&](const rt::SettingInfo& info, auto member) { values[info.name] = settings.*member; });
  return values;
}

py::dict parametersOf(Simulation& self) {
  py::dict values;
  for (const engine::ParameterValue& value : self.engine().parameters()) values[py::str(value.name)] = value.value;
  return values;
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "The tick of the server in this process; see tactus.Simulation.";
  py::register_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const Refusal& refusal) { raise(refusal); }
  });

  py::class_<SavedState>(module, "SavedState", "Everything that decides the next tick of a simulation.")
      .def_property_readonly("tick", [](const SavedState& self) { return self.snapshot.header.tick; })
      .def(py::pickle([](const SavedState& self) { return pickledOf(self); }, &savedOf));

  addAnalyses(module);
  module.def("setting_names", [] {
    std::vector<std::string> names;
    rt::forEachSetting([&](const rt::SettingInfo& info, auto) { names.emplace_back(info.name); });
    return names;
  });
  module.def("build_info", [] {
    const server::BuildInfo& build = server::buildInfo();
    return py::make_tuple(build.version, build.commit, build.compiler, build.flags, build.instruction_set);
  });

  py::class_<Simulation>(module, "Simulation")
      .def(py::init<const std::string&, const std::optional<std::string>&, std::int64_t,
                    const std::vector<std::pair<std::string, double>>&,
                    const std::vector<std::pair<std::string, double>>&, const std::string&, int>(),
           py::call_guard<py::gil_scoped_release>())
      .def("set_inputs", &Simulation::setInputs)
      .def("actuator", [](Simulation& self, const std::string& name) { return self.engine().actuator(name); })
      .def("inputs",
           [](Simulation& self) {
             const auto inputs = self.engine().inputs();
             return std::vector<double>(inputs.begin(), inputs.end());
           })
      .def("check_rows", &Simulation::checkRows)
      .def("step", &Simulation::step)
      .def("run", &Simulation::run)
      .def("linearize", &Simulation::linearize)
      .def("pose", &Simulation::pose)
      .def("sensitivity", &Simulation::sensitivity)
      .def("parameter_side",
           [](Simulation& self, const std::string& name, double step) { return sideOf(self.engine(), name, step); })
      .def("equilibrium", &Simulation::equilibrium)
      .def("trim", &Simulation::trim)
      .def("fault", [](Simulation& self) { return self.engine().fault(); })
      .def_property_readonly("tick", [](Simulation& self) { return self.engine().tick(); })
      .def_property_readonly("period_ns", [](Simulation& self) { return self.engine().periodNs(); })
      .def_property_readonly("state", &Simulation::state)
      .def_property_readonly("state_hash",
                             [](Simulation& self) { return rt::formatHash(rt::hashState(self.engine().state())); })
      .def_property_readonly("model_hash",
                             [](Simulation& self) { return rt::formatHash(self.engine().modelInForce().hash); })
      .def("model_name", [](Simulation& self) { return self.engine().model().name; })
      .def("body_names", [](Simulation& self) { return self.engine().model().body_names; })
      .def("actuator_names", [](Simulation& self) { return self.engine().model().actuator_names; })
      .def("signals", &signalsOf)
      .def("settings", &settingsOf)
      .def("select",
           [](Simulation& self, const std::vector<std::string>& patterns) { return self.engine().select(patterns); })
      .def("read", [](Simulation& self, const std::vector<int>& signals) { return self.engine().read(signals); })
      .def("parameters", &parametersOf)
      .def("set_parameters",
           [](Simulation& self, const std::vector<std::pair<std::string, double>>& values) {
             self.change([&](Engine& engine) { engine.setParameters(Simulation::valuesOf(values)); });
           })
      .def("save", [](Simulation& self) { return self.engine().save(); })
      .def("restore", [](Simulation& self,
                         const SavedState& saved) { self.change([&](Engine& engine) { engine.restore(saved); }); })
      .def("reset", [](Simulation& self) { self.change([](Engine& engine) { engine.reset(); }); });
}

}  // namespace tactus::python
