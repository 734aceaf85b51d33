/* What programs that drive MuJoCo share. */
#pragma once

#include <mujoco/mujoco.h>

/* Center of mass of a body with all that is fixed to it. */
static void center(const mjModel* m, const mjData* d, int body, double out[3]) {
  double mass = 0;
  for (int k = 0; k < 3; ++k) out[k] = 0;
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_weldid[b] != body) continue;
    mass += m->body_mass[b];
    for (int k = 0; k < 3; ++k) out[k] += m->body_mass[b] * d->xipos[3 * b + k];
  }
  for (int k = 0; k < 3; ++k) out[k] /= mass;
}
