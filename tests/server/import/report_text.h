// The errors of an import as text.
#pragma once

#include "server/import/import_report.h"

#include <string>

namespace tactus::server {

inline std::string errorsOf(const ImportReport& report) {
  std::string text;
  for (const ImportError& error : report.errors()) text += toString(error) + '\n';
  return text;
}

}  // namespace tactus::server
