// clients/udp/README.md: its offsets and its test vectors, against the header for devices and against the server.
// Covers: server/link/datagram_key.cpp
#include "server/link/datagram.h"

#include "clients/udp/tactus_udp.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::string page() {
  std::ifstream file(TACTUS_SOURCE_DIR "/clients/udp/README.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The blocks of the page that hold nothing but bytes.
std::vector<Bytes> vectors() {
  std::vector<Bytes> found;
  const std::string text = page();
  const std::regex block("```\n((?:[0-9a-f]{2}[ \n])+)```");
  for (auto match = std::sregex_iterator(text.begin(), text.end(), block); match != std::sregex_iterator(); ++match) {
    std::istringstream words((*match)[1]);
    found.emplace_back();
    for (std::string word; words >> word;)
      found.back().push_back(static_cast<std::uint8_t>(std::stoi(word, nullptr, 16)));
  }
  REQUIRE(found.size() == 3);
  return found;
}

tactus_udp_link linkOfPage() {
  tactus_udp_link link{};
  link.token = 0x0123456789abcdefu;
  for (std::uint8_t i = 0; i < 16; ++i) link.key[i] = i;
  link.input_layout = 0x1122334455667788u;
  link.output_layout = 0x99aabbccddeeff00u;
  link.inputs = 2;
  link.outputs = 3;
  return link;
}

DatagramKey::Bytes keyOfPage() {
  DatagramKey::Bytes bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

Bytes bytesOf(const DatagramBuffer& out, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(out.data());
  return {begin, begin + size};
}

}  // namespace

TEST_CASE("the offsets of the page cover every byte of the header", "[server][link]") {
  const std::string text = page();
  const std::regex row("\n\\| ([0-9]+) \\| ([0-9]+) \\| ([a-z_]+) \\|");
  std::size_t end = 0;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), row); match != std::sregex_iterator(); ++match) {
    INFO((*match)[3]);
    CHECK(std::stoul((*match)[1]) == end);
    end += std::stoul((*match)[2]);
  }
  CHECK(end == kDatagramHeader);
}

TEST_CASE("the input of the page is what a device writes and the server reads", "[server][link]") {
  const Bytes expected = vectors()[0];
  const tactus_udp_link link = linkOfPage();
  const std::vector<double> values = {1.5, -2, 0.25, 1e-3};
  Bytes written(TACTUS_UDP_LARGEST);
  written.resize(tactus_udp_write_input(&link, 7, 9, 5, 1'000'000'000, values.data(), 2, written.data()));
  CHECK(written == expected);

  InputDatagram datagram;
  REQUIRE(readInput(std::as_bytes(std::span(expected)), datagram));
  CHECK(isAuthentic(std::as_bytes(std::span(expected)), DatagramKey(keyOfPage())));
  CHECK(datagram.token == link.token);
  CHECK(datagram.layout == link.input_layout);
  CHECK(datagram.sequence == 7);
  CHECK(datagram.tick == 9);
  CHECK(datagram.acknowledged == 5);
  double repeated[2];
  datagram.values(1, repeated);
  CHECK(repeated[0] == 0.25);
  CHECK(repeated[1] == 1e-3);
}

TEST_CASE("the state of the page is what the server writes and a device reads", "[server][link]") {
  const Bytes expected = vectors()[1];
  const tactus_udp_link link = linkOfPage();
  v1::StateFrame frame;
  frame.set_sequence(6);
  frame.set_flags(v1::FRAME_FLAG_INPUT_HELD);
  frame.set_tick(9);
  frame.set_sim_time_ns(9'000'000);
  frame.set_server_time_ns(1'700'000'000'000'000'000);
  frame.set_input_sequence(7);
  frame.set_input_age_ticks(1);
  frame.set_frames_missed(3);
  frame.set_input_mode(v1::INPUT_MODE_DRIVEN);
  const double values[3] = {0.5, -0.125, 1024};
  frame.set_packed(values, sizeof values);
  DatagramBuffer out;
  const std::size_t size = writeState(frame, link.token, link.output_layout, DatagramKey(keyOfPage()), out);
  CHECK(bytesOf(out, size) == expected);

  tactus_udp_state state{};
  REQUIRE(tactus_udp_read(&link, expected.data(), expected.size(), &state) == TACTUS_UDP_STATE);
  CHECK(state.tick == 9);
  CHECK(state.acknowledged == 7);
  CHECK(tactus_udp_value(&state, 2) == 1024);
}

TEST_CASE("the refusal of the page is what the server writes and a device reads", "[server][link]") {
  const Bytes expected = vectors()[2];
  const tactus_udp_link link = linkOfPage();
  DatagramBuffer out;
  const std::size_t size = writeRefusal(RefusalCode::kOutOfRange, 8, 1, 9, link.token, DatagramKey(keyOfPage()), out);
  CHECK(bytesOf(out, size) == expected);
  tactus_udp_state state{};
  REQUIRE(tactus_udp_read(&link, expected.data(), expected.size(), &state) == TACTUS_UDP_REFUSAL);
  CHECK(state.flags == TACTUS_UDP_OUT_OF_RANGE);
}
