#include "server/batch/verdict.h"

#include "rt/model/model.h"
#include "server/batch/reference.h"
#include "server/batch/shown.h"
#include "server/batch/unique_reactions.h"

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
/// What two references cover must show at least this share of the energy that the whole motion exchanges.
constexpr double kLeastSeen = 0.1;
/// Nothing moves below this share of the largest weight times its size.
constexpr double kAtRest = 1e-12;
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

  /// The energy that the motion exchanges, J: of the references, and of the solver with a quarter of its step where
  /// they do not cover everything.
  double exchangedEnergy() const {
    double most = 0;
    for (const char* part : {"energy.kinetic", "energy.dissipated", "energy.input"}) {
      const auto at = static_cast<std::size_t>(at_.reader.find(part));
      for (const std::vector<double>& sample : at_.exact.values) most = std::max(most, std::abs(sample[at]));
      if (knowsRest())
        for (const std::vector<double>& sample : at_.quarter->series.values)
          most = std::max(most, std::abs(sample[at]));
    }
    return std::max(most, kLeastEnergy * weightEnergy());
  }

  /// The largest weight of a body times its radius of gyration, J.
  double weightEnergy() const {
    double most = 0;
    for (const rt::Body& body : at_.model.bodies)
      most = std::max(most, body.mass * at_.model.gravity.norm() * std::sqrt(body.inertia.trace() / (2 * body.mass)));
    return most;
  }

  void all() {
    judgeEnd();
    judgeKinds();
    judgeReferences();
    judgeCover();
    judgeRest();
    judgeEnergy();
    judgeGrowth();
    judgeOrder();
    judgeConstraints();
    noteMotion();
    finish();
  }

  void require(bool holds, const std::string& text, double share = 0) { findings_.push_back({holds, text, share}); }

  void judgeEnd() {
    const ValidationRow& row = at_.chosen.row;
    constexpr double kMost = std::numeric_limits<double>::infinity();
    if (!row.failure.empty())
      require(false, row.failure, kMost);
    else if (row.reached < report_.until * (1 - 1e-9))
      require(false,
              "the real-time solver came to t = " + shown(row.reached) + " s of " + shown(report_.until) +
                  " s in its time; give more with --budget",
              kMost);
    else
      require(true, "ran to the end");
  }

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
          shared == 0 ? ""
          : computesUnique(at_.model)
              ? "; " + std::to_string(shared) +
                    " not judged, which redundant constraints share, first at t = " + shown(from) + " s"
              : "; " + std::to_string(shared) +
                    " on loops not judged: whether redundant constraints share them is not "
                    "computed for so many rows";
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
      std::string why;
      for (const ReferenceFigures& reference : report_.references)
        if (reference.covered <= 0)
          why += (why.empty() ? "" : "; ") + reference.text + ": " +
                 (reference.failure.empty() ? "no sample in its time" : reference.failure);
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

  /// Whether the solver with a quarter of its step says something about what no reference covers.
  bool knowsRest() const {
    return report_.covered < report_.until * (1 - 1e-9) && at_.quarter != nullptr && at_.quarter->row.failure.empty() &&
           at_.quarter->row.reached > report_.covered;
  }

  /// The largest change of an energy up to a time, J, as the solver has it.
  double changeUntil(double t) const {
    double most = 0;
    const Series& run = at_.quarter != nullptr ? at_.quarter->series : at_.chosen.series;
    for (const char* part : {"energy.kinetic", "energy.potential", "energy.dissipated", "energy.input"}) {
      const auto at = static_cast<std::size_t>(at_.reader.find(part));
      for (std::size_t k = 1; k < run.values.size() && run.t[k] <= t * (1 + 1e-9); ++k)
        most = std::max(most, std::abs(run.values[k][at] - run.values[0][at]));
    }
    return most;
  }

  /// Whether what two references cover stands for the motion.
  void judgeCover() {
    if (report_.complete() || onlyOne()) return;
    const double all = changeUntil(report_.until), seen = changeUntil(report_.confirmed);
    const std::string text =
        "two references cover " + shown(report_.confirmed) + " s of " + shown(report_.until) + " s" +
        (report_.covered > report_.confirmed * (1 + 1e-9) ? ", one of them " + shown(report_.covered) + " s" : "");
    if (seen < kLeastSeen * all)
      require(false,
              text + ", in which the motion exchanges " + shown(seen / all) + " of its energy, required " +
                  shown(kLeastSeen) + "; give more time with --budget, or compare a shorter time",
              1);
    else
      cover_ = text;
  }

  /// What the references do not cover: the solver beside itself with a quarter of its step.
  void judgeRest() {
    if (report_.covered >= report_.until * (1 - 1e-9)) return;
    const std::string from = "from t = " + shown(report_.covered) + " s on, where no reference came in its time, ";
    if (!knowsRest()) {
      require(false, from + "nothing is known; give more time with --budget, or compare a shorter time", 1);
      return;
    }
    const double reached = std::min(at_.quarter->row.reached, at_.chosen.row.reached);
    double most = 0;
    std::string name;
    for (std::size_t i = 0; i < at_.measures.size(); ++i) {
      const Measure& measure = at_.measures[i];
      if (!measure.unjudged.empty() || at_.limits[i] <= 0) continue;
      const double change = errorOf(measure, differences(measure, at_.chosen.series, at_.quarter->series));
      if (kOverQuarter * change / at_.limits[i] <= most) continue;
      most = kOverQuarter * change / at_.limits[i];
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
      const bool is_longer = report_.wanted > report_.until * (1 + 1e-9);
      if (!growth.known && (!is_longer || growth.extrapolated <= 0)) return;
      std::string text = std::string(what) + ' ' + growth.text();
      if (growth.reaches_one_at > 0)
        text += (growth.reaches_one_at <= report_.t.back() ? " and exceed what is allowed first at t = "
                                                           : " and reach what is allowed at about t = ") +
                shown(growth.reaches_one_at) + " s";
      if (is_longer)
        require(growth.extrapolated <= 1,
                text + "; extrapolated to " + shown(report_.wanted) + " s" + (growth.known ? ": " : " as t^3: ") +
                    shown(growth.extrapolated) + " of what is allowed" +
                    (growth.known || growth.extrapolated <= 1 ? "" : "; compare a longer time"),
                growth.extrapolated);
      else
        notes_.push_back(text);
    };
    say("errors", report_.error_growth);
    say("energy drifts", report_.energy_growth);
  }

  void judgeOrder() {
    std::string kinks = kinksOf(at_.model, report_.until);
    if (at_.inputs_jump) kinks += (kinks.empty() ? "" : ", ") + std::string("inputs that jump");
    // The shorter steps show the order best. Where the error depends on the part of a step at which a kink lies, it
    // does not fall with each halving: the mean of all of them counts.
    double last = 0, sum = 0, count = 0, at_chosen = 0;
    for (std::size_t k = 0; k < at_.own_rows; ++k)
      if (const double order = report_.rows[k].order; order != 0) {
        last = order;
        sum += order;
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

  /// What the verdict is about.
  void noteMotion() {
    if (!at_.inputs_jump && !at_.model.actuators.empty())
      notes_.push_back(
          (at_.has_inputs ? std::string("the inputs change nothing in this time") : std::string("without --inputs")) +
          ": every actuator keeps its initial value; the verdict is about this motion alone");
    if (at_.begins_anew)
      notes_.emplace_back(
          "the first inputs differ from the initial values of the actuators: the references have them from t = 0 on, "
          "the real-time solver reaches them at the end of its first step");
    double kinetic = 0;
    const auto at = static_cast<std::size_t>(at_.reader.find("energy.kinetic"));
    for (const std::vector<double>& sample : at_.exact.values) kinetic = std::max(kinetic, sample[at]);
    if (kinetic <= kAtRest * weightEnergy())
      notes_.emplace_back("nothing moves; the verdict says nothing about a motion");
  }

  void finish() {
    const bool all_hold = std::all_of(findings_.begin(), findings_.end(), [](const Finding& f) { return f.holds; });
    report_.trusted = all_hold && report_.complete();
    report_.partly = all_hold && !report_.complete();
    const auto decides = std::max_element(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
      return a.holds != b.holds ? a.holds : a.share < b.share;
    });
    const auto lineOf = [](const Finding& f) { return (f.holds ? "ok: " : "no: ") + f.text; };
    if (decides != findings_.end()) report_.deciding = lineOf(*decides);
    if (report_.partly) {
      report_.deciding = "part: " + cover_ + "; the rest is not confirmed, --budget gives the references more time";
      report_.reasons.push_back(report_.deciding);
    }
    for (const Finding& finding : findings_)
      if (!finding.holds) report_.reasons.push_back(lineOf(finding));
    for (const Finding& finding : findings_)
      if (finding.holds) report_.reasons.push_back(lineOf(finding));
    for (const std::string& note : notes_) report_.reasons.push_back("note: " + note);
  }

  /// Whether no second reference has a sample.
  bool onlyOne() const { return report_.confirmed <= 0; }

  const Evidence& at_;
  ValidationReport& report_;
  std::vector<Finding> findings_;
  std::vector<std::string> notes_;
  std::string cover_;  ///< what two references cover, where it is a part
};

}  // namespace

std::string differenceOfReferences(const ValidationReport& report) {
  const JudgedError* worst = nullptr;
  double most = 0;
  for (const JudgedError& e : report.judged) {
    if (!e.unjudged.empty() || e.limit <= 0 || (worst != nullptr && e.uncertainty / e.limit <= most)) continue;
    worst = &e;
    most = e.uncertainty / e.limit;
  }
  if (worst == nullptr || report.confirmed <= 0) return "";
  return "up to " + shown(most) + " of what is allowed" +
         (most > 0 ? std::string(" (") + toString(worst->kind) + ' ' + worst->name + ')' : "");
}

void judgeAccuracy(const Evidence& evidence, ValidationReport& report) {
  Verdict(evidence, report).all();
}

}  // namespace tactus::server
