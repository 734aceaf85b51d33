// The part of `tactus run` that is not the tick: a run with another method, and its report.
#pragma once

#include "server/batch/method_run.h"

namespace tactus::server {

/// Runs a method, stops at SIGINT, and prints what it did. @returns an exit code. @throws Error as runMethod() does
int runAndReport(const rt::Model& model, const MethodRunOptions& options, bool json);

}  // namespace tactus::server
