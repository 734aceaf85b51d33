#include "server/service/finding.h"

namespace tactus::server {

void writeFinding(const rt::Finding& finding, v1::Finding& message) {
  message.set_severity(finding.severity == rt::Severity::kError ? v1::SEVERITY_ERROR : v1::SEVERITY_WARNING);
  message.set_path(finding.path);
  message.set_value(finding.value);
  message.set_rule(finding.rule);
  message.set_hint(finding.hint);
}

void writeFinding(const LocatedFinding& finding, v1::Finding& message) {
  writeFinding(finding.finding, message);
  message.set_line(static_cast<std::uint32_t>(finding.line));
}

}  // namespace tactus::server
