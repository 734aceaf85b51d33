// modelDescription.xml and the page of a unit.
#pragma once

#include "clients/fmi/format/unit_file.h"

#include "rt/signals/signal_directory.h"

#include <optional>
#include <string>
#include <vector>

namespace tactus::fmi {

enum class Causality { kIndependent, kInput, kParameter, kOutput };

/// A variable; its value reference is its place in the list.
struct Variable {
  std::string name, unit, description;
  Causality causality = Causality::kOutput;
  double start = 0;  ///< of inputs and parameters
  std::optional<double> minimum, maximum;
  bool is_hash = false;  ///< a text in FMI 2.0, UInt64 in FMI 3.0; all others are real
};

struct Description {
  int version = 3;               ///< 2 or 3
  std::string name, identifier;  ///< of the model; of the shared object, a name of C
  std::string description, token;
  std::string tool;          ///< that has made the unit
  double period = 0;         ///< s
  bool derivatives = false;  ///< of outputs by inputs; the outputs then depend on the inputs
  std::vector<Variable> variables;
};

/// The variables of a unit, in the order of VariableNumbers.
/// @throws Error for two of one name
std::vector<Variable> variablesOf(const rt::Model& model, const rt::SignalDirectory& directory,
                                  const std::vector<int>& outputs);

std::string descriptionXml(const Description& description);
/// terminalsAndIcons.xml of FMI 3.0: the inputs and outputs of an element of the model are a bus of its name, whose
/// members have the rest of their names. Names of one word are members of the buses "actuators" and "sensors".
/// @return empty if there is no input and no output
std::string terminalsXml(const Description& description);
std::string descriptionPage(const Description& description);

}  // namespace tactus::fmi
