#include "proto/text/timing_json.h"

#include <catch2/catch.hpp>

#include <set>

using namespace tactus;

TEST_CASE("the JSON of a timing report has every field of the message under its name", "[proto][text]") {
  v1::TimingReport report;
  report.set_build("(tactus 1, abc, gcc)");
  report.set_ticks(7);
  report.add_late_ticks()->set_cause("preemption");
  report.mutable_late_ticks(0)->set_count(2);
  const auto json = text::timingJson("main", report);
  std::set<std::string> names;
  for (const auto& [name, value] : json.items()) names.insert(name);
  CHECK(names.erase("session") == 1);
  const auto& type = *v1::TimingReport::descriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    CAPTURE(type.field(i)->name());
    CHECK(names.erase(type.field(i)->name()) == 1);
  }
  CHECK(names.empty());
  CHECK(json["build"] == "(tactus 1, abc, gcc)");
  CHECK(json["ticks"] == 7);
  CHECK(json["late_ticks"]["preemption"] == 2);
  CHECK(json["worst_late"].is_null());
}
