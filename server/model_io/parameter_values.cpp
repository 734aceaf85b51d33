#include "server/model_io/parameter_values.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "server/model_io/parameter_target.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <map>
#include <optional>

namespace tactus::server {
namespace {

/// Reads the numbers that parameters set.
class TargetReader {
 public:
  TargetReader(const v1::Model& message, const IsBroken& broken, rt::FindingList& out)
      : message_(message), broken_(broken), out_(out) {}

  void read(std::vector<rt::ParameterSpec>& parameters) {
    // checkModel() refuses a model with more.
    std::size_t left = rt::kMaxTargets;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (std::size_t k = 0; k < parameters[i].targets.size() && left > 0; ++k, --left)
        readOne(i, rt::element("parameters", i) + '.' + rt::element("targets", k), parameters[i].targets[k],
                parameters[i].value);
  }

 private:
  /// @param common  value of all targets of one parameter
  void readOne(std::size_t parameter, const std::string& path, const std::string& target,
               std::optional<double>& common) {
    const TargetPlace place = placeOfTarget(message_, target);
    if (followsFromError(place)) return;
    readValue(path, target, common);
    if (!place.is_number) return;
    if (const auto [taken, is_new] = first_.emplace(place.place, parameter); !is_new && taken->second != parameter)
      out_.error(path, rt::printed(target), "must be a number that no other parameter sets",
                 rt::element("parameters", taken->second) + " sets it");
  }

  void readValue(const std::string& path, const std::string& target, std::optional<double>& common) {
    TargetProblem problem;
    problem.findings = &out_;
    const std::optional<double> value = readTarget(message_, target, problem);
    if (!value) return out_.error(path, rt::printed(target), problem.rule, problem.hint);
    if (common && *common != *value)
      return out_.error(
          path, rt::printed(target),
          "must have the value of the first target, " + rt::printed(*common) + ", and not " + rt::printed(*value));
    common = *value;
  }

  /// Whether the number, or the way to it, is where an error is.
  bool followsFromError(const TargetPlace& place) {
    if (!place.place.empty()) return broken_(place.place);
    return !place.searched_list.empty() && hasBrokenName(place.searched_list);
  }

  /// Whether an element of a list of the model may have any name, because the file does not say it.
  bool hasBrokenName(const std::string& list) {
    const auto [known, is_new] = broken_names_.emplace(list, false);
    if (!is_new) return known->second;
    const int size = message_.GetReflection()->FieldSize(message_, message_.GetDescriptor()->FindFieldByName(list));
    known->second = size == 0 && broken_(list);
    for (int i = 0; i < size && !known->second; ++i)
      known->second = broken_(rt::element(list.c_str(), static_cast<std::size_t>(i)) + ".name");
    return known->second;
  }

  const v1::Model& message_;
  const IsBroken& broken_;
  rt::FindingList& out_;
  std::map<std::string, std::size_t> first_;  ///< the parameter that sets each number
  std::map<std::string, bool> broken_names_;  ///< by list
};

}  // namespace

std::vector<rt::Finding> readParameterValues(const v1::Model& message, const IsBroken& broken,
                                             std::vector<rt::ParameterSpec>& parameters) {
  rt::FindingList out;
  TargetReader(message, broken, out).read(parameters);
  return out.take();
}

}  // namespace tactus::server
