#include "server/model_io/crg_file.h"

#include "rt/model/finding_list.h"
#include "rt/utf8.h"
#include "server/model_io/crg_line.h"
#include "server/model_io/data_word.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tactus::server {
namespace {

constexpr std::size_t kMaxCrgValues = 500'000;
/// Two statements of the end of a straight line agree: what is left out of printed numbers, m and m/m.
constexpr double kSameEnd = 0.01, kSameSlope = 1e-4;
constexpr const char* kModifies = "must not change the road: apply the modifiers and write the file again";

template <typename Word, typename Number>
double bigEndian(const char* bytes) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    word = static_cast<Word>(word << 8 | static_cast<unsigned char>(bytes[i]));
  return static_cast<double>(std::bit_cast<Number>(word));
}

class CrgReader {
 public:
  CrgReader(std::string_view bytes, GridProblem& problem) : bytes_(bytes), problem_(problem) {}

  bool read(CrgRoad& out) {
    if (!readHeader() || !checkHeader() || !readRecords() || !checkLine()) return false;
    if (!fillSections(out)) return false;
    fillLine(out);
    return true;
  }

 private:
  enum class Channel { kPhi, kBanking, kSlope, kSection, kOther };
  struct Definition {
    Channel channel;
    double place = 0;  ///< of a section: v or number
  };
  using Rows = std::vector<std::vector<double>>;

  bool fail(int line, std::string_view value, std::string rule) {
    problem_ = {line, rt::printed(rt::cutText(std::string(value.substr(0, 160)), 60)), std::move(rule)};
    return false;
  }

  bool readHeader() {
    std::string section;
    while (at_ < bytes_.size()) {
      ++line_;
      const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
      const std::string_view row = bytes_.substr(at_, end - at_);
      at_ = std::min(end + 1, bytes_.size());
      if (row.rfind("$$$$", 0) == 0) return true;
      if (!row.empty() && row.front() == '$') {
        const std::string word = lowerCase(withoutBlanks(row.substr(0, row.find_first_of("! \t"))));
        section = word == "$" ? "" : word;
        if (section == "$road_crg_file") return fail(line_, row, "must not name another file: its data must be in it");
        continue;
      }
      const std::string_view text = withoutBlanks(row.substr(0, row.find('!')));
      if (text.empty() || row.front() == '*' || row.front() == '%') continue;
      if (section == "$kd_definition" && !define(text)) return false;
      if ((section == "$road_crg" || section == "$road_crg_mods") && !set(section, text)) return false;
    }
    return fail(line_, "the file", "must have a line that begins with $$$$ before its data");
  }

  bool set(const std::string& section, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return fail(line_, text, "must be NAME = number");
    const std::string name = lowerCase(withoutBlanks(text.substr(0, equals)));
    const auto value = fortranNumber(withoutBlanks(text.substr(equals + 1)));
    if (!value) return fail(line_, text, "must be NAME = number");
    if (section == "$road_crg") {
      header_[name] = *value;
      return true;
    }
    // A reference point moves or turns the line to what is given for it, be it 0, unless the line is there.
    if (name.rfind("refpoint_", 0) == 0) reference_point_ = {line_, std::string(text)};
    const bool scales = name.rfind("scale_", 0) == 0;
    const bool neutral = name == "grid_nan_mode" ? *value == 2 : *value == (scales ? 1.0 : 0.0);
    return neutral || fail(line_, text, kModifies);
  }

  bool define(std::string_view text) {
    const std::string words = lowerCase(text);
    if (words.rfind("#:", 0) == 0) {
      format_ = std::string(withoutBlanks(text.substr(2))).substr(0, 4);
      std::transform(format_.begin(), format_.end(), format_.begin(),
                     [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
      return true;
    }
    if (words.rfind("d:", 0) != 0) return true;  // U: says again what the header says
    const std::string unit(withoutBlanks(std::string_view(words).substr(std::min(words.rfind(',') + 1, words.size()))));
    if (words.find("long section") != std::string::npos) {
      const bool by_place = words.find("at v") != std::string::npos;
      const std::size_t begin = by_place ? words.find('=') : words.find("section") + 7;
      const auto place = begin == std::string::npos
                             ? std::nullopt
                             : fortranNumber(withoutBlanks(std::string_view(words).substr(
                                   begin + (by_place ? 1 : 0), words.rfind(',') - begin - (by_place ? 1 : 0))));
      if (!place) return fail(line_, text, "must have the place or the number of the long section");
      if (unit != "m" && unit != "m/m" && unit != "-" && unit != "1") return fail(line_, text, "must be in m");
      (by_place ? places_ : numbers_) += 1;
      definitions_.push_back({Channel::kSection, *place});
      return true;
    }
    const auto has = [&](const char* word) { return words.find(word) != std::string::npos; };
    definitions_.push_back({has("phi")       ? Channel::kPhi
                            : has("banking") ? Channel::kBanking
                            : has("slope")   ? Channel::kSlope
                                             : Channel::kOther});
    if (has("phi") && unit != "rad") return fail(line_, text, "must be in rad");
    return true;
  }

  bool has(const char* name) const { return header_.count(name) > 0; }
  double headerOf(const char* name, double otherwise = 0) const {
    const auto found = header_.find(name);
    return found == header_.end() ? otherwise : found->second;
  }

  bool checkHeader() {
    if (format_.size() != 4 || (format_[0] != 'K' && format_[0] != 'L') || (format_[1] != 'R' && format_[1] != 'D') ||
        (format_[2] != 'B' && format_[2] != 'F') || format_[3] != 'I')
      return fail(line_, format_, "must have a known format, such as KRBI, KDBI, LRFI or LDFI");
    if (places_ + numbers_ < 2 || (places_ > 0 && numbers_ > 0))
      return fail(line_, "the file",
                  "must define two or more long sections, all with their place or all with their number");
    du_ = headerOf("reference_line_increment");
    if (!(du_ > 0)) return fail(line_, "the file", "must have REFERENCE_LINE_INCREMENT above zero");
    if (numbers_ > 0 && !(headerOf("long_section_v_increment") > 0) &&
        !(headerOf("long_section_v_left") > headerOf("long_section_v_right")))
      return fail(line_, "the file", "must have LONG_SECTION_V_INCREMENT or LONG_SECTION_V_LEFT and _RIGHT");
    return true;
  }

  bool isText() const { return format_[2] == 'F'; }
  std::size_t width() const { return isText() ? (format_[1] == 'R' ? 10 : 20) : (format_[1] == 'R' ? 4 : 8); }

  bool readRecords() {
    const std::size_t count = definitions_.size();
    const std::size_t most = kMaxCrgValues / static_cast<std::size_t>(places_ + numbers_) + 1;
    while (true) {
      std::vector<double> record(count);
      const bool complete = isText() ? readTextRecord(record) : readBinaryRecord(record);
      if (!complete) break;
      rows_.push_back(std::move(record));
      if (rows_.size() > most)
        return fail(0, "more than 500 000 values",
                    "must be at most 500 000: take a wider increment, or fewer long sections");
    }
    if (problem_.rule.empty() && rows_.size() < 2)
      return fail(line_, std::to_string(rows_.size()) + " cross-sections",
                  "must be two or more cross-sections of data");
    const double length = headerOf("reference_line_end_u", 0) - headerOf("reference_line_start_u", 0);
    const auto wanted = static_cast<long>(std::lround(length / du_)) + 1;
    if (has("reference_line_end_u") && has("reference_line_start_u") && wanted != static_cast<long>(rows_.size()))
      return fail(0, std::to_string(rows_.size()) + " cross-sections",
                  "must be " + std::to_string(wanted) + ": from REFERENCE_LINE_START_U to _END_U");
    return problem_.rule.empty();
  }

  bool readBinaryRecord(std::vector<double>& record) {
    std::size_t size = width() * record.size();
    if (format_[0] == 'L') size = (size + 79) / 80 * 80;
    if (at_ + size > bytes_.size()) return false;
    for (std::size_t i = 0; i < record.size(); ++i) {
      const char* const from = bytes_.data() + at_ + i * width();
      record[i] = width() == 4 ? bigEndian<std::uint32_t, float>(from) : bigEndian<std::uint64_t, double>(from);
    }
    at_ += size;
    return true;
  }

  bool readTextRecord(std::vector<double>& record) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      while (at_ < bytes_.size() && (bytes_[at_] == '\n' || bytes_[at_] == '\r'))
        line_ += bytes_[at_++] == '\n' ? 1 : 0;
      if (at_ >= bytes_.size()) {
        if (i > 0) fail(line_, "the file", "must not end within a cross-section");
        return false;
      }
      const std::size_t end = std::min({bytes_.find_first_of("\r\n", at_), at_ + width(), bytes_.size()});
      const std::string_view word = withoutBlanks(bytes_.substr(at_, end - at_));
      at_ = end;
      if (i == 0 && word.empty() && withoutBlanks(bytes_.substr(at_)).empty()) return false;
      const auto value = fortranNumber(word);
      const bool is_missing = word.starts_with('*') || lowerCase(word) == "nan";
      if (!value && !is_missing) {
        fail(line_ + 1, word, "must be a number, or a word such as *missing*");
        return false;
      }
      record[i] = value ? *value : std::numeric_limits<double>::quiet_NaN();
    }
    if (format_[0] == 'L') at_ = std::min(bytes_.find('\n', at_), bytes_.size());
    return true;
  }

  bool fillSections(CrgRoad& out) {
    // Sections from right to left.
    std::vector<std::pair<double, std::size_t>> sections;
    for (std::size_t i = 0; i < definitions_.size(); ++i)
      if (definitions_[i].channel == Channel::kSection) sections.emplace_back(definitions_[i].place, i);
    std::stable_sort(sections.begin(), sections.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto n = sections.size();
    if (numbers_ > 0) {
      const double right = headerOf("long_section_v_right"), left = headerOf("long_section_v_left");
      const double step = headerOf("long_section_v_increment", (left - right) / static_cast<double>(n - 1));
      const bool has_right = has("long_section_v_right");
      const auto wanted = std::lround((left - right) / step) + 1;
      if (has_right && has("long_section_v_left") && wanted != static_cast<long>(n))
        return fail(
            0, std::to_string(n) + " long sections",
            "must be " + std::to_string(wanted) + ": from LONG_SECTION_V_RIGHT to _LEFT by LONG_SECTION_V_INCREMENT");
      for (std::size_t i = 0; i < n; ++i)
        sections[i].first = has_right ? right + static_cast<double>(i) * step
                                      : (static_cast<double>(i) - 0.5 * static_cast<double>(n - 1)) * step;
    }
    double narrowest = std::numeric_limits<double>::infinity(), widest = 0;
    for (std::size_t i = 1; i < n; ++i) {
      narrowest = std::min(narrowest, sections[i].first - sections[i - 1].first);
      widest = std::max(widest, sections[i].first - sections[i - 1].first);
    }
    if (!(narrowest > 1e-6)) return fail(0, rt::printed(narrowest), "must be long sections at different places");
    const double width = sections.back().first - sections.front().first;
    const bool equal = widest - narrowest < 1e-3 * narrowest;
    // Counted as doubles: sections may be as far apart as numbers are.
    const double wanted = equal ? static_cast<double>(n) : std::ceil(width / narrowest - 1e-9) + 1;
    const double values = wanted * static_cast<double>(rows_.size());
    if (!(values <= static_cast<double>(kMaxCrgValues)))
      return fail(0, rt::printed(values) + " values",
                  "must be at most 500 000: take a wider increment, fewer long sections, or equal distances");
    const auto columns = static_cast<std::size_t>(wanted);
    const double step = width / static_cast<double>(columns - 1);

    out.grid.Clear();
    out.grid.set_along(headerOf("reference_line_start_u"));
    out.grid.set_across(sections.front().first);
    out.grid.set_spacing(du_);
    out.grid.set_across_spacing(step);
    out.grid.set_columns(static_cast<std::uint32_t>(columns));
    std::vector<double> z(n);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t i = 0; i < n; ++i) z[i] = rows_[row][sections[i].second];
      if (!fillGaps(z, row)) return false;
      std::size_t i = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const double v = sections.front().first + static_cast<double>(c) * step;
        while (i + 2 < n && sections[i + 1].first < v) ++i;
        const double t = std::clamp((v - sections[i].first) / (sections[i + 1].first - sections[i].first), 0.0, 1.0);
        out.grid.add_values(equal ? z[c] : (1 - t) * z[i] + t * z[i + 1]);
      }
    }
    return true;
  }

  /// Missing values get the nearest ones to their right, and those at the right edge the nearest to their left.
  bool fillGaps(std::vector<double>& z, std::size_t row) {
    for (std::size_t i = 1; i < z.size(); ++i)
      if (!std::isfinite(z[i])) z[i] = z[i - 1];
    for (std::size_t i = z.size() - 1; i > 0; --i)
      if (!std::isfinite(z[i - 1])) z[i - 1] = z[i];
    return std::isfinite(z.front()) || fail(0, "cross-section " + std::to_string(row), "must have a value");
  }

  bool hasChannel(Channel channel) const {
    return std::any_of(definitions_.begin(), definitions_.end(),
                       [&](const Definition& one) { return one.channel == channel; });
  }

  /// A reference point leaves the road alone where the line begins at the origin along x.
  bool checkReferencePoint() {
    if (!reference_point_) return true;
    for (const char* start : {"_u", "_x", "_y", "_z", "_phi"})
      if (headerOf((std::string("reference_line_start") + start).c_str()) != 0)
        return fail(reference_point_->first, reference_point_->second, kModifies);
    return channelOf(Channel::kPhi, 0).front() == 0 ||
           fail(reference_point_->first, reference_point_->second, kModifies);
  }

  /// Without a heading or a slope for each record the line is straight, and what is said of its end must be on it.
  bool checkEnd() {
    const double length = du_ * static_cast<double>(rows_.size() - 1), same = kSameEnd + kSameSlope * length;
    const auto off = [&](const char* end, const char* start, double slope) {
      return has(end) ? std::abs(headerOf(end) - headerOf(start) - slope * length) : 0.0;
    };
    const double phi = headerOf("reference_line_start_phi");
    if (!hasChannel(Channel::kPhi) && !(off("reference_line_end_x", "reference_line_start_x", std::cos(phi)) <= same &&
                                        off("reference_line_end_y", "reference_line_start_y", std::sin(phi)) <= same))
      return fail(0, "REFERENCE_LINE_END_X and _Y", "must agree with REFERENCE_LINE_START_X, _Y and _PHI");
    return hasChannel(Channel::kSlope) ||
           off("reference_line_end_z", "reference_line_start_z", headerOf("reference_line_start_s")) <= same ||
           fail(0, "REFERENCE_LINE_END_Z = " + rt::printed(headerOf("reference_line_end_z")),
                "must agree with REFERENCE_LINE_START_Z and _S");
  }

  /// The first heading and the first slope lead to no record before them: they may be missing, no other one.
  bool checkLine() {
    if (!checkReferencePoint() || !checkEnd()) return false;
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
      const Channel channel = definitions_[i].channel;
      if (channel != Channel::kPhi && channel != Channel::kSlope && channel != Channel::kBanking) continue;
      for (std::size_t row = channel == Channel::kBanking ? 0 : 1; row < rows_.size(); ++row)
        if (!std::isfinite(rows_[row][i]))
          return fail(0, "cross-section " + std::to_string(row),
                      std::string("must have the ") +
                          (channel == Channel::kPhi     ? "heading"
                           : channel == Channel::kSlope ? "slope"
                                                        : "banking") +
                          " of the reference line");
    }
    return true;
  }

  /// Values of a channel of the reference line, or a constant.
  std::vector<double> channelOf(Channel channel, double constant) const {
    std::vector<double> values(rows_.size(), constant);
    for (std::size_t i = 0; i < definitions_.size(); ++i)
      if (definitions_[i].channel == channel)
        for (std::size_t row = 0; row < rows_.size(); ++row)
          values[row] = std::isfinite(rows_[row][i]) ? rows_[row][i] : 0.0;
    return values;
  }

  std::optional<double> endOf(const char* name) const {
    return has(name) ? std::optional(header_.at(name)) : std::nullopt;
  }

  void fillLine(CrgRoad& out) const {
    const double start = headerOf("reference_line_start_phi");
    std::vector<double> phi = channelOf(Channel::kPhi, start);
    std::vector<double> east(phi.size()), north(phi.size());
    for (std::size_t i = 0; i < phi.size(); ++i) east[i] = std::cos(phi[i]), north[i] = std::sin(phi[i]);
    // A straight line needs no end: it is on the line.
    const bool has_end = hasChannel(Channel::kPhi) && has("reference_line_end_x") && has("reference_line_end_y");
    const auto x =
        summed(east, du_, headerOf("reference_line_start_x"), has_end ? endOf("reference_line_end_x") : std::nullopt);
    const auto y =
        summed(north, du_, headerOf("reference_line_start_y"), has_end ? endOf("reference_line_end_y") : std::nullopt);
    out.base =
        summed(channelOf(Channel::kSlope, headerOf("reference_line_start_s")), du_, headerOf("reference_line_start_z"),
               hasChannel(Channel::kSlope) ? endOf("reference_line_end_z") : std::nullopt);
    out.banking = channelOf(Channel::kBanking, headerOf("reference_line_start_b"));

    out.line = lineThrough(x, y, headerOf("reference_line_start_u"), du_);
  }

  std::string_view bytes_;
  GridProblem& problem_;
  std::size_t at_ = 0;
  int line_ = 0;
  std::string format_;
  std::map<std::string, double> header_;
  std::optional<std::pair<int, std::string>> reference_point_;  ///< line of the file and text of a modifier
  std::vector<Definition> definitions_;
  int places_ = 0, numbers_ = 0;
  double du_ = 0;
  Rows rows_;
};

}  // namespace

bool readCrg(std::string_view bytes, CrgRoad& out, GridProblem& problem) {
  problem = {};
  return CrgReader(bytes, problem).read(out);
}

v1::SurfaceGrid heightsOf(const CrgRoad& road) {
  v1::SurfaceGrid grid = road.grid;
  const auto columns = static_cast<int>(grid.columns());
  for (int i = 0; i < grid.values_size(); ++i) {
    const auto row = static_cast<std::size_t>(i / columns);
    const double v = grid.across() + (i % columns) * grid.across_spacing();
    grid.set_values(i, grid.values(i) + road.base[row] + road.banking[row] * v);
  }
  return grid;
}

}  // namespace tactus::server
