#include "proto/text/enum_word.h"

#include "tactus/v1/state.pb.h"

#include <catch2/catch.hpp>

using namespace tactus;
using text::enumWord;

TEST_CASE("a value of an enum reads as a word without the name of its type", "[proto][text]") {
  CHECK(enumWord(*v1::InputMode_descriptor(), v1::INPUT_MODE_RAMPING) == "ramping");
  CHECK(enumWord(*v1::InputMode_descriptor(), v1::INPUT_MODE_SAFE) == "safe");
  CHECK(enumWord(*v1::FrameFlag_descriptor(), v1::FRAME_FLAG_INPUT_HELD) == "input held");
}

TEST_CASE("a value that this version does not know is its number", "[proto][text]") {
  CHECK(enumWord(*v1::InputMode_descriptor(), 4711) == "4711");
}
