#include "server/cli/equilibrium_model.h"

#include "rt/error.h"
#include "rt/model/model.h"
#include "server/cli/output_file.h"

#include <algorithm>

namespace tactus::server {
namespace {

template <class Vector, class List>
void write(const Vector& values, List& list) {
  list.Clear();
  for (const double value : values) list.Add(value);
}

}  // namespace

void requireModelFileName(const std::string& path) {
  if (!path.empty() && !path.ends_with(".json") && !path.ends_with(".txtpb"))
    throw Error("--out " + path + ": a model file ends in .json or .txtpb");
}

void writeModelAt(const std::string& path, const ModelDocument& document, const rt::Model& model,
                  const std::string& name, const rt::State& state, const std::vector<double>& input) {
  v1::Model message = document.message;
  auto& conditions = *message.mutable_initial_conditions();
  const auto same = std::find_if(conditions.begin(), conditions.end(),
                                 [&](const v1::InitialCondition& condition) { return condition.name() == name; });
  v1::InitialCondition& condition = same == conditions.end() ? *conditions.Add() : *same;
  condition.Clear();
  condition.set_name(name);
  condition.set_description("Found by tactus analyse.");
  for (int i = 0; i < model.bodyCount(); ++i) {
    v1::BodyState& body = *condition.add_bodies();
    body.set_body(model.body_names[static_cast<std::size_t>(i)]);
    const rt::StateView view = state.view();
    write(view.r(i), *body.mutable_position());
    write(view.p(i), *body.mutable_orientation());
    write(view.v(i), *body.mutable_velocity());
    write(view.omega(i), *body.mutable_angular_velocity());
  }
  for (std::size_t k = 0; k < input.size(); ++k) message.mutable_actuators(static_cast<int>(k))->set_initial(input[k]);
  const ModelSyntax syntax = path.ends_with(".json") ? ModelSyntax::kJson : ModelSyntax::kText;
  const std::string text = writeModel(message, syntax);
  const ModelDocument read = readModelText(text, syntax, std::nullopt);
  for (const LocatedFinding& finding : read.findings)
    if (finding.finding.severity == rt::Severity::kError)
      throw Error("the model cannot hold this state as an initial condition: " + toString(finding, path));
  writeOutput(path, text);
}

}  // namespace tactus::server
