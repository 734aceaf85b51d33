// The motion subspace of a joint that is a point with zero to three normals, from its rows: one formula for one joint
// and for four beside each other.
#pragma once

#include "rt/ali3p/tree/point_rows.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/math/lanes.h"
#include "rt/math/small_solve.h"
#include "rt/math/where_below.h"

namespace tactus::rt {

/// A vector with three numbers of type double or Lanes.
template <class T>
struct Three {
  T x, y, z;

  TACTUS_INLINE friend Three operator+(const Three& a, const Three& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  TACTUS_INLINE friend Three operator-(const Three& a, const Three& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  TACTUS_INLINE friend Three operator*(const T& s, const Three& a) noexcept { return {s * a.x, s * a.y, s * a.z}; }
  TACTUS_INLINE T dot(const Three& b) const noexcept { return x * b.x + y * b.y + z * b.z; }
  TACTUS_INLINE Three cross(const Three& b) const noexcept {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
};

/// A motion or a load: translation and rotation, or force and torque.
template <class T>
struct Twist {
  Three<T> linear, angular;

  TACTUS_INLINE friend Twist operator+(const Twist& a, const Twist& b) noexcept {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  TACTUS_INLINE friend Twist operator-(const Twist& a, const Twist& b) noexcept {
    return {a.linear - b.linear, a.angular - b.angular};
  }
  TACTUS_INLINE friend Twist operator*(const T& s, const Twist& a) noexcept { return {s * a.linear, s * a.angular}; }
  TACTUS_INLINE T dot(const Twist& b) const noexcept { return linear.dot(b.linear) + angular.dot(b.angular); }
};

/// Torque of a load about the joint point.
template <class T>
TACTUS_INLINE Three<T> momentAbout(const Three<T>& arm, const Twist<T>& load) noexcept {
  return load.angular + load.linear.cross(arm);
}

/// A rotation about the joint point as a motion of the body.
template <class T>
TACTUS_INLINE Twist<T> turnAbout(const Three<T>& arm, const Three<T>& rotation) noexcept {
  return {arm.cross(rotation), rotation};
}

/// X x: the motion of the carrying body at the center of mass of the body.
template <class T>
TACTUS_INLINE Twist<T> carry(const Three<T>& shift, const Twist<T>& motion) noexcept {
  return {motion.linear + motion.angular.cross(shift), motion.angular};
}

/// X^T f: a load on the body as one on the carrying body.
template <class T>
TACTUS_INLINE Twist<T> passDown(const Three<T>& shift, const Twist<T>& load) noexcept {
  return {load.linear, load.angular + shift.cross(load.linear)};
}

/// Motion subspace of a joint with `Freedoms` freedoms.
template <class T, int Freedoms>
struct FreedomGeometry {
  static constexpr int kNormals = 3 - Freedoms;

  T sign;
  Three<T> arm, shift;
  Three<T> normal[kNormals > 0 ? kNormals : 1];   ///< g
  Three<T> freedom[Freedoms > 0 ? Freedoms : 1];  ///< e; with three freedoms the axes of the world
  T least;                                        ///< above zero if the normals are independent

  TACTUS_INLINE void form(const CarriedArms<T>& arms) noexcept {
    // Rows of a point, (2) of mechanics/primitives/point.h: sigma [I, -skew(s)] on the body, -sigma [I, -skew(s_a)] on
    // the other one. ali3p (39), (40)
    sign = arms.sign;
    arm = {arms.own[0], arms.own[1], arms.own[2]};
    shift = Three<T>{arms.other[0], arms.other[1], arms.other[2]} - arm;
    Three<T> m[kNormals > 0 ? kNormals : 1];
    for (int i = 0; i < kNormals; ++i) m[i] = {arms.normal[i][0], arms.normal[i][1], arms.normal[i][2]};
    formNormals(m);
  }

 private:
  /// g and e: g_i . m_k = delta_ik, e . m = 0. ali3p (41)
  TACTUS_INLINE void formNormals(const Three<T>* m) noexcept {
    if constexpr (kNormals == 0) {
      const T one(1.0), zero(0.0);
      least = one;
      freedom[0] = {one, zero, zero};
      freedom[1] = {zero, one, zero};
      freedom[2] = {zero, zero, one};
    } else if constexpr (kNormals == 1) {
      const T square = m[0].dot(m[0]);
      least = square;
      normal[0] = (T(1.0) / square) * m[0];
      // The axis of the world that is the least parallel of x and y.
      const T zero(0.0), one(1.0), difference = m[0].x * m[0].x - m[0].y * m[0].y;
      const Three<T> axis = {whereBelow(difference, 0.0, one, zero), whereBelow(difference, 0.0, zero, one), zero};
      freedom[0] = m[0].cross(axis);
      freedom[1] = normal[0].cross(freedom[0]);
    } else if constexpr (kNormals == 2) {
      const Three<T> e = m[0].cross(m[1]);
      const T square = e.dot(e);
      least = square;
      const T inverse = T(1.0) / square;
      freedom[0] = e;
      normal[0] = inverse * m[1].cross(e);
      normal[1] = inverse * e.cross(m[0]);
    } else {
      const Three<T> c = m[1].cross(m[2]);
      const T det = m[0].dot(c);
      least = det * det;
      const T inverse = T(1.0) / det;
      normal[0] = inverse * c;
      normal[1] = inverse * m[2].cross(m[0]);
      normal[2] = inverse * m[0].cross(m[1]);
    }
  }
};

}  // namespace tactus::rt
