#include "server/model_io/model_file.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "server/model_io/composition.h"
#include "server/model_io/field_lines.h"
#include "server/model_io/json_writer.h"
#include "server/model_io/message_fields.h"
#include "server/model_io/parameter_values.h"
#include "server/model_io/resolve.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

ModelSyntax syntaxOf(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") return ModelSyntax::kJson;
  if (ending == ".txtpb") return ModelSyntax::kText;
  throw Error(path + ": a model file ends in .json or .txtpb");
}

std::string readWhole(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) throw Error(path + ": is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + ": cannot be opened: " + std::strerror(errno));

  // One byte more than allowed tells a file that is too large, whatever the file system says of its size.
  std::string text(kMaxModelFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Error(path + ": cannot be read: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// The finding with the whole number that the message has, where a description cannot hold it.
rt::Finding withWhole(rt::Finding finding, const Message& message) {
  constexpr auto kMax = std::numeric_limits<int>::max();
  if (finding.value != std::to_string(kMax)) return finding;
  if (const auto number = wholeAt(message, finding.path)) finding.value = std::to_string(*number);
  return finding;
}

/// Every rule on the message as a whole.
/// @param broken  where errors are already
/// @param add     takes each finding
void checkMessage(ModelDocument& document, const IsBroken& broken, const std::function<void(const rt::Finding&)>& add) {
  std::vector<rt::Finding> translation = fromProto(document.message, document.spec);
  const auto isBroken = [&](const std::string& path) {
    return broken(path) || std::any_of(translation.begin(), translation.end(),
                                       [&path](const rt::Finding& finding) { return isErrorAt(finding, path); });
  };
  const std::vector<rt::Finding> of_targets = readParameterValues(document.message, isBroken, document.spec.parameters);
  translation.insert(translation.end(), of_targets.begin(), of_targets.end());
  for (const rt::Finding& finding : translation) add(finding);

  // What could not be translated would only be found wrong once more.
  const auto isExplained = [&](const rt::Finding& finding) {
    return std::any_of(translation.begin(), translation.end(), [&](const rt::Finding& cause) {
      if (isWithin(finding.path, cause.path) || isWithin(cause.path, finding.path)) return true;
      // Without its kind an element is described as one of the first kind.
      const std::size_t kind = cause.path.rfind(".kind");
      const bool lacks_kind = kind != std::string::npos && kind + 5 == cause.path.size();
      return lacks_kind && isWithin(finding.path, cause.path.substr(0, kind)) &&
             finding.path.find('.', kind + 1) != std::string::npos;
    });
  };
  for (const rt::Finding& finding : rt::checkModel(document.spec))
    if (!isExplained(finding)) add(withWhole(finding, document.message));
}

/// A newer sender may say things that this version would drop in silence.
void findUnknownFields(const Message& message, const std::string& path, std::vector<LocatedFinding>& findings) {
  const Reflection& reflection = *message.GetReflection();
  const google::protobuf::UnknownFieldSet& unknown = reflection.GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i)
    findings.push_back(
        {{rt::Severity::kError, path, "field number " + std::to_string(unknown.field(i).number()),
          "is not a field of " + message.GetDescriptor()->name(), "the sender knows a newer version of the format"}});

  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  const std::string prefix = path.empty() ? "" : path + '.';
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      findUnknownFields(reflection.GetMessage(message, field), prefix + field->name(), findings);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      findUnknownFields(reflection.GetRepeatedMessage(message, field, i),
                        prefix + field->name() + '[' + std::to_string(i) + ']', findings);
  }
}

}  // namespace

bool ModelDocument::valid() const noexcept {
  return std::none_of(findings.begin(), findings.end(),
                      [](const LocatedFinding& f) { return f.finding.severity == rt::Severity::kError; });
}

ModelDocument readModelFile(const std::string& path) {
  const ModelSyntax syntax = syntaxOf(path);
  const std::string text = readWhole(path);
  if (text.size() > kMaxModelFile)
    throw Error(path + ": is larger than " + std::to_string(kMaxModelFile >> 20) + " MiB");
  return readModelText(text, syntax, std::filesystem::path(path).parent_path());
}

ModelDocument readModelText(std::string_view text, ModelSyntax syntax,
                            const std::optional<std::filesystem::path>& folder) {
  ModelDocument document;
  if (text.size() > kMaxModelFile) {
    document.findings.push_back({{rt::Severity::kError, "", std::to_string(text.size()) + " bytes",
                                  "must not be larger than " + std::to_string(kMaxModelFile >> 20) + " MiB", ""}});
    return document;
  }
  Composition composition(folder);
  document.complete = composition.read(text, syntax, document.message);
  // Half a model would break rules that the whole one may keep.
  if (document.complete)
    checkMessage(
        document, [&](const std::string& path) { return composition.hasErrorAt(path); },
        [&](const rt::Finding& finding) { composition.add(finding); });
  document.findings = composition.takeFindings();
  return document;
}

ModelDocument readModelMessage(v1::Model message) {
  ModelDocument document;
  document.message = std::move(message);
  document.complete = true;
  findUnknownFields(document.message, "", document.findings);
  const auto add = [&document](const rt::Finding& finding) { document.findings.push_back({finding}); };
  rt::FindingList out;
  refuseIncludes(document.message, out);
  resolve(document.message, out);
  for (const rt::Finding& finding : out.take()) add(finding);
  const std::size_t before = document.findings.size();
  const auto isBroken = [&document, before](const std::string& path) {
    return std::any_of(document.findings.begin(), document.findings.begin() + static_cast<std::ptrdiff_t>(before),
                       [&path](const LocatedFinding& f) { return isErrorAt(f.finding, path); });
  };
  checkMessage(document, isBroken, add);
  return document;
}

std::string writeModel(const v1::Model& message, ModelSyntax syntax) {
  if (syntax == ModelSyntax::kJson) return writeJson(message);
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  if (!printer.PrintToString(message, &text)) throw Error("the model cannot be written as text");
  return text;
}

std::string toString(const LocatedFinding& located, const std::string& file) {
  const rt::Finding& f = located.finding;
  std::string text = located.file.empty() ? file : (std::filesystem::path(file).parent_path() / located.file).string();
  if (located.line > 0) text += ':' + std::to_string(located.line);
  if (located.column > 0) text += ':' + std::to_string(located.column);
  text += ": ";
  if (f.severity == rt::Severity::kWarning) text += "warning: ";
  if (!f.path.empty()) text += f.path + " = ";
  text += f.value + ": " + f.rule;
  if (!f.hint.empty()) text += " (" + f.hint + ')';
  return text;
}

}  // namespace tactus::server
