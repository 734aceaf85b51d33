#include "rt/tick_status.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace tactus::rt;

TEST_CASE("every status of a tick has words of its own", "[rt]") {
  std::set<std::string> words;
  for (TickStatus status : {TickStatus::kOk, TickStatus::kNonFinite, TickStatus::kNotPositive, TickStatus::kInputLost})
    words.insert(toString(status));
  CHECK(words.size() == 4);
  CHECK(words.count("unknown") == 0);
  CHECK(toString(static_cast<TickStatus>(200)) == std::string("unknown"));
}

TEST_CASE("a new step report says that the step succeeded and converged", "[rt]") {
  const StepReport report;
  CHECK(report.status == TickStatus::kOk);
  CHECK(report.converged);
  CHECK(report == StepReport{});
}
