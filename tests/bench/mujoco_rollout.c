/* Rollouts of a model of MJCF in MuJoCo: mujoco_rollout MODEL.xml METHOD STEP STEPS THREADS CONTROLS ROUNDS
 *
 * METHOD is Euler, implicit or RK4. CONTROLS is a file of doubles: for each run, for each step, a value for each actuator.
 * A thread makes every THREADS-th run with a mjData of its own, all of them with one mjModel; contacts are switched off.
 * Output: the shortest time of ROUNDS, s, without loading the model; then the name and the center of mass (world) of each
 * body that moves, at the end of the first run. */
#include <mujoco/mujoco.h>

#include "tests/support/mujoco_bodies.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static mjModel* model;
static mjData* first;
static double* controls;
static long runs, steps;
static int threads;

static int fail(const char* message, const char* detail) {
  fprintf(stderr, "mujoco_rollout: %s %s\n", message, detail);
  return 1;
}

static void* make_runs(void* number) {
  mjData* d = mj_makeData(model);
  for (long run = (long)number; run < runs; run += threads) {
    mj_resetData(model, d);
    const double* row = controls + run * steps * model->nu;
    for (long s = 0; s < steps; ++s, row += model->nu) {
      memcpy(d->ctrl, row, (size_t)model->nu * sizeof(double));
      mj_step(model, d);
    }
    if (run == 0) mj_copyData(first, model, d);
  }
  mj_deleteData(d);
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 8) return fail("usage:", "MODEL.xml METHOD STEP STEPS THREADS CONTROLS ROUNDS");
  char error[500] = "";
  model = mj_loadXML(argv[1], NULL, error, sizeof error);
  if (model == NULL) return fail("cannot load:", error);
  const char* methods[] = {"Euler", "RK4", "implicit"};
  const int codes[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT};
  int method = -1;
  for (int k = 0; k < 3; ++k)
    if (strcmp(argv[2], methods[k]) == 0) method = codes[k];
  if (method < 0) return fail("no method", argv[2]);
  model->opt.integrator = method;
  model->opt.timestep = strtod(argv[3], NULL);
  model->opt.disableflags |= mjDSBL_CONTACT;
  steps = atol(argv[4]);
  threads = atoi(argv[5]);
  FILE* file = fopen(argv[6], "rb");
  if (file == NULL || steps < 1 || threads < 1 || threads > 256) return fail("cannot run with", argv[6]);
  fseek(file, 0, SEEK_END);
  const long count = ftell(file) / (long)sizeof(double);
  rewind(file);
  controls = malloc((size_t)count * sizeof(double) + 1);
  if (controls == NULL || fread(controls, sizeof(double), (size_t)count, file) != (size_t)count)
    return fail("cannot read", argv[6]);
  fclose(file);
  runs = model->nu > 0 ? count / (steps * model->nu) : 1;
  first = mj_makeData(model);

  double best = 0;
  for (int round = 0; round < atoi(argv[7]); ++round) {
    pthread_t team[256];
    const double start = seconds();
    for (int t = 1; t < threads; ++t)
      if (pthread_create(&team[t], NULL, make_runs, (void*)(long)t) != 0) return fail("no thread", "");
    make_runs((void*)0);
    for (int t = 1; t < threads; ++t) pthread_join(team[t], NULL);
    const double time = seconds() - start;
    if (round == 0 || time < best) best = time;
  }
  printf("%.9g\n", best);
  mj_forward(model, first);
  for (int b = 1; b < model->nbody; ++b) {
    if (model->body_weldid[b] != b) continue;
    double r[3];
    center(model, first, b, r);
    printf("%s %.17g %.17g %.17g\n", mj_id2name(model, mjOBJ_BODY, b), r[0], r[1], r[2]);
  }
  return 0;
}
