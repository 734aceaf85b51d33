// Laws of compliant joints with six rows, side by side: four of them go through the same arithmetic, each in a lane of
// a vector. The numbers are those of one law after the other, bit by bit. Laws whose dampers are in proportion to their
// springs need no factorization: with C = beta K and s = 1 / (1 + (2/dt) beta)
//
//   E = s K^-1          E K = s 1                                                                     (1)
#pragma once

#include "rt/math/lanes.h"
#include "rt/model/compliant_law.h"

#include <array>
#include <optional>
#include <vector>

namespace tactus::rt {

struct Model;

/// beta, s, of a linear law of six rows with C = beta K to the rounding of a product and a quotient; none for other laws.
std::optional<double> proportionalDamping(const CompliantLaw& law);

class LawLanes {
 public:
  LawLanes() = default;
  explicit LawLanes(const Model& model);

  /// stepCompliance() E of each linear law, and its elastic share E K.
  /// @param[out] compliance, elastic_share  one a law of the Model; those of other laws stay as they are. Of laws with
  ///                                        fewer rows only the leading part is written
  /// @rt no allocation, no throw, fixed work
  void linearize(const Model& model, double dt, Matrix6d* compliance, Matrix6d* elastic_share) const noexcept;

 private:
  /// A law of six rows with C = beta K, to round-off.
  struct Proportional {
    std::size_t law;
    double beta;          ///< s
    Matrix6d compliance;  ///< K^-1
  };

  std::vector<std::array<std::size_t, 4>> groups_;  ///< laws of six rows; lanes without a law repeat one
  std::vector<std::size_t> single_;                 ///< linear laws of one row
  std::vector<std::size_t> alone_;                  ///< other linear laws of fewer rows
  std::vector<Proportional> proportional_;          ///< of no group
};

}  // namespace tactus::rt
