// Covers: server/model_io/mesh_content.cpp
// Meshes of visuals in files beside the model: what is read, what is refused, and that the motion does not know of
// them.
#include "server/model_io/mesh_file.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace tactus;
using namespace tactus::server;

namespace {

constexpr const char* kTriangle = "# a comment\nv 0 0 0\nv 1 0 0\r\nv 0 1 0 1\nvn 0 0 1\nf 1//1 2//1 -1//1\n";

std::string littleEndian(std::uint32_t word) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i) & 255);
  return bytes;
}

/// A binary .stl with some facets of zeros.
std::string stl(std::uint32_t facets) {
  return std::string(80, ' ') + littleEndian(facets) + std::string(50 * std::size_t{facets}, '\0');
}

std::string glb(std::string json) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto size = static_cast<std::uint32_t>(json.size());
  return "glTF" + littleEndian(2) + littleEndian(20 + size) + littleEndian(size) + "JSON" + json;
}

constexpr const char* kGltf = R"({"asset": {"version": "2.0"}, "meshes": [{}]})";

std::string modelWithMesh(const std::string& visuals) {
  return R"({"name": "m", "gravity": [0, 0, -9.81],
  "bodies": [{"name": "part", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1},
    "visuals": [)" +
         visuals + "]}]}";
}

void writeMesh(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

ModelDocument readWithMesh(const tests::ScratchFolder& folder, const std::string& visuals) {
  const std::string path = folder.file("m.json");
  writeMesh(path, modelWithMesh(visuals));
  return readModelFile(path);
}

}  // namespace

TEST_CASE("a mesh comes from a file beside the model, once, under the hash of its content",
          "[server][model_io][mesh]") {
  const tests::ScratchFolder folder;
  writeMesh(folder.file("part.obj"), kTriangle);
  writeMesh(folder.file("copy.OBJ"), kTriangle);
  const ModelDocument document = readWithMesh(
      folder,
      R"({"mesh": {"file": "part.obj"}}, {"mesh": {"file": "copy.OBJ", "scale": 0.5}}, {"mesh": {"file": "part.obj"}})");
  for (const LocatedFinding& finding : document.findings) FAIL_CHECK(toString(finding, "m.json"));
  const v1::Model& model = document.message;
  REQUIRE(model.meshes_size() == 1);
  CHECK(model.meshes(0).format() == "obj");
  CHECK(meshBytes(model.meshes(0)) == kTriangle);
  for (const v1::Visual& visual : model.bodies(0).visuals()) {
    CHECK(visual.mesh().file().empty());
    CHECK(visual.mesh().hash() == model.meshes(0).hash());
  }

  // What is printed needs no file, and says the same.
  const ModelDocument again = readModelText(writeModel(model, ModelSyntax::kJson), ModelSyntax::kJson);
  CHECK(again.valid());
  CHECK(again.message.SerializeAsString() == model.SerializeAsString());
}

TEST_CASE("a mesh changes the hash of the visuals and not that of the model", "[server][model_io][mesh]") {
  const tests::ScratchFolder folder;
  writeMesh(folder.file("part.obj"), kTriangle);
  const ModelDocument bare = readWithMesh(folder, "");
  const ModelDocument one = readWithMesh(folder, R"({"mesh": {"file": "part.obj"}})");
  writeMesh(folder.file("part.obj"), std::string(kTriangle) + "f 1 2 3\n");
  const ModelDocument other = readWithMesh(folder, R"({"mesh": {"file": "part.obj"}})");
  REQUIRE((bare.valid() && one.valid() && other.valid()));
  CHECK(rt::buildModel(one.spec).hash == rt::buildModel(bare.spec).hash);
  CHECK(rt::buildModel(other.spec).hash == rt::buildModel(bare.spec).hash);
  CHECK(hashVisuals(bare.message).empty());
  CHECK(hashVisuals(one.message).size() == 16);
  CHECK(hashVisuals(one.message) != hashVisuals(other.message));
}

TEST_CASE("a file that is no mesh beside the model is refused at its line", "[server][model_io][mesh]") {
  const tests::ScratchFolder folder;
  std::filesystem::create_directory(folder.file("folder.stl"));
  std::filesystem::create_symlink("/etc/passwd", folder.file("link.obj"));
  writeMesh(folder.file("half.glb"), glb(kGltf).substr(0, 40));
  writeMesh(folder.file("large.stl"), stl(1));
  std::filesystem::resize_file(folder.file("large.stl"), std::uintmax_t{2} << 30);  // 2 GiB without a block on the disk
  struct Row {
    const char *file, *rule;
  };
  const Row rows[] = {{"../m.obj", "without \"..\""},
                      {"a/../../m.obj", "without \"..\""},
                      {"/etc/passwd", "from the folder of the model file"},
                      {"none.stl", "cannot be opened"},
                      {"part.fbx", ".glb, .gltf, .stl or .obj"},
                      {"folder.stl", "must be a file"},
                      {"link.obj", "links lead out"},
                      {"half.glb", "cut off or damaged"},
                      {"large.stl", "2 MiB"}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const ModelDocument document = readWithMesh(folder, std::string(R"({"mesh": {"file": ")") + row.file + "\"}}");
    REQUIRE(document.findings.size() == 1);
    const LocatedFinding& found = document.findings[0];
    CHECK(found.finding.path == "bodies[0].visuals[0].mesh.file");
    CHECK_THAT(found.finding.rule, Catch::Contains(row.rule));
    CHECK(found.line == 3);
  }
}

TEST_CASE("all meshes of a model together have a limit", "[server][model_io][mesh]") {
  const tests::ScratchFolder folder;
  // Each is below the limit of 2 MiB alone; bytes of the header tell them apart.
  for (const char* name : {"a.stl", "b.stl"}) {
    std::string bytes = stl(25'000);
    bytes[0] = *name;
    writeMesh(folder.file(name), bytes);
  }
  CHECK(readWithMesh(folder, R"({"mesh": {"file": "a.stl"}})").valid());
  const ModelDocument document = readWithMesh(folder, R"({"mesh": {"file": "a.stl"}}, {"mesh": {"file": "b.stl"}})");
  REQUIRE(document.findings.size() == 1);
  CHECK(document.findings[0].finding.path == "bodies[0].visuals[1].mesh.file");
}

TEST_CASE("broken meshes of each format are refused in words", "[server][model_io][mesh]") {
  std::string not_finite = stl(2);
  const float infinite = INFINITY;
  std::memcpy(not_finite.data() + 84 + 50 + 12, &infinite, sizeof infinite);
  struct Row {
    const char* format;
    std::string bytes, problem;
  };
  const Row rows[] = {
      {"glb", glb(kGltf), ""},
      {"gltf", kGltf, ""},
      {"stl", stl(3), ""},
      {"stl", "solid s\nfacet normal 0 0 1\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e-3 0\nendfacet\nendsolid", ""},
      {"obj", kTriangle, ""},
      {"ply", "ply", "glb, gltf, stl or obj"},
      {"glb", "", "must begin"},
      {"glb", stl(1), "must begin"},
      {"glb", glb("{]"), "JSON cannot be read"},
      {"gltf", R"({"asset": {"version": "1.0"}})", "version 2.0"},
      {"gltf", R"({"asset": {"version": "2.0"}, "meshes": []})", "must have a mesh"},
      {"gltf", R"({"asset": {"version": "2.0"}, "meshes": [{}], "extensionsRequired": ["KHR_draco_mesh_compression"]})",
       "KHR_draco_mesh_compression"},
      {"gltf", R"({"asset": {"version": "2.0"}, "meshes": [{}], "buffers": [{"uri": "data.bin"}]})", "itself"},
      {"stl", stl(3).substr(0, 200), "cut off or damaged"},
      {"stl", "tiny", "shorter than the header"},
      {"stl", stl(0), "must have a facet"},
      {"stl", not_finite, "finite numbers in facet 1"},
      {"stl", "solid s\nfacet\nvertex 0 0 nan\n", "line 3"},
      {"stl", "solid s\nfacet\nvertex 0 0 0\nendfacet\n", "three corners in each facet"},
      {"obj", "v 0 0\n", "line 1"},
      {"obj", "v 0 0 0\nf 1 1 2\n", "name a vertex above it in each corner of a face in line 2"},
      {"obj", "v 0 0 0\nf 1 1\n", "three corners or more"},
      {"obj", "v 0 0 0\n", "must have a face"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.format, row.bytes.substr(0, 60));
    const std::string problem = meshProblem(row.format, row.bytes);
    if (row.problem.empty())
      CHECK(problem == "");
    else
      CHECK_THAT(problem, Catch::Contains(row.problem));
  }
}

TEST_CASE("a model on the wire names its meshes by the hash of their content", "[server][model_io][mesh]") {
  const tests::ScratchFolder folder;
  writeMesh(folder.file("part.obj"), kTriangle);
  const v1::Model good = readWithMesh(folder, R"({"mesh": {"file": "part.obj"}})").message;
  REQUIRE(readModelMessage(good).valid());
  const auto refused = [](const v1::Model& model, const std::string& path) {
    const std::vector<LocatedFinding> findings = readModelMessage(model).findings;
    return std::any_of(findings.begin(), findings.end(),
                       [&](const LocatedFinding& f) { return f.finding.path == path; });
  };
  const auto with = [&](auto change) {
    v1::Model model = good;
    change(model);
    return model;
  };
  const std::string visual = "bodies[0].visuals[0].mesh";
  CHECK(refused(
      with([](v1::Model& m) { m.mutable_bodies(0)->mutable_visuals(0)->mutable_mesh()->set_file("/etc/passwd"); }),
      visual + ".file"));
  CHECK(refused(with([](v1::Model& m) { m.clear_meshes(); }), visual + ".hash"));
  CHECK(refused(with([](v1::Model& m) { m.mutable_bodies(0)->mutable_visuals(0)->mutable_mesh()->clear_hash(); }),
                visual + ".file"));
  CHECK(refused(with([](v1::Model& m) { m.mutable_meshes(0)->set_hash("0123456789abcdef"); }), "meshes[0].hash"));
  CHECK(refused(with([](v1::Model& m) { m.mutable_meshes(0)->set_content("no base64!!!"); }), "meshes[0].content"));
  CHECK(refused(with([](v1::Model& m) { m.mutable_meshes(0)->set_format("stl"); }), "meshes[0].content"));
  CHECK(refused(with([](v1::Model& m) { *m.add_meshes() = m.meshes(0); }), "meshes[1].hash"));
  CHECK(refused(with([](v1::Model& m) { m.mutable_meshes(0)->set_content(std::string(3 << 20, 'A')); }),
                "meshes[0].content"));
}
