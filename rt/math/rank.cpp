#include "rt/math/rank.h"

#include <Eigen/QR>

namespace tactus::rt {

int rankOf(const Eigen::MatrixXd& m, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(m);
  qr.setThreshold(threshold);
  return static_cast<int>(qr.rank());
}

}  // namespace tactus::rt
