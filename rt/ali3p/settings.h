// Settings: the numbers that a run chooses. Constant while a session runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt {

struct Model;

/// Share of a rotation error of a free body that an iteration without the gyroscopic part of the tangent leaves, see
/// gyroscopicContraction(), above which the part is formed: in all steps if a body exceeds the first value in a named
/// initial condition, otherwise in the steps in which a body exceeds the second one. The second value is higher: most
/// bodies that are spun up are wheels and gears, whose axles keep them from the rotations in question.
inline constexpr double kGyroscopicAbove = 0.05, kGyroscopicInStep = 0.25;
inline constexpr double kNeverGyroscopic = 1e6;  ///< no spin reaches it

struct Settings {
  std::int64_t period_ns = 1'000'000;
  int iterations = 2;  ///< Newton iterations of a step, fixed
  /// The penalty of the paper, for comparison. If above zero, each row that is eliminated as such has the compliance
  /// 1 / absolute_alpha. A suitable value depends on masses, lengths, the period and the number of bodies.
  double absolute_alpha = 0;
  double relative_compliance = 1e-8;  ///< eps_rel: compliance of a row over that of the bodies it joins
  /// Velocity projections of a step. Each pass uses the factor of the predictor and multiplies the violation by the
  /// relative change of the Jacobian over the step. The second pass brings it from 1e-5 ... 1e-9 to round-off.
  int velocity_passes = 2;
  bool full_newton = false;  ///< form and factor the tangent anew in every iteration
  /// When to form and factor the tangent anew before a solve: if the last increment is more than `refactor_above` of
  /// the one before and not negligible, or if the solve would leave a violation (m, rad or their rates) above
  /// `refactor_violation`; see wantsFactor(). Ticks that need it do one more factorization, never one more iteration.
  double refactor_above = 0.1;
  double refactor_violation = 1e-10;
  /// Include the gyroscopic part of every body in the tangent of every step. The tangent is then unsymmetric: fronts
  /// are twice as large and are not batched, and chains are solved along their tree.
  bool gyroscopic_tangent = false;
  /// Without gyroscopic_tangent, a step includes the part of each body whose gyroscopicContraction() at the start of
  /// the step is above this value. A function of the State alone; steps of chains never include the part.
  double gyroscopic_above = kGyroscopicInStep;
  bool third_order = false;   ///< ali3p-x3: extrapolate each step from one whole and two half steps
  bool fourth_order = false;  ///< ali3p-x4: and from three third steps; not together with third_order

  /// Order of the step in positions and velocities.
  int order() const noexcept { return fourth_order ? 4 : third_order ? 3 : 2; }
  /// @param order  2, 3 or 4
  void setOrder(int order) noexcept {
    third_order = order == 3;
    fourth_order = order == 4;
  }

  double dt() const noexcept { return static_cast<double>(period_ns) * 1e-9; }
  /// s since tick 0; multiplied, never summed.
  double timeAt(std::int64_t tick) const noexcept { return static_cast<double>(tick * period_ns) * 1e-9; }
};

/// What a solver setting is called in options, requests and snapshots, its range, and what it does.
struct SettingInfo {
  const char* name;
  double low, high;
  const char* summary;
  bool recommended;  ///< whether a model recommends a value; otherwise the default is that of Settings
};

/// The one list of settings: f(info, member) for every setting but the period. Flags have the range 0 ... 1. Each has a
/// field of the same name in the message StepSettings (proto/tactus/v1/snapshot.proto).
template <class F>
void forEachSetting(F&& f) {
  f(SettingInfo{"iterations", 1, 20, "Newton iterations of a step", true}, &Settings::iterations);
  f(SettingInfo{"relative_compliance", 1e-12, 1e-3, "compliance of a row over that of its bodies", true},
    &Settings::relative_compliance);
  f(SettingInfo{"absolute_alpha", 0, 1e15, "the paper's penalty in place of the relative compliance; 0: not used",
                false},
    &Settings::absolute_alpha);
  f(SettingInfo{"velocity_passes", 1, 10, "velocity projections of a step", false}, &Settings::velocity_passes);
  f(SettingInfo{"full_newton", 0, 1, "form and factor the tangent in every iteration", false}, &Settings::full_newton);
  f(SettingInfo{"refactor_above", 1e-6, 1e6, "contraction above which the tangent is formed anew", false},
    &Settings::refactor_above);
  f(SettingInfo{"refactor_violation", 1e-16, 1, "violation above which the tangent is formed anew", false},
    &Settings::refactor_violation);
  f(SettingInfo{"third_order", 0, 1, "extrapolate each step to order 3", true}, &Settings::third_order);
  f(SettingInfo{"fourth_order", 0, 1, "extrapolate each step to order 4", true}, &Settings::fourth_order);
  f(SettingInfo{"gyroscopic_tangent", 0, 1, "form the gyroscopic part of the tangent", true},
    &Settings::gyroscopic_tangent);
  f(SettingInfo{"gyroscopic_above", 0, kNeverGyroscopic,
                "contraction by the spin of a body above which a step forms its gyroscopic part", true},
    &Settings::gyroscopic_above);
}

/// A setting that a run chooses: the name in the list above, and the value; of a flag 0 or 1.
struct SettingChange {
  std::string name;
  double value = 0;
};

/// Changes one setting.
/// @throws Error naming the setting, its value and its range, or the nearest name of a setting
void changeSetting(Settings& settings, const SettingChange& change);

/// The settings that the model recommends, with a period where `period_ns` is above zero, and with changes. Where the
/// model does not set gyroscopic_tangent, it is true if a body spins fast in a named initial condition; a model that
/// sets it to false switches the rule of each step off, too.
/// @throws Error if a value is out of range, as changeSetting() does
Settings chooseSettings(const Model& model, std::int64_t period_ns = 0, const std::vector<SettingChange>& changes = {});

/// As above; `iterations` is a change where it is not zero.
Settings chooseSettings(const Model& model, std::int64_t period_ns, int iterations);

}  // namespace tactus::rt
