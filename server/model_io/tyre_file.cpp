#include "server/model_io/tyre_file.h"

#include "rt/model/finding_list.h"
#include "rt/model/magic_formula.h"
#include "server/model_io/data_word.h"
#include "server/model_io/tyre_entries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace tactus::server {
namespace {

/// Names whose values the reader takes or knows to be of no force: they are not reported.
constexpr const char* kPassedOver =
    "ALPMIN ALPMAX CAMMIN CAMMAX KPUMIN KPUMAX FZMIN FZMAX PRESMIN PRESMAX GAMMA_MIN GAMMA_MAX LONGVL "
    "VXLOW USE_MODE FITTYP FILE_VERSION PLUS WIDTH ASPECT_RATIO RIM_RADIUS RIM_WIDTH UNLOADED_RADIUS "
    "FNOMIN VERTICAL_STIFFNESS VERTICAL_DAMPING BREFF DREFF FREFF Q_RE0 MASS IXX IYY BELT_MASS BELT_IXX "
    "BELT_IYY GRAVITY NOMPRES INFLPRES LONGITUDINAL_STIFFNESS LATERAL_STIFFNESS TYRE_MASS MEASURED_TESTNR "
    "ADAMS_TYRE_VERSION PTX1 PTY1 PTY2 QSY1 BOTTOM_OFFST BOTTOM_STIFF HMAX_STEP ROAD_INCREMENT "
    "ROAD_DIRECTION TYPE_OF_RIM";

/// How scaling factors change coefficients: each is multiplied by all factors of its row.
struct Scaling {
  const char* factors;       ///< "LMUX" or "LKY/LMUY"
  const char* coefficients;  ///< with blanks between
};
constexpr Scaling kScalings[] = {
    {"LCX", "PCX1"},
    {"LMUX", "PDX1 PDX2 PVX1 PVX2"},
    {"LEX", "PEX1 PEX2 PEX3"},
    {"LKX", "PKX1 PKX2"},
    {"LHX", "PHX1 PHX2"},
    {"LVX", "PVX1 PVX2"},
    {"LCY", "PCY1"},
    {"LMUY", "PDY1 PDY2 PVY1 PVY2 PVY3 PVY4 QDZ6 QDZ7 QDZ8 QDZ9 QDZ10 QDZ11"},
    {"LEY", "PEY1 PEY2"},
    {"LKY", "PKY1"},
    {"LHY", "PHY1 PHY2"},
    {"LVY", "PVY1 PVY2"},
    {"LXAL", "RBX1 RBX3"},
    {"LYKA", "RBY1 RBY4"},
    {"LVYKA", "RVY1 RVY2 RVY3"},
    {"LTR", "QDZ1 QDZ2"},
    {"LRES", "QDZ6 QDZ7"},
    {"LKY/LMUY", "QBZ1 QBZ2 QBZ3 QBZ9"},
    {"LS", "SSZ1 SSZ2 SSZ3 SSZ4"},
};
/// Of the newer form only.
constexpr Scaling kScalingsOf6[] = {
    {"LKYC", "PKY6 PKY7 PVY3 PVY4"},
    {"LKZC", "QDZ8 QDZ9 QDZ10 QDZ11"},
};
/// Of the older form only; the square where the camber counts squared.
constexpr Scaling kScalingsOf5[] = {
    {"LGAX", "PDX3 PDX3"},
    {"LGAY", "PDY3 PDY3 PKY3 PHY3 PVY3 PVY4 PEY4"},
    {"LGAZ", "QBZ4 QBZ5 QDZ3 QDZ4 QDZ4 QEZ5 QHZ3 QHZ4 QDZ8 QDZ9 SSZ3 SSZ4"},
};

class TyreReader {
 public:
  explicit TyreReader(TyreProblem& problem) : problem_(problem) {}

  std::optional<TyreProperties> read(std::string_view text) {
    if (!entries_.read(text, problem_) || !chooseForm() || !readUnits()) return std::nullopt;
    TyreProperties out;
    if (!readBody(out) || !readCoefficients(out)) return std::nullopt;
    return out;
  }

 private:
  bool fail(int line, std::string value, std::string rule, std::string hint = {}) {
    problem_ = {line, std::move(value), std::move(rule), std::move(hint)};
    return false;
  }

  const TyreEntry* find(const std::string& name) const { return entries_.find(name); }
  double numberOf(const std::string& name, double otherwise = 0) const {
    const TyreEntry* entry = find(name);
    return entry != nullptr && entry->number ? *entry->number : otherwise;
  }

  bool chooseForm() {
    const TyreEntry* const format = find("PROPERTY_FILE_FORMAT");
    const std::string named = format == nullptr ? "" : upperCase(format->text);
    if (named.find("PAC89") != std::string::npos || named.find("PAC94") != std::string::npos ||
        named.find("PAC_MC") != std::string::npos || named.find("FIALA") != std::string::npos ||
        named.find("FTIRE") != std::string::npos || named.find("UA") == 0 || named.find("521") == 0)
      return fail(format->line, shortWord(format->text),
                  "must be a Magic Formula file: MF-Tyre 5.2, PAC2002 or MF-Tyre 6");
    const TyreEntry* const fit = find("FITTYP");
    if (fit != nullptr) {
      const double type = fit->number.value_or(-1);
      const auto isOneOf = [type](std::initializer_list<int> types) {
        return std::any_of(types.begin(), types.end(), [type](int t) { return type == t; });
      };
      if (isOneOf({60, 61, 62})) return true;
      if (!isOneOf({5, 6, 21, 51, 52}))
        return fail(fit->line, "FITTYP = " + shortWord(fit->text), "must be 5, 6, 21, 51, 52, 60, 61 or 62",
                    "these are the files of MF-Tyre 5 and 6 for cars");
      is_older_ = true;
      return true;
    }
    // PAC2002 has no FITTYP; without either, only the newer form has these.
    const bool is_newer = find("PKY4") != nullptr || find("PKY6") != nullptr || find("PKY7") != nullptr;
    is_older_ = named.find("PAC2002") != std::string::npos || !is_newer;
    return true;
  }

  bool readUnits() {
    struct Unit {
      const char* names;
      double value;
    };
    const auto choose = [this](const char* kind, std::initializer_list<Unit> units, double& factor) {
      const TyreEntry* const entry = find(std::string("UNITS.") + kind);
      if (entry == nullptr) return true;
      const std::string wanted = ' ' + upperCase(entry->text) + ' ';
      for (const Unit& unit : units)
        if (std::string(unit.names).find(wanted) != std::string::npos) {
          factor = unit.value;
          return true;
        }
      return fail(entry->line, std::string(kind) + " = " + shortWord(entry->text), "must be a unit that is known");
    };
    constexpr double kPoundMass = 0.45359237, kStandardGravity = 9.80665;
    double angle = 1;
    if (!choose("LENGTH",
                {{" METER METRE M ", 1},
                 {" MM MILLIMETER ", 1e-3},
                 {" CM CENTIMETER ", 1e-2},
                 {" KM ", 1e3},
                 {" INCH IN ", 0.0254},
                 {" FOOT FT FEET ", 0.3048}},
                length_) ||
        !choose("FORCE",
                {{" NEWTON N ", 1},
                 {" KILONEWTON KN KNEWTON ", 1e3},
                 {" POUND_FORCE LBF POUND ", kPoundMass * kStandardGravity},
                 {" KILOGRAM_FORCE KGF ", kStandardGravity}},
                force_) ||
        !choose("TIME", {{" SECOND SEC S ", 1}, {" MILLISECOND MS ", 1e-3}, {" MINUTE MIN ", 60}, {" HOUR H ", 3600}},
                time_) ||
        !choose("ANGLE", {{" RADIAN RADIANS RAD ", 1}, {" DEGREE DEGREES DEG ", 0}}, angle))
      return false;
    if (angle == 0)
      return fail(find("UNITS.ANGLE")->line, "ANGLE = " + shortWord(find("UNITS.ANGLE")->text), "must be radians",
                  "coefficients of degrees are not converted");
    return true;
  }

  bool requirePositive(const char* name, double factor, double& value) {
    const TyreEntry* const entry = find(name);
    value = numberOf(name) * factor;
    if (value > 0) return true;
    return fail(entry == nullptr ? 0 : entry->line,
                entry == nullptr ? "no " + std::string(name) : shortWord(entry->text),
                std::string("must have ") + name + " above zero");
  }

  bool readBody(TyreProperties& out) {
    double load = 0;
    if (!requirePositive("UNLOADED_RADIUS", length_, out.radius) || !requirePositive("FNOMIN", force_, load))
      return false;
    const double shift = numberOf("LFZO", 1);
    if (!(shift > 0)) return fail(find("LFZO")->line, rt::printed(shift), "must be above zero: LFZO");
    out.nominal_load = load * shift;
    out.stiffness = numberOf("VERTICAL_STIFFNESS") * force_ / length_ * numberOf("LCZ", 1);
    out.damping = numberOf("VERTICAL_DAMPING") * force_ * time_ / length_;
    const double B = numberOf("BREFF"), D = numberOf("DREFF"), F = numberOf("FREFF");
    if ((D != 0 || F != 0) && out.stiffness > 0) {
      // R_e = R_0 - rho_0 (D atan(B rho / rho_0) + F rho / rho_0) at rho = rho_0, the deflection of the nominal load.
      const double radius = out.radius - load / out.stiffness * (D * std::atan(B) + F);
      if (radius > 0) out.rolling_radius = std::min(radius, out.radius);
    }
    out.rolling_resistance =
        numberOf("QSY1") * numberOf("LMY", 1) * out.radius / out.rolling_radius.value_or(out.radius);
    if (!(out.rolling_resistance >= 0 && out.rolling_resistance <= 1)) out.rolling_resistance = 0;
    if (const TyreEntry* const side = find("TYRESIDE")) {
      const std::string word = upperCase(side->text);
      if (word == "LEFT" || word == "L") out.side = "left";
      if (word == "RIGHT" || word == "R") out.side = "right";
    }
    return true;
  }

  double scaleOf(const char* factors) const {
    const std::string text = factors;
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return numberOf(text, 1);
    return numberOf(text.substr(0, slash), 1) / numberOf(text.substr(slash + 1), 1);
  }

  template <std::size_t size>
  void applyScalings(const Scaling (&rows)[size], std::map<std::string, double>& c) const {
    for (const Scaling& row : rows) {
      const double factor = scaleOf(row.factors);
      if (factor == 1) continue;
      std::string_view names = row.coefficients;
      while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        if (const auto found = c.find(std::string(names.substr(0, end))); found != c.end()) found->second *= factor;
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    }
  }

  /// The effect of an inflation that is not the nominal one.
  void applyPressure(std::map<std::string, double>& c) const {
    const double nominal = numberOf("NOMPRES"), actual = numberOf("INFLPRES", nominal);
    if (is_older_ || !(nominal > 0) || actual == nominal) return;
    const double p = actual / nominal - 1;
    const auto scale = [&](std::initializer_list<const char*> names, double factor) {
      for (const char* name : names)
        if (const auto found = c.find(name); found != c.end()) found->second *= factor;
    };
    const auto of = [this](const char* name) { return numberOf(name); };
    scale({"PKX1", "PKX2"}, 1 + of("PPX1") * p + of("PPX2") * p * p);
    scale({"PDX1", "PDX2"}, 1 + of("PPX3") * p + of("PPX4") * p * p);
    scale({"PKY1"}, 1 + of("PPY1") * p);
    scale({"PKY2", "PKY5"}, 1 + of("PPY2") * p);
    scale({"PDY1", "PDY2"}, 1 + of("PPY3") * p + of("PPY4") * p * p);
    scale({"PKY6", "PKY7"}, 1 + of("PPY5") * p);
    scale({"QDZ1", "QDZ2"}, 1 - of("PPZ1") * p);
    scale({"QDZ6", "QDZ7"}, 1 - of("PPZ2") * p);
  }

  bool readCoefficients(TyreProperties& out) {
    std::set<std::string> taken;
    std::istringstream passed_over(kPassedOver);
    for (std::string name; passed_over >> name;) taken.insert(name);
    std::map<std::string, double> c;
    for (const rt::MagicFormulaName& known : rt::kMagicFormulaNames) {
      // A coefficient of the other form does not count.
      const std::string name = known.name;
      const bool other = is_older_ ? name == "PKY4" || name == "PKY5" || name == "PKY6" || name == "PKY7" ||
                                         name == "PEY5" || name == "QBZ6" || name == "RBX3" || name == "RBY4" ||
                                         name == "QDZ10" || name == "QDZ11"
                                   : name == "PHY3" || name == "QBZ4";
      if (other) continue;
      if (const TyreEntry* entry = find(name); entry != nullptr && entry->number) c[name] = *entry->number;
      taken.insert(name);
    }
    for (const char* name : {"LFZO", "LCZ", "LMY", "LSGKP", "LSGAL"}) taken.insert(name);
    const auto takeFactors = [&taken](const auto& rows) {
      for (const Scaling& row : rows)
        if (std::string(row.factors).find('/') == std::string::npos) taken.insert(row.factors);
    };
    takeFactors(kScalings);
    is_older_ ? takeFactors(kScalingsOf5) : takeFactors(kScalingsOf6);
    for (const char* name : {"PPX1", "PPX2", "PPX3", "PPX4", "PPY1", "PPY2", "PPY3", "PPY4", "PPY5", "PPZ1", "PPZ2"})
      if (!is_older_) taken.insert(name);

    readRelaxation(out, c);
    applyScalings(kScalings, c);
    is_older_ ? applyScalings(kScalingsOf5, c) : applyScalings(kScalingsOf6, c);
    applyPressure(c);
    for (const char* name : {"PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY2"})
      if (!(c.count(name) > 0 && c.at(name) > 0)) return refuseCoefficient(name, "above zero");
    if (!(c.count("PKY1") > 0 && c.at("PKY1") < 0)) return refuseCoefficient("PKY1", "below zero");

    out.formula.set_form(is_older_ ? v1::MAGIC_FORMULA_FORM_5 : v1::MAGIC_FORMULA_FORM_6);
    for (const rt::MagicFormulaName& known : rt::kMagicFormulaNames)
      if (const auto found = c.find(known.name); found != c.end()) {
        v1::Coefficient& coefficient = *out.formula.add_coefficients();
        coefficient.set_name(known.name);
        coefficient.set_value(found->second);
      }
    for (const auto& [name, entry] : entries_.all()) {
      const bool counts = entry.number && *entry.number != (name.front() == 'L' ? 1.0 : 0.0);
      if (counts && entry.isOfNumbers() && taken.count(name) == 0)
        out.left_out.push_back(name + " (line " + std::to_string(entry.line) + ')');
    }
    return true;
  }

  bool refuseCoefficient(const char* name, const char* range) {
    const TyreEntry* const entry = find(name);
    return fail(entry == nullptr ? 0 : entry->line,
                entry == nullptr ? "no " + std::string(name) : name + (" = " + entry->text),
                std::string("must have ") + name + ' ' + range, "the formula has no force without it");
  }

  /// Of the nominal load, without camber.
  void readRelaxation(TyreProperties& out, const std::map<std::string, double>& c) const {
    const auto of = [&c](const char* name, double otherwise = 0) {
      const auto found = c.find(name);
      return found == c.end() ? otherwise : found->second;
    };
    const double F = out.nominal_load;
    if (numberOf("PTX1") > 0)
      out.longitudinal_relaxation = numberOf("PTX1") * out.radius * numberOf("LSGKP", 1);
    else if (numberOf("LONGITUDINAL_STIFFNESS") > 0)
      out.longitudinal_relaxation =
          F * of("PKX1") * numberOf("LKX", 1) / (numberOf("LONGITUDINAL_STIFFNESS") * force_ / length_);
    if (numberOf("PTY1") > 0 && numberOf("PTY2") > 0)
      out.lateral_relaxation =
          numberOf("PTY1") * std::sin(2 * std::atan(1 / numberOf("PTY2"))) * out.radius * numberOf("LSGAL", 1);
    else if (numberOf("LATERAL_STIFFNESS") > 0 && of("PKY2") > 0)
      out.lateral_relaxation = -of("PKY1") * numberOf("LKY", 1) * F *
                               std::sin(of("PKY4", 2) * std::atan(1 / of("PKY2"))) /
                               (numberOf("LATERAL_STIFFNESS") * force_ / length_);
    for (auto* length : {&out.longitudinal_relaxation, &out.lateral_relaxation})
      if (*length && !(**length > 0)) length->reset();
  }

  TyreProblem& problem_;
  TyreEntries entries_;
  bool is_older_ = false;
  double length_ = 1, force_ = 1, time_ = 1;  ///< of [UNITS] in SI
};

}  // namespace

std::optional<TyreProperties> readTyre(std::string_view text, TyreProblem& problem) {
  return TyreReader(problem).read(text);
}

}  // namespace tactus::server
