// Bodies on freedoms where the tangent is unsymmetric: dense blocks of fixed size, one node after the other.
#include "rt/ali3p/tree/freedom_front.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/skew.h"

namespace tactus::rt {

namespace {

/// The numbers of a node behind its symmetric front, and the square front itself.
template <int Freedoms>
struct SquareFreedoms {
  static constexpr int kRows = 6 - Freedoms;
  static constexpr int kSize = Freedoms > 0 ? Freedoms : 1;  ///< without freedoms S, D^-1 and q are zero
  using Columns = Eigen::Matrix<double, 6, kSize>;
  using Few = Eigen::Matrix<double, kSize, 1>;

  const PlanNode& node;
  const SquareFront front;
  const FreedomNumbers at;
  double* const numbers;
  const int stride;

  SquareFreedoms(const PlanNode& of, const TreeFronts& fronts) noexcept
      : node(of),
        front(fronts, of),
        at(Freedoms, of.boundary_size),
        numbers(const_cast<double*>(fronts.symmetric.data()) + of.freedoms),
        stride(of.stride) {}

  double& number(int i) const noexcept { return numbers[stride * i]; }
  Vector3d three(int i) const noexcept { return {number(i), number(i + 1), number(i + 2)}; }
  void setThree(int i, const Three<double>& v) const noexcept {
    number(i) = v.x;
    number(i + 1) = v.y;
    number(i + 2) = v.z;
  }
  double& coupling(int i, int c) const noexcept { return number(at.coupling + i * node.boundary_size + c); }
  double& back(int i, int c) const noexcept { return number(at.back + i * node.boundary_size + c); }
  bool isParent(int c) const noexcept { return node.parent_at >= 0 && c >= node.parent_at && c < node.parent_at + 6; }

  Matrix6d M() const noexcept {
    Matrix6d m;
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) m(r, c) = front.at(r, c);
    return m;
  }
  /// A rotation about the joint point as a motion of the body.
  static Vector6d turn(const Vector3d& arm, const Vector3d& rotation) noexcept {
    Vector6d motion;
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      motion[k] = arm[next] * rotation[last] - arm[last] * rotation[next];
      motion[3 + k] = rotation[k];
    }
    return motion;
  }
  /// S
  Columns S() const noexcept {
    Columns columns = Columns::Zero();
    const Vector3d arm = three(at.arm);
    for (int i = 0; i < Freedoms; ++i) {
      const Vector3d e = three(at.freedoms + 3 * i);
      columns.col(i) = turn(arm, e);
    }
    return columns;
  }
  /// G
  Eigen::Matrix<double, 6, kRows> G() const noexcept {
    Eigen::Matrix<double, 6, kRows> columns = Eigen::Matrix<double, 6, kRows>::Zero();
    const Vector3d arm = three(at.arm);
    columns.template topLeftCorner<3, 3>().diagonal().setConstant(number(at.sign));
    for (int i = 0; i < 3 - Freedoms; ++i) {
      const Vector3d g = three(at.normals + 3 * i);
      columns.col(3 + i) = turn(arm, g);
    }
    return columns;
  }
  /// X
  Matrix6d X() const noexcept {
    Matrix6d m = Matrix6d::Identity();
    m.topRightCorner<3, 3>() = -skew(three(at.shift));
    return m;
  }
  /// D^-1
  Eigen::Matrix<double, kSize, kSize> pivot() const noexcept {
    Eigen::Matrix<double, kSize, kSize> m = Eigen::Matrix<double, kSize, kSize>::Zero();
    for (int i = 0; i < Freedoms; ++i)
      for (int j = 0; j < Freedoms; ++j) m(i, j) = number(at.pivot + i * Freedoms + j);
    return m;
  }
  Vector6d column(int c) const noexcept {
    Vector6d of;
    for (int k = 0; k < 6; ++k) of[k] = front.at(k, 6 + c);
    return of;
  }
  Vector6d rowOf(int c) const noexcept {
    Vector6d of;
    for (int k = 0; k < 6; ++k) of[k] = front.at(6 + c, k);
    return of;
  }

  bool factor(const CarriedArms<double>& arms) noexcept {
    FreedomGeometry<double, Freedoms> joint;
    joint.form(arms);
    number(at.sign) = joint.sign;
    setThree(at.arm, joint.arm);
    setThree(at.shift, joint.shift);
    for (int i = 0; i < 3 - Freedoms; ++i) setThree(at.normals + 3 * i, joint.normal[i]);
    for (int i = 0; i < Freedoms; ++i) setThree(at.freedoms + 3 * i, joint.freedom[i]);
    bool positive = joint.least > kLeastVolume;
    const Matrix6d M = this->M(), X = this->X();
    const Columns S = this->S(), MS = M * S;
    const Eigen::Matrix<double, kSize, 6> SM = S.transpose() * M;
    Eigen::Matrix<double, kSize, kSize> inverse = Eigen::Matrix<double, kSize, kSize>::Zero();
    Matrix6d N = M;
    if constexpr (Freedoms > 0) {
      const Eigen::Matrix<double, kSize, kSize> D = S.transpose() * MS;
      positive = D(0, 0) > 0 && D.determinant() > 0 && positive;
      if constexpr (Freedoms == 3) positive = D.template topLeftCorner<2, 2>().determinant() > 0 && positive;
      inverse = D.inverse();
      for (int i = 0; i < Freedoms; ++i)
        for (int j = 0; j < Freedoms; ++j) number(at.pivot + i * Freedoms + j) = inverse(i, j);
      N -= MS * inverse * SM;
    }
    const int p = node.parent_at;
    Eigen::Matrix<double, kSize, 6> K;
    Columns L;
    if (p >= 0) {
      const Matrix6d down = X.transpose() * N * X;
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) front.at(6 + p + r, 6 + p + c) += down(r, c);
      K = inverse * SM * X;
      L = X.transpose() * MS;
      for (int i = 0; i < Freedoms; ++i)
        for (int k = 0; k < 6; ++k) {
          coupling(i, p + k) = K(i, k);
          back(i, p + k) = L(k, i);
        }
    }
    for (int c = 0; c < node.boundary_size; ++c) {
      if (isParent(c)) continue;
      const Vector6d F = column(c), Ft = rowOf(c);
      const Few k = inverse * (S.transpose() * F), l = S.transpose() * Ft;
      for (int i = 0; i < Freedoms; ++i) {
        coupling(i, c) = k[i];
        back(i, c) = l[i];
      }
      if (p < 0) continue;
      const Vector6d of_column = X.transpose() * F - L * k, of_row = X.transpose() * Ft - K.transpose() * l;
      for (int i = 0; i < 6; ++i) {
        front.at(6 + p + i, 6 + c) += of_column[i];
        front.at(6 + c, 6 + p + i) += of_row[i];
      }
    }
    for (int r = 0; r < node.boundary_size; ++r)
      for (int c = 0; c < node.boundary_size && !isParent(r); ++c)
        for (int i = 0; i < Freedoms && !isParent(c); ++i) front.at(6 + r, 6 + c) -= back(i, r) * coupling(i, c);
    return positive;
  }

  Vector6d particular(const double* values) const noexcept {
    return G() * Eigen::Map<const Eigen::Matrix<double, kRows, 1>>(values + node.row_unknown);
  }
  Vector6d own(const double* values) const noexcept { return Eigen::Map<const Vector6d>(values + node.unknown); }

  void forward(const int* boundary, double* values) const noexcept {
    const Vector6d w = particular(values), left = own(values) - M() * w;
    const Few q = pivot() * (S().transpose() * left);
    Vector6d down = Vector6d::Zero();
    if (node.parent_at >= 0) down = X().transpose() * left;
    for (int c = 0; c < node.boundary_size; ++c) {
      double sum = isParent(c) ? down[c - node.parent_at] : -rowOf(c).dot(w);
      for (int i = 0; i < Freedoms; ++i) sum -= back(i, c) * q[i];
      values[boundary[c]] += sum;
    }
  }

  void backward(const int* boundary, double* values) const noexcept {
    const Vector6d w = particular(values), y = own(values);
    Vector6d load = y, x = w;
    Few q = pivot() * (S().transpose() * (y - M() * w));
    if (node.parent_at >= 0) {
      Vector6d of_parent;
      for (int k = 0; k < 6; ++k) of_parent[k] = values[boundary[node.parent_at + k]];
      x += X() * of_parent;
    }
    for (int c = 0; c < node.boundary_size; ++c) {
      for (int i = 0; i < Freedoms; ++i) q[i] -= coupling(i, c) * values[boundary[c]];
      if (!isParent(c)) load -= column(c) * values[boundary[c]];
    }
    x += S() * q;
    load -= M() * x;
    Eigen::Map<Vector6d>(values + node.unknown) = x;
    Eigen::Map<Eigen::Matrix<double, kRows, 1>>(values + node.row_unknown) = G().transpose() * load;
  }
};

const int* boundaryOf(const Plan& plan, const PlanNode& node) noexcept {
  return plan.boundary_unknowns.data() + node.first_boundary;
}

}  // namespace

bool factorFreedomsUnsymmetric(const PlanNode& node, const TreeRows& rows, TreeFronts& fronts) noexcept {
  const CarriedArms<double> arms = rows.points.armsOf(node.carrier);
  // ali3p (43) to (45) with an unsymmetric M
  return withFreedoms(node,
                      [&]<int Freedoms>() noexcept { return SquareFreedoms<Freedoms>(node, fronts).factor(arms); });
}

void forwardFreedomsUnsymmetric(const Plan& plan, const PlanNode& node, const TreeFronts& fronts,
                                double* values) noexcept {
  withFreedoms(node, [&]<int Freedoms>() noexcept {
    SquareFreedoms<Freedoms>(node, fronts).forward(boundaryOf(plan, node), values);  // ali3p (46)
  });
}

void backFreedomsUnsymmetric(const Plan& plan, const PlanNode& node, const TreeFronts& fronts,
                             double* values) noexcept {
  withFreedoms(node, [&]<int Freedoms>() noexcept {
    SquareFreedoms<Freedoms>(node, fronts).backward(boundaryOf(plan, node), values);  // ali3p (47), (48)
  });
}

}  // namespace tactus::rt
