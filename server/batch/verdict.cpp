#include "server/batch/verdict.h"

#include "rt/model/model.h"
#include "server/batch/reference.h"
#include "server/batch/shown.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::server {
namespace {

/// Minimum observed order of smooth motions, and where laws have kinks or inputs jump; one half below the expected one.
constexpr double kLeastOrder = 1.5, kLeastOrderWithKinks = 0.5;
/// The order is judged if the error is at least this share of its limit: below it, nothing depends on the order.
constexpr double kOrderMatters = 0.1;
/// Constraints count as closed below this share of the smallest limit of a position.
constexpr double kClosed = 1e-3;
/// The energy of a mechanism at rest is judged by this share of the largest weight times its size.
constexpr double kLeastEnergy = 0.1;
/// The error of a step of order 2 over its difference from a quarter of that step.
constexpr double kOverQuarter = 16.0 / 15;

/// A line of the verdict.
struct Finding {
  bool holds;
  std::string text;
  double share;  ///< of its limit; the finding with the largest one decides
};

class Verdict {
 public:
  Verdict(const Evidence& evidence, ValidationReport& report) : at_(evidence), report_(report) {}

  /// The energy that the motion exchanges, J.
  double exchangedEnergy() const {
    double most = 0;
    for (const char* part : {"energy.kinetic", "energy.dissipated", "energy.input"}) {
      const auto at = static_cast<std::size_t>(at_.reader.find(part));
      for (const std::vector<double>& sample : at_.exact.values) most = std::max(most, std::abs(sample[at]));
    }
    double weight = 0;
    for (const rt::Body& body : at_.model.bodies)
      weight =
          std::max(weight, body.mass * at_.model.gravity.norm() * std::sqrt(body.inertia.trace() / (2 * body.mass)));
    return std::max(most, kLeastEnergy * weight);
  }

  void all() {
    require(at_.chosen.row.failure.empty(), at_.chosen.row.failure.empty() ? "ran to the end" : at_.chosen.row.failure,
            at_.chosen.row.failure.empty() ? 0 : std::numeric_limits<double>::infinity());
    if (at_.chosen.row.failure.empty() && at_.chosen.row.reached < report_.until * (1 - 1e-9))
      require(false,
              "the real-time solver came to t = " + shown(at_.chosen.row.reached) + " s of " + shown(report_.until) +
                  " s in its time; give more with --budget",
              std::numeric_limits<double>::infinity());
    judgeKinds();
    judgeReferences();
    judgeRest();
    judgeEnergy();
    judgeGrowth();
    judgeOrder();
    judgeConstraints();
    finish();
  }

  void require(bool holds, const std::string& text, double share = 0) { findings_.push_back({holds, text, share}); }

  /// The worst quantity of each kind.
  void judgeKinds() {
    for (std::size_t k = 0; k + 1 < kKinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      const auto worst = std::find_if(report_.judged.begin(), report_.judged.end(),
                                      [&](const JudgedError& e) { return e.kind == kind && e.unjudged.empty(); });
      int shared = 0;
      double from = std::numeric_limits<double>::infinity();
      for (const JudgedError& e : report_.judged)
        if (e.kind == kind && !e.unjudged.empty()) {
          ++shared;
          from = std::min(from, e.unjudged_from);
        }
      const std::string left_out =
          shared > 0 ? "; " + std::to_string(shared) +
                           " not judged, which redundant constraints share, first at t = " + shown(from) + " s"
                     : "";
      if (worst == report_.judged.end()) {
        if (shared > 0) require(true, std::string(toString(kind)) + ": none judged" + left_out);
        continue;
      }
      std::string text = std::string(toString(kind)) + ": error of " + worst->name + ' ' + shown(worst->error) + ' ' +
                         worst->unit + ", allowed " + shown(worst->limit) + ' ' + worst->unit;
      if (worst->error > worst->limit) {
        text += " (" + shown(report_.tolerances.of(kind)) + " of " + shown(worst->scale) + ' ' + worst->unit +
                "), at t = " + shown(worst->at) + " s";
      }
      require(worst->error <= worst->limit, text + left_out, worst->share());
    }
  }

  /// Whether the references agree well enough for these errors.
  void judgeReferences() {
    if (onlyOne()) {
      const std::string why = report_.references.size() > 1 && !report_.references[1].failure.empty()
                                  ? report_.references[1].failure
                                  : "no sample in its time";
      require(false, "only one reference: " + why, 1);
      return;
    }
    const JudgedError* worst = nullptr;
    double most = 0;
    for (const JudgedError& e : report_.judged) {
      if (!e.unjudged.empty() || e.limit <= 0 || e.error > e.limit) continue;
      const double share = (e.error + e.uncertainty) / e.limit;
      if (share > most) most = share, worst = &e;
    }
    if (worst == nullptr) return;
    std::string text = "the references agree, with error and difference up to " + shown(most) + " of what is allowed";
    if (most > 1)
      text = std::string("the references differ by ") + shown(worst->uncertainty) + ' ' + worst->unit + " in " +
             toString(worst->kind) + ' ' + worst->name + ", which is allowed " + shown(worst->limit) + ' ' +
             worst->unit + ": the error is not known well enough";
    require(most <= 1, text, most > 1 ? most : 0);
  }

  /// What the references do not cover: the solver beside itself with a quarter of its step.
  void judgeRest() {
    const double both =
        onlyOne() ? report_.covered : std::min(report_.references[0].covered, report_.references[1].covered);
    if (both < report_.covered * (1 - 1e-9))
      notes_.push_back("both references cover " + shown(both) + " s, one of them " + shown(report_.covered) + " s");
    if (report_.complete()) return;
    const std::string from = "from t = " + shown(report_.covered) + " s on, where no reference came in its time, ";
    if (at_.quarter == nullptr || !at_.quarter->row.failure.empty() || at_.quarter->row.reached <= report_.covered) {
      require(false, from + "nothing is known; give more time with --budget, or compare a shorter time", 1);
      return;
    }
    // Scales of the whole run, which may move more after the references ended.
    const double reached = std::min(at_.quarter->row.reached, at_.chosen.row.reached);
    const double never = std::numeric_limits<double>::infinity();  // at_.measures knows the reactions to leave out
    const std::vector<Measure> whole = measuresOf(at_.model, at_.reader, at_.quarter->series, reached,
                                                  std::vector<double>(at_.model.joints.size(), never));
    double most = 0;
    std::string name;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Measure& measure = whole[i];
      const double limit = report_.tolerances.of(measure.kind) * std::max(measure.scale, at_.measures[i].scale);
      if (!at_.measures[i].unjudged.empty() || limit <= 0) continue;
      const double change = errorOf(measure, differences(measure, at_.chosen.series, at_.quarter->series));
      if (kOverQuarter * change / limit <= most) continue;
      most = kOverQuarter * change / limit;
      name = std::string(toString(measure.kind)) + ' ' + measure.name;
    }
    require(most <= 1,
            from + "a quarter of the step changes " + name + " by " + shown(most) +
                " of what is allowed, up to t = " + shown(reached) + " s",
            most);
    if (reached < report_.until * (1 - 1e-9))
      require(false,
              "from t = " + shown(reached) +
                  " s on nothing is known; give more time with --budget, or compare a "
                  "shorter time",
              1);
  }

  void judgeEnergy() {
    const double limit = report_.tolerances.of(Kind::kEnergy) * exchangedEnergy();
    if (limit <= 0) return;
    const double share = at_.chosen.row.energy_drift / limit;
    const double last = at_.chosen.energy_drift.empty() ? 0 : at_.chosen.energy_drift.back();
    const bool rises = last > 0.5 * at_.chosen.row.energy_drift;
    require(share <= 1,
            "energy: drift " + shown(at_.chosen.row.energy_drift) + " J, allowed " + shown(limit) + " J" +
                (share > 1 && rises ? "; the energy of the mechanism rises without an input" : ""),
            share);
    std::vector<double> shares;
    for (const double drift : report_.energy_drift) shares.push_back(std::abs(drift) / limit);
    report_.energy_growth = growthOf(report_.t, shares, report_.wanted);
  }

  /// Errors and energy over a longer time than was compared.
  void judgeGrowth() {
    std::vector<double> shares(report_.t.size(), 0);
    // Loads and sensors follow the motion.
    for (const Kind kind : {Kind::kPosition, Kind::kRotation, Kind::kVelocity, Kind::kJoint}) {
      const auto& over_time = report_.share_over_time[static_cast<std::size_t>(kind)];
      for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = std::max(shares[k], over_time[k]);
    }
    report_.error_growth = growthOf(report_.t, shares, report_.wanted);
    const auto say = [&](const char* what, const Growth& growth) {
      if (!growth.known) return;
      std::string text = std::string(what) + ' ' + growth.text();
      if (growth.reaches_one_at > 0)
        text += " and reach what is allowed at about t = " + shown(growth.reaches_one_at) + " s";
      if (report_.wanted > report_.until * (1 + 1e-9))
        require(growth.extrapolated <= 1,
                text + "; extrapolated to " + shown(report_.wanted) + " s: " + shown(growth.extrapolated) +
                    " of what is allowed",
                growth.extrapolated);
      else
        notes_.push_back(text);
    };
    say("errors", report_.error_growth);
    say("energy drifts", report_.energy_growth);
  }

  void judgeOrder() {
    std::string kinks = kinksOf(at_.model);
    if (at_.inputs_jump) kinks += (kinks.empty() ? "" : ", ") + std::string("inputs that jump");
    // The shorter steps show the order best. Where the error depends on the part of a step at which a kink lies, it
    // does not fall with each halving: the mean of all of them counts.
    double last = 0, sum = 0, count = 0, at_chosen = 0;
    for (const ValidationRow& row : report_.rows)
      if (row.method == "ali3p" && row.order != 0) {
        last = row.order;
        sum += row.order;
        ++count;
      }
    if (count == 0) return;
    const double order = kinks.empty() ? last : sum / count;
    for (std::size_t k = 0; k < 4 && k < report_.share_over_time.size(); ++k) {
      const auto kind = static_cast<Kind>(k);
      if (kind == Kind::kVelocity) continue;
      for (const double share : report_.share_over_time[k]) at_chosen = std::max(at_chosen, share);
    }
    const double least = kinks.empty() ? kLeastOrder : kLeastOrderWithKinks;
    const std::string text = "observed order " + shown(order) + ", required " + shown(least) +
                             (kinks.empty() ? "" : " (expected order 1 at kinks: " + kinks + ")");
    if (at_chosen < kOrderMatters)
      notes_.push_back(text + ", not judged: the errors of coordinates are below " + shown(kOrderMatters) +
                       " of what is allowed");
    else
      require(order >= least, text, order >= least ? 0 : 1 + least - order);
  }

  void judgeConstraints() {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < at_.measures.size(); ++i)
      if (at_.measures[i].kind == Kind::kPosition) smallest = std::min(smallest, at_.limits[i]);
    const double limit = std::max(kClosed * smallest, 1e-12);
    require(at_.chosen.row.worst_position <= limit,
            "constraints: open by " + shown(at_.chosen.row.worst_position) + ", allowed " + shown(limit),
            at_.chosen.row.worst_position / limit);
  }

  void finish() {
    report_.trusted = std::all_of(findings_.begin(), findings_.end(), [](const Finding& f) { return f.holds; });
    const auto decides = std::max_element(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
      return a.holds != b.holds ? a.holds : a.share < b.share;
    });
    const auto lineOf = [](const Finding& f) { return (f.holds ? "ok: " : "no: ") + f.text; };
    if (decides != findings_.end()) report_.deciding = lineOf(*decides);
    for (const Finding& finding : findings_)
      if (!finding.holds) report_.reasons.push_back(lineOf(finding));
    for (const Finding& finding : findings_)
      if (finding.holds) report_.reasons.push_back(lineOf(finding));
    for (const std::string& note : notes_) report_.reasons.push_back("note: " + note);
  }

  /// Whether no second reference has a sample.
  bool onlyOne() const {
    return std::count_if(report_.references.begin(), report_.references.end(),
                         [](const ReferenceFigures& reference) { return reference.covered > 0; }) < 2;
  }

  const Evidence& at_;
  ValidationReport& report_;
  std::vector<Finding> findings_;
  std::vector<std::string> notes_;
};

}  // namespace

void judgeAccuracy(const Evidence& evidence, ValidationReport& report) {
  Verdict(evidence, report).all();
}

}  // namespace tactus::server
