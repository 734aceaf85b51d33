// Refusal: what the engine does not accept, in the words of the errors of the service.
#pragma once

#include "rt/error.h"
#include "server/model_io/located_finding.h"

#include <string>
#include <utility>
#include <vector>

namespace tactus::engine {

class Refusal : public Error {
 public:
  Refusal(std::string reason, std::string field, const std::string& message, std::string hint = {},
          std::vector<server::LocatedFinding> findings = {})
      : Error(message),
        reason_(std::move(reason)),
        field_(std::move(field)),
        hint_(std::move(hint)),
        findings_(std::move(findings)) {}

  const std::string& reason() const noexcept { return reason_; }  ///< "SIGNAL_UNKNOWN", as in ErrorDetail
  const std::string& field() const noexcept { return field_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::vector<server::LocatedFinding>& findings() const noexcept { return findings_; }

 private:
  std::string reason_, field_, hint_;
  std::vector<server::LocatedFinding> findings_;
};

}  // namespace tactus::engine
