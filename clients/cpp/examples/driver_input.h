// What the driver does: from the keyboard of a terminal, or from a recorded file.
#pragma once

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace tactus::example {

/// Steering wheel (rad, left positive), pedals (0 to 1), ratio of the gearbox.
struct DriverInput {
  double steering = 0, throttle = 0, brake = 0, gear_ratio = 1.4;

  std::array<double, 4> values() const { return {steering, throttle, brake, gear_ratio}; }
};

inline constexpr std::array<const char*, 4> kDriverInputs{"steering", "throttle", "brake", "gear_ratio"};

/// Rows of t,steering,throttle,brake,gear_ratio; each holds until the next.
class RecordedDriver {
 public:
  explicit RecordedDriver(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read '" + path + "'");
    std::string line;
    std::getline(file, line);
    // A spreadsheet begins its CSV with a byte order mark and ends lines with a carriage return.
    if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (line != "t,steering,throttle,brake,gear_ratio")
      throw std::runtime_error(path + ": the first line must be t,steering,throttle,brake,gear_ratio");
    for (int number = 2; std::getline(file, line); ++number) {
      std::istringstream text(line);
      double v[5];
      char comma = ',';
      bool five = true;
      for (int k = 0; k < 5; ++k)
        five = five && text >> v[k] && (k == 4 ? (text >> std::ws).eof() : text >> comma && comma == ',');
      if (!five) throw std::runtime_error(path + ':' + std::to_string(number) + ": must be five numbers");
      if (!rows_.emplace(v[0], DriverInput{v[1], v[2], v[3], v[4]}).second)
        throw std::runtime_error(path + ':' + std::to_string(number) + ": this time is given twice");
    }
    if (rows_.empty()) throw std::runtime_error(path + ": has no rows");
  }

  DriverInput at(double t) const {
    const auto next = rows_.upper_bound(t);
    return next == rows_.begin() ? DriverInput{} : std::prev(next)->second;
  }

 private:
  std::map<double, DriverInput> rows_;
};

/// Arrow keys of a terminal: left and right steer, up drives, down brakes; pedals come back by themselves. q ends.
class KeyboardDriver {
 public:
  KeyboardDriver() {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~KeyboardDriver() { tcsetattr(STDIN_FILENO, TCSANOW, &before_); }
  KeyboardDriver(const KeyboardDriver&) = delete;
  KeyboardDriver& operator=(const KeyboardDriver&) = delete;

  /// Takes the keys pressed since the last call, `dt` seconds ago.
  /// @returns false when the driver wants to end
  bool update(double dt) {
    const std::lock_guard lock(mutex_);
    input_.throttle = std::max(0.0, input_.throttle - 0.5 * dt);
    input_.brake = std::max(0.0, input_.brake - 2 * dt);
    for (pollfd ready{STDIN_FILENO, POLLIN, 0}; poll(&ready, 1, 0) > 0;) {
      char key[3] = {};
      const auto count = read(STDIN_FILENO, key, sizeof key);
      if (count <= 0 || key[0] == 'q') return false;
      if (count < 3 || key[0] != '\033') continue;
      switch (key[2]) {
        case 'A': input_.throttle = std::min(1.0, input_.throttle + 0.15); break;
        case 'B': input_.brake = std::min(1.0, input_.brake + 0.3); break;
        case 'C': input_.steering = std::max(-6.0, input_.steering - 0.1); break;
        case 'D': input_.steering = std::min(6.0, input_.steering + 0.1); break;
        default: break;
      }
    }
    return true;
  }

  DriverInput input() const {
    const std::lock_guard lock(mutex_);
    return input_;
  }

 private:
  termios before_{};
  mutable std::mutex mutex_;
  DriverInput input_;
};

}  // namespace tactus::example
