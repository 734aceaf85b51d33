#include "server/model_io/model_file.h"
#include "tests/server/model_io/full_model.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::test;

namespace {

/// A folder of its own for each test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "tactus-model-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    path_ = path;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("the ending of a file chooses the syntax", "[server][model_io]") {
  const TemporaryFolder folder;
  REQUIRE(readModelFile(folder.write("m.json", kFullJson)).findings.empty());
  REQUIRE(readModelFile(folder.write("m.txtpb", kFullText)).findings.empty());
  REQUIRE_FALSE(readModelFile(folder.write("wrong.json", kFullText)).valid());
  REQUIRE_THROWS_WITH(readModelFile(folder.write("m.yaml", kFullJson)), Catch::Contains(".json or .txtpb"));
}

TEST_CASE("a file that cannot be read is an error that names it", "[server][model_io]") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(readModelFile(folder.path("none.json")),
                      Catch::Contains("none.json") && Catch::Contains("No such file"));
  std::filesystem::create_directory(folder.path("folder.json"));
  REQUIRE_THROWS_WITH(readModelFile(folder.path("folder.json")), Catch::Contains("is a directory"));
}

TEST_CASE("a file beyond 16 MiB is refused", "[server][model_io]") {
  const TemporaryFolder folder;
  const std::string padding(kMaxModelFile - std::string(kFullJson).size(), ' ');
  REQUIRE(readModelFile(folder.write("full.json", kFullJson + padding)).valid());
  REQUIRE_THROWS_WITH(readModelFile(folder.write("over.json", kFullJson + padding + ' ')), Catch::Contains("16 MiB"));
}

TEST_CASE("Windows line ends and a byte order mark do no harm", "[server][model_io]") {
  const ModelDocument document =
      readModelText("\xEF\xBB\xBF{\r\n\"name\": \"m\",\r\n\"gravty\": 1\r\n}", ModelSyntax::kJson);
  REQUIRE(document.findings.size() == 2);  // and there are no bodies
  REQUIRE(document.findings[1].finding.path == "gravty");
  REQUIRE(document.findings[1].line == 3);
}

TEST_CASE("a message from the wire is checked like a file, without lines", "[server][model_io]") {
  v1::Model message = readModelText(kFullJson, ModelSyntax::kJson).message;
  REQUIRE(readModelMessage(message).findings.empty());

  message.mutable_bodies(1)->set_mass(-1);
  message.mutable_bodies(0)->add_velocity(4);
  message.mutable_actuators(1)->mutable_body_force()->set_frame(static_cast<v1::Frame>(9));
  const ModelDocument document = readModelMessage(message);
  std::vector<std::string> paths;
  for (const LocatedFinding& f : document.findings) {
    paths.push_back(f.finding.path);
    REQUIRE(f.line == 0);
  }
  REQUIRE(paths == std::vector<std::string>{"bodies[0].velocity", "actuators[1].body_force.frame", "bodies[1].mass"});
}

TEST_CASE("a message with fields of a newer version is refused, not half understood", "[server][model_io]") {
  v1::Model message = readModelText(kFullJson, ModelSyntax::kJson).message;
  message.GetReflection()->MutableUnknownFields(&message)->AddVarint(21, 1);
  v1::Joint& joint = *message.mutable_joints(2);
  joint.GetReflection()->MutableUnknownFields(&joint)->AddLengthDelimited(16, "universal");
  const ModelDocument document = readModelMessage(message);
  REQUIRE(document.findings.size() == 2);
  REQUIRE(document.findings[0].finding.value == "field number 21");
  REQUIRE(document.findings[1].finding.path == "joints[2]");
  REQUIRE(document.findings[1].finding.value == "field number 16");
  REQUIRE_FALSE(document.valid());
}

TEST_CASE("warnings leave a document valid", "[server][model_io]") {
  std::string text = kFullJson;
  text.replace(text.find("1e-8"), 4, "1e-6");
  const ModelDocument document = readModelText(text, ModelSyntax::kJson);
  REQUIRE(document.findings.size() == 1);
  REQUIRE(document.valid());
  const std::string sample = kFullJson, before = sample.substr(0, sample.find("\"solver\""));
  const auto line = std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
  REQUIRE(toString(document.findings[0], "m.json")
              .find("m.json:" + line + ": warning: solver.relative_compliance = 1e-06: ") == 0);
}

TEST_CASE("the worked example in proto/README.md is a valid model", "[server][model_io]") {
  std::ifstream file(std::string(TACTUS_SOURCE_DIR) + "/proto/README.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = page.find("```json\n") + 8;
  const std::size_t end = page.find("```", begin);
  REQUIRE(end != std::string::npos);
  const ModelDocument document = readModelText(page.substr(begin, end - begin), ModelSyntax::kJson);
  REQUIRE(document.findings.empty());
  REQUIRE(document.spec.bodies.size() == 1);
  REQUIRE(document.spec.joints.size() == 1);
}
