// The car on tyres with slip: statics, braking, cornering against the closed forms of vehicle dynamics.
#include "rt/math/euler_parameters.h"
#include "rt/math/worst.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/model_io/tuned_model.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kFront = 1.22, kRear = -1.48, kRollingRadius = 0.31;
constexpr const char* kWheels[] = {"fl", "fr", "rl", "rr"};

rt::ModelSpec sedan() {
  return server::openBuiltInModel("sedan").spec;
}

/// The declared state replaced by a named one.
rt::ModelSpec sedanFrom(const std::string& condition) {
  rt::ModelSpec spec = sedan();
  for (const rt::InitialConditionSpec& c : spec.initial_conditions) {
    if (c.name != condition) continue;
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      spec.bodies[i].velocity = *c.bodies[i].velocity;
      spec.bodies[i].angular_velocity = *c.bodies[i].angular_velocity;
    }
  }
  return spec;
}

void set(rt::ModelSpec& spec, const std::string& actuator, double value) {
  for (rt::ActuatorSpec& a : spec.actuators)
    if (a.name == actuator) a.initial = value;
}

/// A sum over all bodies weighted by their mass.
template <class Of>
double overMass(const rt::ModelSpec& spec, Of of) {
  return std::accumulate(spec.bodies.begin(), spec.bodies.end(), 0.0,
                         [&](double sum, const rt::BodySpec& b) { return sum + b.mass * of(b); });
}

double total(const Recording& run, const std::string& part, std::size_t k, std::initializer_list<const char*> wheels) {
  double sum = 0;
  for (const char* wheel : wheels) sum += run["tyre_" + std::string(wheel) + part][k];
  return sum;
}

double yawOf(const Recording& run, const std::string& body, std::size_t k) {
  const auto e = [&](const char* i) { return run[body + ".p.e" + i][k]; };
  const rt::Matrix3d R = rt::rotationMatrix(rt::Vector4d(e("0"), e("1"), e("2"), e("3")));
  return std::atan2(R(1, 0), R(0, 0));
}

}  // namespace

TEST_CASE("the car has 20 bodies, 16 freedoms and no redundant row", "[server][models][sedan]") {
  const rt::Model model = rt::buildModel(sedan());
  const rt::DegreesOfFreedom count = rt::countDegreesOfFreedom(model, rt::initialState(model).state);
  CHECK(model.bodyCount() == 20);
  CHECK(count.rank == count.rows);
  CHECK(count.count == 16);  // chassis, rack, steering wheel, four wheels up and down and round
}

TEST_CASE("on struts the car moves as on four springs, to round-off", "[server][models][sedan]") {
  rt::ModelSpec spec = sedan();
  set(spec, "steering", 0.7);
  set(spec, "brake", 0.2);
  REQUIRE(spec.composites.size() == 4);
  rt::ModelSpec plain = spec;
  plain.composites.clear();
  for (auto strut = spec.composites.rbegin(); strut != spec.composites.rend(); ++strut) {
    const auto& s = std::get<rt::StrutSpec>(strut->kind);
    plain.forces.insert(plain.forces.begin(),
                        {strut->name, strut->description,
                         rt::TranslationalSpringSpec{s.body_1, s.body_2, s.point_1, s.point_2, s.stiffness, s.damping,
                                                     s.free_length, s.preload, s.law}});
  }
  const std::vector<std::string> signals = {"*.r.*", "spring_*.length", "spring_*.tension"};
  const Recording on_struts = record(spec, settingsFor(1e-3), 2, signals);
  const Recording on_springs = record(plain, settingsFor(1e-3), 2, signals);
  REQUIRE(on_struts.ok);
  REQUIRE(on_springs.ok);
  REQUIRE(on_struts.values().size() == on_springs.values().size());
  double worst = 0, worst_tension = 0;
  for (const auto& [signal, values] : on_struts.values())
    for (std::size_t k = 0; k < values.size(); ++k) {
      double& to = signal.ends_with(".tension") ? worst_tension : worst;
      to = rt::worst(to, std::abs(values[k] - on_springs[signal][k]));
    }
  CAPTURE(worst, worst_tension);
  // The rows of the springs come later: sums change their order, and 2 s of driving let round-off grow.
  CHECK(worst < 1e-10);         // m, at places up to 40 m from the origin
  CHECK(worst_tension < 1e-5);  // N, of some 4 kN
}

TEST_CASE("the standing car has the wheel loads of statics and does not move", "[server][models][sedan]") {
  const rt::ModelSpec spec = sedanFrom("standing");
  const double mass = overMass(spec, [](const rt::BodySpec&) { return 1.0; });
  const double x = overMass(spec, [](const rt::BodySpec& b) { return b.position[0]; }) / mass;
  const Recording run = record(spec, settingsFor(1e-3), 10, {"tyre_*.load", "chassis.r.*", "energy.*"});
  REQUIRE(run.ok);
  const double front = mass * kGravity * (x - kRear) / (kFront - kRear);
  // The declared state is the equilibrium to seven digits.
  CHECK(total(run, ".load", 0, {"fl", "fr"}) == Approx(front).epsilon(1e-6));
  CHECK(total(run, ".load", 0, {"rl", "rr"}) == Approx(mass * kGravity - front).epsilon(1e-6));
  for (const char* axis : {"x", "y", "z"})
    CHECK(std::abs(run[std::string("chassis.r.") + axis].back() - run[std::string("chassis.r.") + axis].front()) <
          1e-7);
  CHECK(run["energy.dissipated"].back() < 1e-6);  // J: nothing moves
}

TEST_CASE("the steering wheel and the pedals of the car have a controller each", "[server][models][sedan]") {
  const rt::Model model = rt::buildModel(sedan());
  CHECK(model.groups == std::vector<std::string>{"wheel", "pedals"});
  const std::set<std::string> of_wheel = {"steering", "hand_torque"};
  for (std::size_t i = 0; i < model.actuators.size(); ++i)
    CHECK(model.actuators[i].group == (of_wheel.count(model.actuator_names[i]) == 1 ? 0 : 1));
}

TEST_CASE("the head of a driver at rest feels the weight, and that of a braking one the deceleration",
          "[server][models][sedan]") {
  const std::vector<std::string> signals = {"specific_force_*", "*_rate", "head_*", "chassis.p.*"};
  const Recording standing = record(sedanFrom("standing"), settingsFor(1e-3), 0.5, signals);
  REQUIRE(standing.ok);
  CHECK(standing["specific_force_z"].back() == Approx(9.81));
  for (const char* none : {"specific_force_x", "specific_force_y", "roll_rate", "pitch_rate", "yaw_rate"})
    CHECK(std::abs(standing[none].back()) < 1e-6);  // the declared state is the equilibrium to seven digits

  rt::ModelSpec spec = sedan();
  set(spec, "brake", 0.3);
  const Recording braking = record(spec, settingsFor(1e-3), 0.5, signals);
  REQUIRE(braking.ok);
  // It dives: gravity has a part along the tilted axes, 9.81 m/s^2 times the sine of the pitch.
  CHECK(*std::max_element(braking["pitch_rate"].begin(), braking["pitch_rate"].end()) > 0.01);
  for (std::size_t k = 0; k < braking.t.size(); k += 50) {
    const double sine = 2 * (braking["chassis.p.e0"][k] * braking["chassis.p.e2"][k] -
                             braking["chassis.p.e3"][k] * braking["chassis.p.e1"][k]);
    CHECK(braking["specific_force_x"][k] ==
          Approx(braking["head_x"][k] - 9.81 * sine).epsilon(0).margin(1e-9));  // round-off
  }
  CHECK(braking["specific_force_x"].back() < -2);
}

TEST_CASE("in a turn to the left the steering wheel of the car pulls back to the right", "[server][models][sedan]") {
  rt::ModelSpec spec = sedan();
  set(spec, "steering", 0.5);
  const Recording run = record(spec, settingsFor(1e-3), 2, {"yaw_rate", "steering_*"});
  REQUIRE(run.ok);
  REQUIRE(run["yaw_rate"].back() > 0.02);       // rad/s: it turns
  CHECK(run["steering_torque"].back() < -0.2);  // N m: without tyres that align the wheels there would be none
  CHECK(run["steering_torque"].back() > -7);    // N m: hands hold it; the motor does twice as much
  // The held wheel gives way by its torque over steering_hold, and by its rate.
  const double held = run["steering_torque"].back() - 6 * run["steering_rate"].back();
  CHECK(run["steering_angle"].back() == Approx(0.5 + held / 450).epsilon(1e-9));  // round-off of the three signals
}

TEST_CASE("the reaction of the teeth of the car is the force of the rack on the pinion", "[server][models][sedan]") {
  rt::ModelSpec spec = sedanFrom("standing");
  set(spec, "steering", 0.5);
  set(spec, "brake", 1);
  const Recording run = record(spec, settingsFor(1e-3), 2, {"teeth.force.y", "tie_rod_f?.force.y", "rack.r.y"});
  REQUIRE(run.ok);
  // Steered to the left, the rack stands 3.5 mm to the right, and the braked tyres push it back to the left.
  CHECK(run["rack.r.y"].back() < -3e-3);
  CHECK(run["teeth.force.y"].back() > 100);  // N, of 367 N: the sign counts
  // A tie rod reports what it does to the knuckle. At rest the rack passes on the sum of both, less 0.01 N by the roll.
  const double rods_on_rack = -(run["tie_rod_fl.force.y"].back() + run["tie_rod_fr.force.y"].back());
  CHECK(run["teeth.force.y"].back() == Approx(rods_on_rack).epsilon(0).margin(0.1));
}

TEST_CASE("hands that apply the torque of the held steering wheel hold it at the same angle",
          "[server][models][sedan]") {
  const server::ModelDocument document = server::openBuiltInModel("sedan");
  rt::ModelSpec held = document.spec;
  set(held, "steering", 0.5);
  const Recording by_angle = record(held, settingsFor(1e-3), 3, {"steering_*", "yaw_rate"});
  REQUIRE(by_angle.ok);
  const double torque = -by_angle["steering_torque"].back();
  const auto turned = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"steering_hold=0", "steering_damping=0.2"};
    settings.insert(settings.end(), more.begin(), more.end());
    rt::ModelSpec spec = server::withParameters(document, settings).spec;
    set(spec, "hand_torque", torque);
    const Recording run = record(spec, settingsFor(1e-3), 3, {"steering_*", "yaw_rate"});
    REQUIRE(run.ok);
    CHECK(std::abs(run["steering_rate"].back()) < 0.05);  // rad/s: it rests
    return run["steering_angle"].back();
  };
  // The friction of the column holds up to 0.3 N m of some 3 N m either way.
  REQUIRE(torque > 1);
  CHECK(turned({}) == Approx(by_angle["steering_angle"].back()).epsilon(0.3 / torque + 0.05));
  CHECK(turned({"steering_assistance=4"}) > 1.2 * turned({}));
  CHECK(turned({"steering_assistance=0"}) < 0.6 * turned({}));
}

TEST_CASE("torque of the hands below the friction of the column does not turn the wheel", "[server][models][sedan]") {
  const server::ModelDocument document = server::openBuiltInModel("sedan");
  rt::ModelSpec spec =
      server::withParameters(document, {"steering_hold=0", "steering_damping=0.2", "steering_friction=1"}).spec;
  set(spec, "hand_torque", 0.5);
  const Recording run = record(spec, settingsFor(1e-3), 1, {"steering_angle"});
  REQUIRE(run.ok);
  CHECK(run["steering_angle"].back() < 0.01);  // rad: the friction gives in by at most this before it slides
  set(spec, "hand_torque", 4);
  CHECK(record(spec, settingsFor(1e-3), 1, {"steering_angle"})["steering_angle"].back() > 0.05);
}

TEST_CASE("friction of the road and grip of the tyres are parameters of the car", "[server][models][sedan]") {
  const server::ModelDocument document = server::openBuiltInModel("sedan");
  const auto deceleration = [&](const std::vector<std::string>& settings) {
    rt::ModelSpec spec = server::withParameters(document, settings).spec;
    set(spec, "brake", 1);
    const Recording run = record(spec, settingsFor(1e-3), 1.5, {"speed"});
    REQUIRE(run.ok);
    return run["speed"][500] - run["speed"][1500];
  };
  const double dry = deceleration({});
  REQUIRE(dry > 6);
  for (const auto& [setting, share] : {std::pair("road_friction=0.3", 0.3), std::pair("tyre_grip_x=0.575", 0.5)}) {
    const double less = deceleration({setting});
    CAPTURE(setting, less / dry);
    // Locked wheels slide beyond the peak of the Magic Formula; the lower the peak, the farther beyond.
    CHECK(less < share * dry);
    CHECK(less > 0.8 * share * dry);  // the law falls by less than a fifth beyond its peak
  }
  for (const char* other : {"tyre_grip_y=0.5", "tyre_cornering=-10", "tyre_stiffness=250000"})
    CHECK_NOTHROW(server::withParameters(document, {other}));
}

TEST_CASE("on a slope of 15 % with its brakes on the car does not creep in a minute", "[server][models][sedan]") {
  rt::ModelSpec spec = sedanFrom("standing");
  const double angle = std::atan(0.15);
  spec.gravity = kGravity * rt::Vector3d(-std::sin(angle), 0, -std::cos(angle));
  set(spec, "brake", 1);
  const Recording run = record(spec, settingsFor(1e-3), 60, {"chassis.r.x", "tyre_*.longitudinal", "speed"});
  REQUIRE(run.ok);
  const std::vector<double>& x = run["chassis.r.x"];
  // m: the tread settles within 10 s; a creep of 1 um/s would show in the last 30 s.
  CHECK(std::abs(x.back() - x[10000]) < 1e-5);
  CHECK(std::abs(x.back() - x[30000]) < 1e-7);
  const double mass = overMass(spec, [](const rt::BodySpec&) { return 1.0; });
  CHECK(total(run, ".longitudinal", x.size() - 1, {"fl", "fr", "rl", "rr"}) ==
        Approx(mass * kGravity * std::sin(angle)).epsilon(1e-3));  // wheels lean by their suspension
}

TEST_CASE("braking straight ahead has the deceleration and the load transfer of the closed form",
          "[server][models][sedan]") {
  rt::ModelSpec spec = sedan();
  set(spec, "brake", 0.3);
  const Recording run = record(spec, settingsFor(1e-3), 2.5, {"chassis.*", "speed", "tyre_*", "brake_*", "hub_*.rate"});
  REQUIRE(run.ok);
  const double mass = overMass(spec, [](const rt::BodySpec&) { return 1.0; });
  const double height = overMass(spec, [](const rt::BodySpec& b) { return b.position[2]; }) / mass;
  double torque = 0.012 * mass * kGravity * kRollingRadius, spin = 0;
  for (const rt::ForceSpec& f : spec.forces)
    if (const auto* brake = std::get_if<rt::BrakeSpec>(&f.kind)) torque += 0.3 * brake->torque;
  for (const rt::BodySpec& b : spec.bodies)
    if (b.name.starts_with("wheel")) spin += b.inertia(1, 1) / (kRollingRadius * kRollingRadius);
  const double a = torque / kRollingRadius / (mass + spin);
  const std::vector<double>& v = run["speed"];
  const double measured = (v[1500] - v[2400]) / 0.9;
  // The drag falls with the square of the speed, which falls evenly.
  double drag = 0;
  for (const rt::ForceSpec& f : spec.forces)
    if (const auto* air = std::get_if<rt::AirLoadSpec>(&f.kind)) drag += 0.5 * air->density * air->area * air->drag;
  REQUIRE(drag > 0.3);  // N s^2/m^2: the model has drag
  const double squares = (v[1500] * v[1500] + v[1500] * v[2400] + v[2400] * v[2400]) / 3;
  CHECK(measured == Approx(a + drag * squares / (mass + spin)).epsilon(0.01));  // the closed form has no slip
  // Load moves to the front by m a h / L; the body has pitched meanwhile and moved its center a little.
  const double moved = total(run, ".load", 2400, {"fl", "fr"}) - total(run, ".load", 0, {"fl", "fr"});
  CHECK(moved == Approx(mass * measured * height / (kFront - kRear)).epsilon(0.03));
  CHECK(std::abs(run["chassis.r.y"].back()) < 1e-6);
}

TEST_CASE("coasting at 30 m/s, the car decelerates by drag and rolling resistance and loses load by lift",
          "[server][models][sedan]") {
  const rt::ModelSpec spec = sedanFrom("driving_30");
  const Recording run = record(spec, settingsFor(1e-3), 3, {"speed", "tyre_*", "energy.*"});
  REQUIRE(run.ok);
  const double mass = overMass(spec, [](const rt::BodySpec&) { return 1.0; });
  const double pressure = 0.5 * 1.225 * 2.2 * 900;  // of the air, N a coefficient
  double spin = 0;
  for (const rt::BodySpec& b : spec.bodies)
    if (b.name.starts_with("wheel")) spin += b.inertia(1, 1) / (kRollingRadius * kRollingRadius);
  const double rolling = 0.012 * (mass * kGravity - 0.08 * pressure);
  const double measured = (run["speed"][500] - run["speed"][1500]) / 1.0;
  CHECK(measured == Approx((0.30 * pressure + rolling) / (mass + spin)).epsilon(0.04));
  CHECK(total(run, ".load", 2900, {"fl", "fr", "rl", "rr"}) == Approx(mass * kGravity - 0.08 * pressure).epsilon(2e-3));
  CHECK(run["energy.dissipated"].back() > 0.30 * pressure * 80);
  CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 1e-4 * run["energy.kinetic"].front());
}

TEST_CASE("anti-roll bars reduce the roll of the car, and bump stops limit its suspension travel",
          "[server][models][sedan]") {
  // Held by its steering in a bend, with bars and without.
  const auto roll = [](bool bars) {
    rt::ModelSpec spec = sedan();
    if (!bars) std::erase_if(spec.forces, [](const rt::ForceSpec& f) { return f.name.starts_with("bar_"); });
    set(spec, "steering", 0.5);
    const Recording run = record(spec, settingsFor(1e-3), 3, {"chassis.p.*", "tyre_*.load", "head_y"});
    const double top = 2 * (run["chassis.p.e0"].back() * run["chassis.p.e1"].back() +
                            run["chassis.p.e2"].back() * run["chassis.p.e3"].back());
    return std::asin(top);
  };
  const double with = roll(true), without = roll(false);
  CHECK(without > 0.02);  // to the right in a turn to the left
  CHECK(with < 0.9 * without);
  CHECK(with > 0.5 * without);

  // Twice its weight, at once, presses it onto the bump stops; without them the springs give way by 40 mm more.
  rt::ModelSpec spec = sedanFrom("standing");
  set(spec, "brake", 1);
  spec.gravity = kGravity * rt::Vector3d(0, 0, -2);
  struct Sunk {
    double most, end;
  };
  const auto sunk = [&]() -> Sunk {
    const Recording run = record(spec, settingsFor(1e-3), 4, {"spring_*.length"});
    return {-run.lowestChange("spring_fl.length"), run["spring_fl.length"].front() - run["spring_fl.length"].back()};
  };
  const Sunk onto = sunk();
  // m: the springs alone give way by 60 mm and more; the stops hold it above 100 mm.
  CHECK(onto.end > 0.06);
  CHECK(onto.most < 0.10);
  for (rt::CompositeSpec& c : spec.composites) std::get<rt::StrutSpec>(c.kind).law.minimum_stop.reset();
  const Sunk without_stops = sunk();
  CHECK(without_stops.end > onto.end + 0.004);
  CHECK(without_stops.most > 0.12);  // m, clearly beyond the stops
}

TEST_CASE("full brakes lock the wheels and bring the car to rest", "[server][models][sedan]") {
  rt::ModelSpec spec = sedan();
  set(spec, "brake", 1);
  const Recording run =
      record(spec, settingsFor(1e-3), 6, {"chassis.r.*", "speed", "hub_*.rate", "tyre_*.ratio", "energy.*"});
  REQUIRE(run.ok);
  CHECK(std::abs(run["hub_rl.rate"][500]) < 1);  // locked at more than 10 m/s
  CHECK(run["speed"][500] > 10);
  CHECK(std::abs(run["speed"].back()) < 0.05);
  CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 2e-3 * run["energy.kinetic"].front());
  CHECK(run["chassis.r.x"].back() > 15);
  CHECK(run["chassis.r.x"].back() < 26);  // 20 m/s, coefficient of friction 0.8 to 1.3
}

TEST_CASE("gentle cornering has the understeer gradient of the bicycle model", "[server][models][sedan]") {
  // The rack is led to a small travel; throttle holds the speed about.
  rt::ModelSpec spec = sedan();
  spec.drives.push_back({"led", "", rt::DrivenTravelSpec{"rack_guide"}, rt::TableSpec{{0, 1, 2}, {0, 0, 0.0012}}});
  set(spec, "gear_ratio", 1);
  set(spec, "throttle", 0.22);
  const Recording run = record(spec, settingsFor(1e-3), 12, {"chassis.*", "knuckle_*", "speed", "yaw_rate", "tyre_*"});
  REQUIRE(run.ok);
  const std::size_t k = run.t.size() - 1;
  const double v = run["speed"][k], rate = run["yaw_rate"][k], lateral = v * rate, wheelbase = kFront - kRear;
  // m/s^2: enough to measure, little enough for the linear bicycle model.
  REQUIRE(std::abs(lateral) > 0.3);
  REQUIRE(std::abs(lateral) < 2);
  // What steers is where the wheels point, suspension included.
  const auto steer = [&](const char* left, const char* right) {
    return 0.5 * (yawOf(run, std::string("knuckle_") + left, k) + yawOf(run, std::string("knuckle_") + right, k)) -
           yawOf(run, "chassis", k);
  };
  const double measured = steer("fl", "fr") - steer("rl", "rr") - wheelbase * rate / v;
  // Slip angles from statics and the coefficients of the tyres alone: axle loads and lateral forces by the place of the
  // mass center, cornering stiffness and pneumatic trail of a wheel at half its axle's load.
  const double mass = overMass(spec, [](const rt::BodySpec&) { return 1.0; });
  const double x = overMass(spec, [](const rt::BodySpec& b) { return b.position[0]; }) / mass;
  const double front = (x - kRear) / wheelbase, rear = (kFront - x) / wheelbase;
  const auto stiffness = [&](double share) {  // of an axle, N/rad: PKY1 F_z0 sin(2 atan(F_z / (PKY2 F_z0)))
    return 2 * 16.0 * 4000 * std::sin(2 * std::atan(0.5 * share * mass * kGravity / (1.8 * 4000)));
  };
  const auto trail = [&](double share) {  // m: F_z R / F_z0 QDZ1
    return 0.5 * share * mass * kGravity / 4000 * 0.32 * 0.10;
  };
  // The moments of the trails turn the car out of the bend, so the front carries more.
  const double shift = mass * lateral * (front * trail(front) + rear * trail(rear)) / wheelbase;
  const double predicted =
      (front * mass * lateral + shift) / stiffness(front) - (rear * mass * lateral - shift) / stiffness(rear);
  CHECK(predicted / lateral > 0);  // it understeers
  CAPTURE(measured, predicted, predicted / lateral);
  CHECK(measured == Approx(predicted).epsilon(0.2));
  CHECK(total(run, ".lateral", k, {"fl", "fr", "rl", "rr"}) == Approx(mass * lateral).epsilon(0.02));
}

TEST_CASE("half the step leaves a quarter of the error of the car", "[server][models][sedan]") {
  rt::ModelSpec spec = sedan();
  set(spec, "brake", 0.2);
  spec.drives.push_back({"led", "", rt::DrivenTravelSpec{"rack_guide"}, rt::TableSpec{{0, 0.5}, {0, 0.004}}});
  const auto end = [&](double dt) {
    const Recording run = record(spec, settingsFor(dt, 4), 1, {"chassis.r.y"});
    return run["chassis.r.y"].back();
  };
  const double a = end(2e-3), b = end(1e-3), c = end(5e-4);
  // m; then order 2 with room for the next term of the error.
  CHECK(std::abs(a - b) < 1e-4);
  CHECK((a - b) / (b - c) == Approx(4).epsilon(0.25));
}
