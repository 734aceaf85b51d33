#include "server/service/finding.h"

#include "rt/utf8.h"

namespace tactus::server {

void writeFinding(const rt::Finding& finding, v1::Finding& message) {
  message.set_severity(finding.severity == rt::Severity::kError ? v1::SEVERITY_ERROR : v1::SEVERITY_WARNING);
  message.set_path(rt::validText(finding.path));
  message.set_value(rt::validText(finding.value));
  message.set_rule(rt::validText(finding.rule));
  message.set_hint(rt::validText(finding.hint));
}

void writeFinding(const LocatedFinding& finding, v1::Finding& message) {
  writeFinding(finding.finding, message);
  message.set_line(static_cast<std::uint32_t>(finding.line));
}

}  // namespace tactus::server
