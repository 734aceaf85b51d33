// Bad values of the fields of requests, and what each gets: the rows of request_table_test.cpp.
#pragma once

#include "tests/server/service/harness.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tactus::server::tests {

struct Outcome {
  grpc::StatusCode code;
  v1::ErrorDetail detail;
};

/// One bad value: of which field, how it is sent, and what comes back.
struct Row {
  std::string field;  ///< "StepSessionRequest.ticks"
  std::function<Outcome(Harness&)> send;
  grpc::StatusCode code;
  std::string reason, error_field;
};

/// All of them.
std::vector<Row> requestRows();

/// Fields of which no value is wrong.
const std::set<std::string>& fieldsWithoutBadValues();

}  // namespace tactus::server::tests
