#include "server/record/replay.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "server/record/snapshot_message.h"
#include "server/wire/request_error.h"
#include "server/wire/settings_message.h"

#include <string>

namespace tactus::server {

namespace {

std::unique_ptr<const rt::Model> buildRecordedModel(const v1::RecordingSetup& setup) {
  const ModelDocument document = readModelMessage(setup.model());
  if (!document.valid()) throw Error("the recorded model is not valid for this version of Tactus");
  auto model = std::make_unique<const rt::Model>(rt::buildModel(document.spec));
  if (const std::string hash = rt::formatHash(model->hash); hash != setup.model_hash())
    throw Error("the recorded model has the hash " + hash + " here and had " + setup.model_hash() +
                " when it was recorded");
  return model;
}

std::string wordsOf(const RecordedRow& row) {
  return row.faulted() ? "the step failed" : "ok";
}

Difference differenceOf(std::int64_t tick, const std::string& signal, double a, double b) {
  return {tick, signal, a, b, ulpDistance(a, b), "", ""};
}

constexpr const char* kBodyElements[rt::kBodyStride] = {
    "r.x",     "r.y",     "r.z",     "p.e0", "p.e1", "p.e2", "p.e3",    "v.x",     "v.y",    "v.z",
    "omega.x", "omega.y", "omega.z", "a.x",  "a.y",  "a.z",  "alpha.x", "alpha.y", "alpha.z"};

/// The name of an element of the state: its signal, if it has one.
std::string nameOfElement(const rt::Model& model, int element) {
  const rt::StateLayout layout(model);
  if (element < layout.lambda())
    return model.body_names[static_cast<std::size_t>(element / rt::kBodyStride)] + "." +
           kBodyElements[element % rt::kBodyStride];
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const rt::Joint& joint = model.joints[j];
    const int row = element - layout.lambda() - joint.first_row;
    if (row >= 0 && row < joint.row_count) return model.joint_names[j] + " multiplier " + std::to_string(row);
    if (joint.displacement >= 0 && element == layout.jointDisplacements() + joint.displacement)
      return model.joint_names[j] + ".angle";
  }
  if (element == layout.workInput()) return "energy.input";
  if (element == layout.workDissipated()) return "energy.dissipated";
  return "state[" + std::to_string(element) + "]";
}

}  // namespace

RecordedSession::RecordedSession(const v1::RecordingSetup& setup, rt::StepFunction* step)
    : message_(setup.model()),
      model_(buildRecordedModel(setup)),
      plan_(std::make_unique<const rt::Plan>(rt::compilePlan(*model_))),
      directory_(*model_, &versions_),
      input_(*model_),
      snapshot_(*model_) {
  const rt::Settings settings = readSettings(setup.settings());
  rt::chooseSettings(*model_, settings.period_ns, settings.iterations);  // refuses what is out of range
  rt::LoopOptions options;
  options.ring_capacity = 2;
  options.step = step;
  loop_ = std::make_unique<rt::TickLoop>(*model_, *plan_, settings, rt::State(*model_), options);
}

RecordedSession::~RecordedSession() = default;

// The list of values is complete, so earlier values do not matter.
void RecordedSession::tune(const ParameterValues& values) {
  if (values.empty()) return;
  TunedModel tuned;
  try {
    tuned = tuneModel(message_, *model_, values);
  } catch (const ParameterError& error) { throw Error(std::string("recorded parameters: ") + error.what()); }
  auto next = std::make_unique<rt::CompiledModel>(std::move(tuned.model), 1, next_version_++);
  versions_.add(next->version, next->model);
  loop_->setModel(next.get());
  if (mechanism_) versions_.retire(mechanism_->version, 0);
  versions_.forget(1);
  mechanism_ = std::move(next);
}

rt::Snapshot RecordedSession::readState(const RecordedRow& row) const {
  try {
    return readSnapshot(row.state, *model_, loop_->settings().period_ns);
  } catch (const RequestError& error) {
    throw Error("the state of tick " + std::to_string(row.tick) + ": " + error.field() + " " + error.what());
  }
}

void RecordedSession::follow(const RecordedRow& row) {
  if (row.begins) {
    tune(readParameters(row.state.parameters()));
    // The recorded inputs contain the effects of lost controllers and of the safe state.
    rt::Snapshot saved = readState(row);
    saved.header.input_loss = {};
    loop_->restore(saved);
    loop_->ring().newest(snapshot_);
    return;
  }
  const std::int64_t target = row.tick + (row.faulted() ? 1 : 0);
  const std::int64_t now = loop_->state().tick;
  if (target <= now || static_cast<std::uint64_t>(target - now - 1) != row.unrecorded)
    throw Error("tick " + std::to_string(row.tick) + " follows tick " + std::to_string(now) + " in the recording");
  // Ticks that are not recorded used the inputs of the previous row.
  for (std::int64_t tick = now + 1; tick < target; ++tick)
    if (loop_->tick() != rt::TickStatus::kOk) break;
  if (row.has_new_parameters) tune(row.parameters);
  if (row.has_new_inputs) {
    input_.sequence = row.input_sequence;
    input_.values = row.inputs;
    loop_->inputs().offer(input_);
  }
  loop_->tick();
  loop_->ring().newest(snapshot_);
}

std::vector<int> indicesOf(const rt::SignalDirectory& directory, const std::vector<std::string>& names) {
  std::vector<int> indices;
  for (const std::string& name : names) {
    indices.push_back(directory.find(name));
    if (indices.back() < 0) throw Error("the recorded signal '" + name + "' is not a signal of the recorded model");
  }
  return indices;
}

RowComparison::RowComparison(const RecordingReader& recording, const RecordedSession& session)
    : session_(session),
      names_(recording.signalNames()),
      reader_(session.signals(), indicesOf(session.signals(), names_)),
      values_(names_.size()) {}

std::optional<Difference> RowComparison::compare(const RecordedRow& row) {
  const rt::Snapshot& replayed = session_.snapshot();
  // A recording may start with a faulted session; its failed step is not repeated.
  const bool failed = session_.status() != rt::TickStatus::kOk;
  if (failed != row.faulted() && !row.begins)
    return Difference{row.tick, "status", 0, 0, 0, wordsOf(row), rt::toString(session_.status())};

  // Named values come before hashes. The norms of a step are unknown after a restart from a state.
  if (row.has_signals && !row.begins) {
    reader_.read(replayed, values_);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!sameBits(row.signals[i], values_[i])) return differenceOf(row.tick, names_[i], row.signals[i], values_[i]);
  }
  if (row.has_state) {
    if (static_cast<std::size_t>(row.state.state_size()) != replayed.state.size())
      throw Error("the state of tick " + std::to_string(row.tick) + " does not fit the recorded model");
    for (int i = 0; i < row.state.state_size(); ++i)
      if (const double value = replayed.state[static_cast<std::size_t>(i)]; !sameBits(row.state.state(i), value))
        return differenceOf(row.tick, nameOfElement(session_.model(), i), row.state.state(i), value);
  }
  const std::uint64_t hash = rt::hashState(replayed.header.tick, replayed.state);
  if (hash == row.state_hash) return {};
  return Difference{row.tick, "state hash", 0, 0, 0, rt::formatHash(row.state_hash), rt::formatHash(hash)};
}

ReplayReport replay(RecordingReader& recording, rt::StepFunction* step) {
  RecordedSession session(recording.setup(), step);
  RowComparison comparison(recording, session);
  ReplayReport report;
  RecordedRow row;
  while (!report.difference && recording.next(row)) {
    session.follow(row);
    if (report.begins == 0) report.first_tick = row.tick;
    report.begins += row.begins ? 1 : 0;
    report.bridged += row.unrecorded;
    ++report.ticks;
    report.last_tick = row.tick;
    report.difference = comparison.compare(row);
  }
  // To the end of the file, which says whether it is whole.
  while (report.difference && recording.next(row)) continue;
  for (const v1::RecordedGap& gap : recording.gaps())
    if (!gap.inputs_complete()) report.missing += gap.ticks();
  report.state_hash = rt::hashState(session.snapshot().header.tick, session.snapshot().state);
  report.complete = recording.complete();
  report.problem = recording.problem();
  return report;
}

std::string unlikeBuild(const v1::RecordingSetup& setup, const v1::BuildStamp& here) {
  const v1::BuildStamp& there = setup.build();
  const auto differs = [](const char* what, const std::string& a, const std::string& b) {
    return a == b ? std::string() : std::string("  ") + what + ": recorded by " + a + ", this is " + b + "\n";
  };
  return differs("version", there.version(), here.version()) + differs("commit", there.commit(), here.commit()) +
         differs("compiler", there.compiler(), here.compiler()) + differs("flags", there.flags(), here.flags()) +
         differs("instruction set", there.instruction_set(), here.instruction_set());
}

}  // namespace tactus::server
