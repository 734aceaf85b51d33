// LiveScreen: texts that follow each other in time, in place on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace tactus::client {

/// Prints a text and hands it over at once. @throws std::system_error if nobody takes it: a full disk, a closed pipe
void printNow(const std::string& text);

/// On a terminal each text replaces the one before; elsewhere an empty line separates two texts.
class LiveScreen {
 public:
  /// @param[in] in_place  false: the texts follow each other on a terminal, too
  explicit LiveScreen(bool in_place);

  /// Shows a text. On a terminal its last lines are left out, with their number, if the window is too small.
  /// @throws std::system_error as printNow()
  void show(const std::string& text);

  bool inPlace() const noexcept { return in_place_; }

 private:
  bool in_place_, first_ = true;
};

/// The first `rows` lines of a text of lines, the last one of them saying how many lines are left out.
std::string fitted(const std::string& text, std::size_t rows);

}  // namespace tactus::client
