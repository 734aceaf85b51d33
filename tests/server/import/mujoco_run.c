/* Runs a model of MJCF in MuJoCo and prints what its bodies do: mujoco_run MODEL.xml INPUTS.csv STEP ROWS
 *
 * INPUTS.csv has the columns t and the names of actuators; a row holds from its time until the next one. Contacts are
 * switched off, the integrator is the classical Runge-Kutta method with steps of STEP seconds. Output: CSV, ROWS rows
 * to the second over one second, with the center of mass (world) and the quaternion (scalar first) of each body. Bodies that
 * are fixed to another one count to its mass and have no columns. */
#include <mujoco/mujoco.h>

#include "tests/support/mujoco_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxColumns = 64, kMaxRows = 1024 };

static double rows[kMaxRows][kMaxColumns];
static int actuators[kMaxColumns];

static int fail(const char* message, const char* detail) {
  fprintf(stderr, "mujoco_run: %s %s\n", message, detail);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 5) return fail("usage:", "MODEL.xml INPUTS.csv STEP ROWS");
  char error[500] = "";
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (m == NULL) return fail("cannot load:", error);
  FILE* file = fopen(argv[2], "r");
  if (file == NULL) return fail("cannot open", argv[2]);
  static char line[8192];
  int columns = 0, count = 0;
  if (fgets(line, sizeof line, file) == NULL) return fail("no header in", argv[2]);
  for (char* word = strtok(line, ",\n"); word != NULL && columns < kMaxColumns; word = strtok(NULL, ",\n")) {
    actuators[columns] = columns == 0 ? 0 : mj_name2id(m, mjOBJ_ACTUATOR, word);
    if (actuators[columns++] < 0) return fail("no actuator", word);
  }
  while (count < kMaxRows && fgets(line, sizeof line, file) != NULL) {
    char* next = line;
    for (int c = 0; c < columns; ++c) rows[count][c] = strtod(next + (c > 0), &next);
    ++count;
  }
  fclose(file);

  m->opt.timestep = strtod(argv[3], NULL);
  m->opt.integrator = mjINT_RK4;
  m->opt.disableflags |= mjDSBL_CONTACT;
  const long steps = (long)(1 / m->opt.timestep + 0.5), every = steps / atol(argv[4]);
  mjData* d = mj_makeData(m);
  printf("t");
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_weldid[b] != b) continue;
    const char* name = mj_id2name(m, mjOBJ_BODY, b);
    printf(",%s.x,%s.y,%s.z,%s.e0,%s.e1,%s.e2,%s.e3", name, name, name, name, name, name, name);
  }
  printf("\n");
  int row = 0;
  for (long s = 0; s <= steps; ++s) {
    mj_forward(m, d);
    if (s % every == 0) {
      printf("%.10g", (double)s * m->opt.timestep);
      for (int b = 1; b < m->nbody; ++b) {
        if (m->body_weldid[b] != b) continue;
        double r[3];
        center(m, d, b, r);
        for (int k = 0; k < 3; ++k) printf(",%.10g", r[k]);
        for (int k = 0; k < 4; ++k) printf(",%.10g", d->xquat[4 * b + k]);
      }
      printf("\n");
    }
    /* The time of a row is met within half a step. */
    while (row + 1 < count && rows[row + 1][0] <= ((double)s + 0.5) * m->opt.timestep) ++row;
    for (int c = 1; c < columns; ++c) d->ctrl[actuators[c]] = rows[row][c];
    mj_step(m, d);
  }
  return 0;
}
