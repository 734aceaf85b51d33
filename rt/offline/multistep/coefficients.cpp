#include "rt/offline/multistep/coefficients.h"

#include "rt/offline/core/dense_solvers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::rt::offline {

namespace {

using Complex = std::complex<double>;

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value *= static_cast<double>(n - k + i) / i;
  return value;
}

/// A polynomial by rising powers.
using Polynomial = std::vector<Complex>;

Polynomial times(const Polynomial& a, const Polynomial& b) {
  Polynomial c(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
  return c;
}

}  // namespace

MultistepCoefficients multistepCoefficients(int r, double p) {
  // Closed forms: order 2, all roots at -p for infinite frequency, damping as flat as can be at low frequency.
  MultistepCoefficients m;
  double d = 0, scale = 0;
  if (r == 2) {
    d = 3 - p;
    scale = 2;
    m.alpha = {0, 4 * (1 - p), 3 * p - 1};
  } else if (r == 3) {
    d = 10 - 5 * p + p * p;
    scale = 6;
    m.alpha = {0, 3 * (5 - 9 * p + 2 * p * p), -3 * (2 - 9 * p + 5 * p * p), 1 - 5 * p + 10 * p * p};
  } else {
    d = 35 - 21 * p + 7 * p * p - p * p * p;
    scale = 20;
    m.alpha = {0, 4 * (14 - 35 * p + 13 * p * p - 2 * p * p * p), -4 * (1 - p) * (7 - 34 * p + 7 * p * p),
               4 * (2 - 13 * p + 35 * p * p - 14 * p * p * p), -(1 - 7 * p + 21 * p * p - 35 * p * p * p)};
  }
  for (double& alpha : m.alpha) alpha /= d;
  const double beta_0 = scale / ((1 + p) * d);
  for (int j = 0; j <= r; ++j) m.beta.push_back(beta_0 * binomial(r, j) * std::pow(p, j));
  return m;
}

MultistepCoefficients twoStepCoefficients(double p, double w) {
  const double q = (1 - p) * (1 - p), D = 2 * (1 + w) - q;
  const double B = w * (q * (2 + w) + 2 * (2 * p - 1) * (1 + w)) / D;
  return {{0, 1 - B, B}, {0.5 + q / (2 * D), 0.5 + B / (2 * w) - (1 + w) * q / (2 * D), B / (2 * w) + w * q / (2 * D)}};
}

SingleStepCoefficients singleStepCoefficients(int r, double p) {
  // The chain of parameters: even ones 1/(1 + p); odd ones from the roots G of the smoothstep polynomials, a complex
  // pair in the lowest two links, so that only v^1 is complex.
  std::vector<Complex> roots;
  if (r == 2) roots = {1.5};
  if (r == 3) roots = {{1.25, std::sqrt(15.0) / 12}, {1.25, -std::sqrt(15.0) / 12}};
  if (r == 4)
    roots = {1.3423840948583691317,
             {1.0788079525708154342, 0.37393064543361012261},
             {1.0788079525708154342, -0.37393064543361012261}};
  std::vector<Complex> g(static_cast<std::size_t>(2 * r - 1), 1 / (1 + p));
  for (int m = 1; m < r; ++m)
    g[static_cast<std::size_t>(2 * m - 1)] = 0.5 + (roots[static_cast<std::size_t>(m - 1)] - 0.5) * ((1 - p) / (1 + p));

  SingleStepCoefficients s;
  for (auto* list : {&s.e, &s.p, &s.q, &s.s}) list->resize(static_cast<std::size_t>(r));
  Complex ratio = g[0];  // product of the even parameters over the product of the odd ones, link by link
  for (int m = 1; m < r; ++m) {
    const auto j = static_cast<std::size_t>(r - m);
    const Complex odd = g[static_cast<std::size_t>(2 * m - 1)], even = g[static_cast<std::size_t>(2 * m)];
    s.e[j] = ratio / odd * (odd - g[static_cast<std::size_t>(2 * m - 2)]) / g[static_cast<std::size_t>(2 * m - 2)];
    s.p[j] = (1.0 - even) / odd;
    s.q[j] = even / odd;
    s.s[j] = (1.0 - odd) / odd;
    ratio *= even / odd;
  }
  const Complex last = g.back();
  s.c_0 = ratio.real();
  s.c_1 = (ratio * (1.0 - last) / last).real();
  return s;
}

Esdirk trapezoidalSubsteps(int n, double rho) {
  // N(x) = prod (1 + s_j x) is as flat as can be against (1 - x)^n and has the limit rho at infinity.
  const double kappa = std::pow(1 - rho * rho, 1.0 / n);
  Complex sum = 0;
  Polynomial N = {1};
  for (int j = 0; j < n; ++j) {
    const Complex s = std::sqrt(1.0 - kappa * std::polar(1.0, 2 * std::numbers::pi * j / n));
    sum += s;
    N = times(N, {1, s});
  }
  const double g = 1 / (n + sum.real());

  // Pi(x) = (N(x) - (1 - x)^{n-1}) / x, then b_j from sum_i pi_i (t-1)^i (t+1)^{n-1-i}.
  Polynomial rest = {1};
  for (int i = 1; i < n; ++i) rest = times(rest, {1, -1});
  rest.resize(N.size());
  Polynomial mixed(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    Polynomial term = {N[static_cast<std::size_t>(i + 1)] - rest[static_cast<std::size_t>(i + 1)]};
    for (int k = 0; k < n - 1; ++k) term = times(term, k < i ? Polynomial{-1, 1} : Polynomial{1, 1});
    for (std::size_t k = 0; k < term.size(); ++k) mixed[k] += term[k];
  }

  Esdirk e;
  e.gamma = g;
  e.order = 2;
  e.a.push_back({});
  e.c = {0};
  for (int i = 1; i < n; ++i) {
    std::vector<double> row = {g};
    for (int j = 1; j < i; ++j) row.push_back(2 * g);
    row.push_back(g);
    e.a.push_back(row);
    e.c.push_back(2 * i * g);
  }
  std::vector<double> b;
  for (int j = 0; j < n; ++j) b.push_back(g * std::pow(2.0, 1 - n) * mixed[static_cast<std::size_t>(j)].real());
  b.push_back(g);
  e.a.push_back(b);
  e.c.push_back(1);
  return e;
}

namespace {

/// Published free abscissae at rho_inf = 0, 0.1, ... 0.4: c_3 and c_4 of MSSTH(4), c_4 of MSSTH(5).
constexpr double kFour3[] = {0.55909857542294173, 0.60029388886983241, 0.6385228144891606, 0.67524540713318078,
                             0.71166263135355824};
constexpr double kFour4[] = {0.7414011664833654, 0.75841298757803721, 0.77314366596046125, 0.78603120641227375,
                             0.79725148192031436};
constexpr double kFive4[] = {0.96732586055716963, 0.9085500184865174, 0.85109126740887964, 0.79517804197092967,
                             0.7409689864721386};

/// Between the rows any admissible value keeps the order; a straight line is taken.
double interpolated(const double (&table)[5], double rho) {
  const int i = std::min(static_cast<int>(rho * 10), 3);
  const double u = rho * 10 - i;
  return (1 - u) * table[i] + u * table[i + 1];
}

/// The root of sum_k (-1)^k C(n,k) g^k / (n-k)! = s rho g^n in a bracket, by bisection.
double diagonalCoefficient(int n, double rho) {
  const double sign = n == 3 ? -1 : 1;
  const auto f = [&](double g) {
    double sum = 0, factorial = 1;
    for (int k = n; k >= 0; --k) {
      sum += (k % 2 == 0 ? 1 : -1) * binomial(n, k) * std::pow(g, k) / factorial;
      factorial *= n - k + 1;
    }
    return sum - sign * rho * std::pow(g, n);
  };
  double low = n == 3 ? 0.33 : n == 4 ? 0.39 : 0.24, high = n == 3 ? 0.44 : n == 4 ? 0.58 : 0.28;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    ((f(low) > 0) == (f(middle) > 0) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// c_5 of MSSTH(5), which the order conditions force.
double fifthAbscissa(double g, double c3) {
  const double g2 = g * g, g3 = g2 * g, g4 = g3 * g, g5 = g4 * g;
  const double over =
      720 * g5 - (848 + 360 * c3) * g4 + (368 + 336 * c3) * g3 - (64 + 120 * c3) * g2 + (4 + 18 * c3) * g - c3;
  const double under =
      480 * g5 - (600 + 240 * c3) * g4 + (288 + 240 * c3) * g3 - (56 + 96 * c3) * g2 + (4 + 16 * c3) * g - c3;
  return over / under;
}

}  // namespace

Esdirk highOrderSubsteps(int n, double rho) {
  const double g = diagonalCoefficient(n, rho);
  Esdirk e;
  e.gamma = g;
  e.order = n;
  e.c = {0, 2 * g};
  if (n == 3) e.c.push_back((24 * g * g - 20 * g + 3) / (24 * g * g - 24 * g + 4));
  if (n == 4) e.c.insert(e.c.end(), {interpolated(kFour3, rho), interpolated(kFour4, rho)});
  if (n == 5) e.c.insert(e.c.end(), {0.1, interpolated(kFive4, rho), fifthAbscissa(g, 0.1)});
  e.c.push_back(1);
  const auto c = [&e](int i) { return e.c[static_cast<std::size_t>(i - 1)]; };  // stages count from 1

  // Weights: sum b_j c_j^k = 1/(k+1), the last of them gamma.
  Eigen::MatrixXd V(n - 1, n - 1);
  Eigen::VectorXd right(n - 1);
  for (int k = 1; k < n; ++k) {
    for (int j = 2; j <= n; ++j) V(k - 1, j - 2) = std::pow(c(j), k);
    right[k - 1] = 1.0 / (k + 1) - g;
  }
  const Eigen::VectorXd inner = LuFactors(V).solve(right);
  const auto b = [&](int j) { return j == n + 1 ? g : inner[j - 2]; };

  // a_ij with j >= 3 from the remaining order conditions; in terms of d_i = sum_{3 <= j < i} a_ij c_j^2 and the like
  // the diagonal contributes gamma c_i^k and column 2 follows from stage order 2.
  double a43 = 0, a53 = 0, a54 = 0;
  // Column 2 of row i, given the sum over 2 < j < i of a_ij c_j.
  const auto second = [&](int i, double sum) { return (c(i) * c(i) / 2 - g * c(i) - sum) / (2 * g); };
  // What a row with the given entries makes of c^k.
  const auto power = [&](int i, double x3, double x4, int k) {
    const double c3 = c(3), c4 = n == 5 ? c(4) : 0;
    return second(i, x3 * c3 + x4 * c4) * std::pow(2 * g, k) + x3 * std::pow(c3, k) + x4 * std::pow(c4, k) +
           g * std::pow(c(i), k);
  };
  // The last row reproduces the weights.
  const auto last = [&](int k) {
    double sum = g;
    for (int j = 2; j <= n; ++j) sum += b(j) * std::pow(c(j), k);
    return sum;
  };
  const auto secondRow = [&](int k) { return g * std::pow(2 * g, k); };
  if (n == 4) {
    const auto f = [&](double x) {
      return b(2) * secondRow(2) + b(3) * power(3, 0, 0, 2) + b(4) * power(4, x, 0, 2) + g * last(2) - 1.0 / 12;
    };
    a43 = -f(0) / (f(1) - f(0));
  } else if (n == 5) {
    const auto f = [&](const Eigen::Vector3d& x) {
      const double s2[] = {secondRow(2), power(3, 0, 0, 2), power(4, x[0], 0, 2), power(5, x[1], x[2], 2), last(2)};
      const double s3[] = {secondRow(3), power(3, 0, 0, 3), power(4, x[0], 0, 3), power(5, x[1], x[2], 3), last(3)};
      Eigen::Vector3d sum(-1.0 / 12, -1.0 / 15, -1.0 / 20);
      for (int i = 2; i <= 6; ++i) {
        const double w = b(i);
        sum += Eigen::Vector3d(w * s2[i - 2], w * c(i) * s2[i - 2], w * s3[i - 2]);
      }
      return sum;
    };
    // The conditions are linear in the three unknowns.
    const Eigen::Vector3d zero = f(Eigen::Vector3d::Zero());
    Eigen::Matrix3d J;
    for (int k = 0; k < 3; ++k) J.col(k) = f(Eigen::Vector3d::Unit(k)) - zero;
    const Eigen::Vector3d x = -luSolve3(J, zero);
    a43 = x[0];
    a53 = x[1];
    a54 = x[2];
  }

  e.a = {{}, {g, g}};
  for (int i = 3; i <= n; ++i) {
    const double x3 = i == 4 ? a43 : i == 5 ? a53 : 0, x4 = i == 5 ? a54 : 0;
    const double a2 = second(i, x3 * c(3) + (n == 5 ? x4 * c(4) : 0));
    std::vector<double> row = {c(i) - a2 - x3 - x4 - g, a2};
    if (i >= 4) row.push_back(x3);
    if (i >= 5) row.push_back(x4);
    row.push_back(g);
    e.a.push_back(row);
  }
  std::vector<double> weights = {1 - g - inner.sum()};
  for (int j = 2; j <= n + 1; ++j) weights.push_back(b(j));
  e.a.push_back(weights);
  return e;
}

Esdirk kennedyCarpenter(const std::string& name) {
  Esdirk e;
  if (name == "esdirk32-4l") {
    const double g = 0.43586652150845899942, c3 = 0.6;
    const double a32 = c3 * (c3 - 2 * g) / (4 * g);
    const double b2 = (3 * c3 - 2 + 6 * g * (1 - c3)) / (12 * g * (c3 - 2 * g));
    const double b3 = (1 - 6 * g + 6 * g * g) / (3 * c3 * (c3 - 2 * g));
    e.c = {0, 2 * g, c3, 1};
    e.a = {{}, {g, g}, {c3 - a32 - g, a32, g}, {1 - b2 - b3 - g, b2, b3, g}};
    e.embedded = {0.108896617615864454, -0.915325811870712753, 1.27127359730215217, 0.535155596952696131};
    e.order = 3;
    e.gamma = g;
  } else if (name == "esdirk32-5l") {
    const double g = 9.0 / 40, q = std::numbers::sqrt2;
    const double a3 = 9 * (1 + q) / 80, a4 = (22 + 15 * q) / (80 * (1 + q)), a43 = -7 / (40 * (1 + q));
    const double b1 = (2398 + 1205 * q) / (2835 * (4 + 3 * q)), b3 = -2374 * (1 + 2 * q) / (2835 * (5 + 3 * q));
    const double h1 = (5547709 * q - 4800247) / 16519545, h3 = 11095418 * (1 - q) / 16519545;
    e.c = {0, 9.0 / 20, 9 * (2 + q) / 40, 0.6, 1};
    e.a = {{}, {g, g}, {a3, a3, g}, {a4, a4, a43, g}, {b1, b1, b3, 5827.0 / 7560, g}};
    e.embedded = {h1, h1, h3, 30698249.0 / 44052120, 49563.0 / 233080};
    e.order = 3;
    e.gamma = g;
  } else {
    const double g = 31.0 / 125;
    const double a3 = -360286518617.0 / 7014585480527, a4 = -506388693497.0 / 5937754990171;
    const double a5 = -7628305438933.0 / 11061539393788, b2 = -12917657251.0 / 5222094901039;
    const double h1 = -1007911106287.0 / 12117826057527;
    e.c = {0, 62.0 / 125, 486119545908.0 / 3346201505189, 1043.0 / 1706, 1361.0 / 1300, 1};
    e.a = {{},
           {g, g},
           {a3, a3, g},
           {a4, a4, 7149918333491.0 / 13390931526268, g},
           {a5, a5, 21592626537567.0 / 14352247503901, 11630056083252.0 / 17263101053231, g},
           {b2, b2, 5602338284630.0 / 15643096342197, 9002339615474.0 / 18125249312447,
            -2420307481369.0 / 24731958684496, g}};
    e.embedded = {h1,
                  h1,
                  17694008993113.0 / 35931961998873,
                  5816803040497.0 / 11256217655929,
                  -538664890905.0 / 7490061179786,
                  2032560730450.0 / 8872919773257};
    e.order = 4;
    e.gamma = g;
  }
  return e;
}

}  // namespace tactus::rt::offline
