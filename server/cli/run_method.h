// `tactus run --integrator`: a run with a method other than that of the server.
#pragma once

#include "server/batch/method_run.h"

namespace tactus::server {

/// Runs a method until its end or SIGINT, and prints the report. @returns an exit code. @throws Error, see runMethod()
int runAndReport(const rt::Model& model, const MethodRunOptions& options, bool json);

}  // namespace tactus::server
