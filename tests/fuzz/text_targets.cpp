// Texts and bytes without a model of their own: grids, CSV of inputs, patterns of signals, datagrams.
#include "tests/fuzz/target.h"

#include "rt/error.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/batch/input_series.h"
#include "server/link/datagram_gate.h"
#include "server/model_io/grid_file.h"
#include "server/models/built_in_models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

namespace tactus::fuzz {

namespace {

const rt::Model& car() {
  static const rt::Model model = rt::buildModel(server::openBuiltInModel("sedan").spec);
  return model;
}

bool grid(std::string_view bytes) {
  v1::SurfaceGrid grid;
  server::GridProblem problem;
  if (!server::readGrid(bytes, grid, problem)) {
    require(!problem.rule.empty(), "a refused grid says why");
    return false;
  }
  require(grid.values_size() > 0, "a grid that is taken has values");
  require(std::all_of(grid.values().begin(), grid.values().end(), [](double z) { return std::isfinite(z); }),
          "values of a grid are finite");
  return true;
}

std::vector<std::string> gridSeeds() {
  return {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner -1\ncellsize 0.5\n0 0.1 0.2\n0 0.1 0.2\n",
          "NROWS 2\nNCOLS 2\nXLLCENTER 1e1\nYLLCENTER 0\nCELLSIZE 1\nNODATA_value -9999\n1 2\n3 4\n"};
}

bool csvInputs(std::string_view bytes) {
  std::istringstream csv{std::string(bytes)};
  std::vector<rt::ScriptedInput> script;
  try {
    script = server::readInputSeries(csv, "fuzz.csv", car(), 1'000'000);
  } catch (const Error&) { return false; }
  std::int64_t last = 0;
  for (const rt::ScriptedInput& input : script) {
    require(input.tick >= last && input.tick >= 1, "ticks of a script rise");
    last = input.tick;
    for (std::size_t i = 0; i < input.values.size(); ++i)
      require(input.values[i] >= car().actuators[i].minimum && input.values[i] <= car().actuators[i].maximum,
              "values of a script are in their ranges");
  }
  return true;
}

std::vector<std::string> csvSeeds() {
  std::string header = "t", first = "0", second = "0.5";
  for (const std::string& name : car().actuator_names) {
    header += "," + name;
    first += ",0";
    second += ", \"1e-3\"";
  }
  return {header + "\n" + first + "\n\n" + second + "\r\n", "t," + car().actuator_names.front() + "\n0,0\n1e3,0\n"};
}

bool glob(std::string_view bytes) {
  static const rt::SignalDirectory directory(car());
  std::istringstream lines{std::string(bytes)};
  std::vector<std::string> patterns;
  for (std::string line; std::getline(lines, line) && patterns.size() < 16;) patterns.push_back(line);
  std::vector<int> found;
  try {
    found = directory.resolve(patterns);
  } catch (const Error&) { return false; }
  require(std::set<int>(found.begin(), found.end()).size() == found.size(), "each signal is named once");
  for (const int index : found)
    require(index >= 0 && static_cast<std::size_t>(index) < directory.signals().size(), "a signal exists");
  return true;
}

std::vector<std::string> globSeeds() {
  return {"*", "*.r.?\nenergy.*", "[a-e]*\n[!a-c]*", "*[xyz]", "energy.total\n*.[vr].[x-z]"};
}

// ---- datagrams: a byte of flags, two of length, the bytes; as often as there are some ----

constexpr std::uint64_t kToken = 0x0123456789abcdef;

const server::DatagramKey& key() {
  static const server::DatagramKey key([] {
    server::DatagramKey::Bytes bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    return bytes;
  }());
  return key;
}

bool datagram(std::string_view bytes) {
  using server::DatagramGate;
  DatagramGate gate(kToken, key(), 1000);
  std::uint64_t newest = 0;
  for (std::int64_t now = 1; bytes.size() > 3; now += 1'000'000) {
    const auto flags = static_cast<unsigned char>(bytes[0]);
    const std::size_t said = static_cast<unsigned char>(bytes[1]) + 256u * static_cast<unsigned char>(bytes[2]);
    const std::size_t size = std::min(said, bytes.size() - 3);
    // A buffer of exactly its size, so that a read beyond it is seen.
    std::vector<std::byte> received(size);
    if (size > 0) std::memcpy(received.data(), bytes.data() + 3, size);
    bytes.remove_prefix(3 + size);
    if ((flags & 1) != 0 && size >= 16) std::memcpy(received.data() + 8, &kToken, sizeof kToken);
    if ((flags & 2) != 0 && size >= server::kDatagramTag) {
      const auto tag = key().tag(std::span(received).first(size - server::kDatagramTag));
      std::copy(tag.begin(), tag.end(), received.end() - static_cast<std::ptrdiff_t>(server::kDatagramTag));
    }
    server::InputDatagram input;
    if (gate.classify(received, now, input) != DatagramGate::Verdict::kFresh) continue;
    require(server::isAuthentic(received, key()), "what is used is authentic");
    require(input.sequence > newest, "what is used is newer than all before");
    newest = input.sequence;
    std::array<double, server::kDatagramValues> values{};
    require(input.count * input.sets <= values.size(), "values fit a datagram");
    for (std::size_t i = 0; i < input.sets; ++i) input.values(i, std::span(values).first(input.count));
    server::InputDatagram again;
    require(gate.classify(received, now, again) != DatagramGate::Verdict::kFresh, "a replayed datagram is not used");
  }
  return newest > 0;
}

std::vector<std::string> datagramSeeds() {
  // The header of clients/udp/README.md, with two sets of two values, and without values.
  const auto made = [](char sequence, char count, char sets) {
    std::string bytes(server::kDatagramHeader + 8u * static_cast<unsigned>(count * sets) + server::kDatagramTag, '\0');
    bytes.replace(0, 6, std::string("TACT\x01\x01", 6));
    bytes[24] = sequence;
    bytes[76] = count;
    bytes[78] = sets;
    return std::string{'\x03', static_cast<char>(bytes.size()), '\0'} + bytes;
  };
  return {made(7, 2, 2), made(1, 0, 3) + made(2, 1, 1), made(9, 1, 1) + made(8, 1, 1)};
}

}  // namespace

std::vector<Target> textTargets() {
  return {{"grid", 4096, grid, gridSeeds, nullptr},
          {"csv_inputs", 4096, csvInputs, csvSeeds, nullptr},
          {"glob", 512, glob, globSeeds, nullptr},
          {"datagram", 4096, datagram, datagramSeeds, nullptr}};
}

}  // namespace tactus::fuzz
