#include "server/batch/input_series.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "tests/server/batch/temporary_file.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;

namespace {

constexpr std::int64_t kPeriod = 1'000'000;

rt::Model twoMotors() {
  rt::ModelSpec spec = tests::fourBar(tests::FourBarReading::kDown);
  for (const char* name : {"motor", "brake"}) {
    rt::ActuatorSpec a;
    a.name = name;
    a.minimum = -10;
    a.maximum = 10;
    a.initial = 0.5;
    a.kind = rt::JointTorqueSpec{"joint_1"};
    spec.actuators.push_back(a);
  }
  return rt::buildModel(spec);
}

std::vector<rt::ScriptedInput> read(const std::string& csv) {
  static const rt::Model model = twoMotors();
  std::stringstream stream(csv);
  return readInputSeries(stream, "inputs.csv", model, kPeriod);
}

}  // namespace

TEST_CASE("rows hold from the first tick that ends at their time or later", "[server][batch]") {
  const auto script = read("t,motor\n0,1\n0.001,2\n0.0025,3\n0.010,4\n");
  REQUIRE(script.size() == 3);
  // The rows at 0 and at 1 ms both belong to the first tick; the later one holds.
  CHECK(script[0].tick == 1);
  CHECK(script[0].values == std::vector<double>{2, 0.5});
  CHECK(script[1].tick == 3);
  CHECK(script[1].values == std::vector<double>{3, 0.5});
  CHECK(script[2].tick == 10);
}

TEST_CASE("columns may come in any order, with blanks, quotes and CRLF", "[server][batch]") {
  const auto script = read("t, \"brake\" ,motor\r\n0.002, 7 ,-1\r\n\r\n");
  REQUIRE(script.size() == 1);
  CHECK(script[0].tick == 2);
  CHECK(script[0].values == std::vector<double>{-1, 7});
}

TEST_CASE("a byte order mark and a plus sign are no errors of an input file", "[server][batch]") {
  const auto script = read("\xEF\xBB\xBFt,motor\n+0.001,+1.5\n2e-3,-1\n");
  REQUIRE(script.size() == 2);
  CHECK(script[0].tick == 1);
  CHECK(script[0].values == std::vector<double>{1.5, 0.5});
  CHECK(script[1].values == std::vector<double>{-1, 0.5});
  CHECK_THROWS_WITH(read("\xEF\xBB\xBFtime,motor\n"), Catch::Contains("first column is 'time'"));
  CHECK_THROWS_WITH(read("\xEF\xBB\xBF"), Catch::Contains("no header"));
  for (const char* number : {"++1", "+-1", "+", "+inf"})
    CHECK_THROWS_WITH(read(std::string("t,motor\n0,") + number + "\n"),
                      Catch::Contains("'" + std::string(number) + "' is not a finite number"));
}

TEST_CASE("a decimal time belongs to the tick that it was written for", "[server][batch]") {
  std::stringstream csv;
  csv << "t,motor\n";
  csv.precision(17);
  for (int k = 1; k <= 5000; ++k) csv << k * 1e-3 << ',' << 0 << '\n';
  const auto script = read(csv.str());
  REQUIRE(script.size() == 5000);
  for (int k = 1; k <= 5000; ++k) CHECK(script[static_cast<std::size_t>(k - 1)].tick == k);
}

TEST_CASE("an error in an input file names its line", "[server][batch]") {
  CHECK_THROWS_WITH(read(""), Catch::Contains("no header"));
  CHECK_THROWS_WITH(read("time,motor\n"), Catch::Contains("first column is 'time'"));
  CHECK_THROWS_WITH(read("t,moter\n"), Catch::Contains("inputs.csv:1") && Catch::Contains("did you mean 'motor'"));
  CHECK_THROWS_WITH(read("t,motor,motor\n"), Catch::Contains("twice"));
  CHECK_THROWS_WITH(read("t,motor\n0,1\n1\n"), Catch::Contains("inputs.csv:3") && Catch::Contains("1 fields"));
  CHECK_THROWS_WITH(read("t,motor\n0,abc\n"), Catch::Contains("column 2") && Catch::Contains("'abc'"));
  CHECK_THROWS_WITH(read("t,motor\n0,nan\n"), Catch::Contains("finite"));
  CHECK_THROWS_WITH(read("t,motor\n0,inf\n"), Catch::Contains("finite"));
  CHECK_THROWS_WITH(read("t,motor\n0,11\n"), Catch::Contains("motor = 11 is outside its range -10 ... 10"));
  CHECK_THROWS_WITH(read("t,motor\n1,1\n1,2\n"), Catch::Contains("rise"));
  CHECK_THROWS_WITH(read("t,motor\n-1,1\n"), Catch::Contains("at least 0"));
  CHECK_THROWS_WITH(read("t,motor\n0,1\n1e30,2\n"), Catch::Contains("inputs.csv:3") && Catch::Contains("too far"));
}

TEST_CASE("a script as a signal holds each row during the whole step that ends at its tick", "[server][batch]") {
  const rt::Model model = twoMotors();
  const rt::offline::InputSignal signal = signalOf(model, {{2, {1, 2}}, {4, {3, 4}}}, kPeriod);
  const auto at = [&](double t) {
    std::vector<double> values(2);
    signal(t, values);
    return values;
  };
  using Values = std::vector<double>;
  CHECK(at(0) == Values{0.5, 0.5});
  CHECK(at(0.001) == Values{0.5, 0.5});
  CHECK(at(0.0011) == Values{1, 2});
  CHECK(at(0.003) == Values{1, 2});
  CHECK(at(0.0031) == Values{3, 4});
  CHECK(at(1) == Values{3, 4});
}

TEST_CASE("a file of inputs is a regular file of limited size, with lines of limited length", "[server][batch]") {
  namespace fs = std::filesystem;
  const rt::Model model = twoMotors();
  const auto readFile = [&](const std::string& path) { return readInputSeriesFile(path, model, kPeriod); };
  CHECK_THROWS_WITH(readFile("/dev/zero"), Catch::Contains("/dev/zero: is not a regular file"));
  CHECK_THROWS_WITH(readFile(fs::temp_directory_path().string()), Catch::Contains("is not a regular file"));
  CHECK_THROWS_WITH(readFile(tests::temporaryFile("nothing.csv")), Catch::Contains("cannot be opened"));
  const std::string path = tests::temporaryFile("inputs.csv");
  // Nobody writes into it: opening it would wait forever.
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(readFile(path), Catch::Contains("is not a regular file"));
  fs::remove(path);

  std::ofstream(path) << "t,motor\n0,1\n";
  CHECK(readFile(path).size() == 1);
  fs::resize_file(path, kMaxInputFile + 1);  // with a hole, which takes no room
  CHECK_THROWS_WITH(readFile(path), Catch::Contains("has 1073741825 bytes, more than the 1073741824"));
  fs::resize_file(path, 1'500'000);  // one line of zeros after the row
  CHECK_THROWS_WITH(readFile(path), Catch::Contains(":3: the line has more than 1048576 bytes"));
  fs::remove(path);
}
