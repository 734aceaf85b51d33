#include "clients/cli/live_screen.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tactus::client {
namespace {

/// Lines of the window; 0 if unknown.
std::size_t windowRows() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

}  // namespace

void printNow(const std::string& text) {
  errno = 0;
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::system_error(errno, std::generic_category(), "standard output cannot be written");
}

std::string fitted(const std::string& text, std::size_t rows) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (rows < 2 || lines <= rows) return text;
  std::size_t end = 0;
  for (std::size_t line = 0; line + 1 < rows; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end) + fmt::format("... {} more lines; make the window larger\n", lines - rows + 1);
}

LiveScreen::LiveScreen(bool in_place) : in_place_(in_place && ::isatty(STDOUT_FILENO) == 1) {}

void LiveScreen::show(const std::string& text) {
  // Home, and erase what is behind the text.
  if (in_place_) {
    // The cursor needs the last line of the window.
    const std::size_t rows = windowRows();
    printNow(fmt::format("\x1b[H\x1b[J{}", fitted(text, rows > 0 ? rows - 1 : 0)));
  } else {
    printNow((first_ ? "" : "\n") + text);
  }
  first_ = false;
}

}  // namespace tactus::client
