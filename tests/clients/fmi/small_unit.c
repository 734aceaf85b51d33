// A unit of FMI 2.0 and 3.0 for the tests of `tactus fmu check`: the output is the sum of the input over the steps.
// GAIN scales the sum. FMI is the version; FAULT what the unit does wrong: see the enumeration; DENIED_FUNCTIONS the DENIED(NAME) of all others.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>
#include <xmmintrin.h>

#ifndef GAIN
#define GAIN 1
#endif

enum { NONE, HANGS, CRASHES, NOT_FINITE, SLOW, EXITS, LEAKS_BETWEEN_INSTANCES, FORGETS_STATE, FAILS, HANGS_WHEN_LOADED,
       UPDATES, NEVER_UPDATES, UPDATES_ELSEWHERE, RETURNS_ELSEWHERE, HANGS_AFTER_UPDATE, CRASHES_AFTER_UPDATE, FIXED_STEP,
       CHANGES_WITH_UPDATES, DISCARDS, HANGS_AT_ONCE, FAILS_AFTER_RESET, LEAVES_A_HELPER, NARROW_RANGE, ROUNDS_UP, PAUSES,
       DENIES_NAMES, DENIES_READS, KEEPS_ITS_START, HANGS_AT_THE_END,
       ENDS };

typedef void (*Update)(void*, double, bool, bool, bool, bool, bool*, double*);

#if FMI == 2
typedef void (*Log)(void*, const char*, int, const char*, const char*, ...);
#else
typedef void (*Log)(void*, int, const char*, const char*);
#endif

struct Unit {
  double input, output, offset;
  enum { INSTANTIATED, INITIALIZATION, STEPPING } mode;
  int steps;
  bool in_update;
  Update update;
  void* environment;
  bool may_return;
  Log log;  // if it is to log
};

static double shared_output;
static int resets;

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define F(name) JOIN(JOIN(fmi, FMI), name)
// Functions that no test calls with success.
#define DENIED(name) \
  int F(name)(void) { return 3; }

__attribute__((constructor)) static void loaded(void) {
  while (FAULT == HANGS_WHEN_LOADED) sleep(1);
  if (FAULT == ROUNDS_UP) _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
}

// A process that has the files of this one and does not end by itself. Its number is in the file TACTUS_TEST_HELPER.
static void leave_helper(void) {
  const pid_t helper = fork();
  if (helper == 0)
    for (;;) pause();
  FILE* const file = fopen(getenv("TACTUS_TEST_HELPER"), "w");
  fprintf(file, "%d", (int)helper);
  fclose(file);
}

static void say(struct Unit* unit, int status, const char* text) {
#if FMI == 2
  unit->log(unit->environment, "small", status, "logAll", "%s", text);
#else
  unit->log(unit->environment, status, "logAll", text);
#endif
}

static int step(struct Unit* unit) {
  ++unit->steps;
  if (FAULT == DISCARDS) {
    // The reason, in two lines and longer than anybody reads, and a detail after it.
    static char reason[5000];
    strcpy(reason, "the pressure\nis too low; ");
    memset(reason + strlen(reason), 'x', sizeof reason - 100);
    if (unit->log) say(unit, 2, reason);
    if (unit->log) say(unit, 0, "the step has ended");
    return 2;
  }
  while (FAULT == HANGS_AT_ONCE) sleep(1);
  if (FAULT == FAILS_AFTER_RESET && resets > 0) return 3;
  if (FAULT == KEEPS_ITS_START) return 0;
  unit->output += GAIN * (unit->input + 1);
  if (FAULT == SLOW) usleep(15000);
  if (FAULT == PAUSES && unit->steps == 5) usleep(700000);
  if (FAULT == LEAKS_BETWEEN_INSTANCES) unit->output = shared_output += unit->input + 1;
  if (unit->steps < 5) return 0;
  if (FAULT == HANGS)
    for (;;) sleep(1);
  if (FAULT == CRASHES) *(volatile int*)8 = 1;
  if (FAULT == NOT_FINITE) unit->output = NAN;
  if (FAULT == EXITS) _exit(7);
  static bool has_helper;
  if (FAULT == LEAVES_A_HELPER && !has_helper) has_helper = true, leave_helper();
  return FAULT == FAILS ? 3 : 0;
}

static int get(const struct Unit* unit, const uint32_t* references, size_t count, double* values) {
  if (FAULT == DENIES_READS && unit->in_update) return 3;
  for (size_t i = 0; i < count; ++i) values[i] = references[i] == 1 ? unit->input : unit->output;
  return 0;
}
static int set(struct Unit* unit, const uint32_t* references, size_t count, const double* values) {
  for (size_t i = 0; i < count; ++i)
    if (FAULT == NARROW_RANGE && !(values[i] >= 0 && values[i] <= 0.01))
      return 3;
    else if (references[i] == 1)
      unit->input = values[i];
    else if (references[i] == 3 && unit->mode == INSTANTIATED)
      unit->offset = values[i];
    else
      return 3;
  return 0;
}

void F(FreeInstance)(void* unit) { free(unit); }
static int begin(struct Unit* unit) {
  unit->mode = INITIALIZATION;
  return 0;
}
int F(ExitInitializationMode)(void* unit) {
  struct Unit* const self = unit;
  self->mode = STEPPING;
  if (FAULT == KEEPS_ITS_START) self->output = 2 * self->input + self->offset;
  return 0;
}
// Writes its results: a line in the file TACTUS_TEST_RESULTS.
int F(Terminate)(void* unit) {
  while (FAULT == HANGS_AT_THE_END) sleep(1);
  const char* const results = getenv("TACTUS_TEST_RESULTS");
  if (!unit || !results) return unit ? 0 : 3;
  FILE* const file = fopen(results, "a");
  fprintf(file, "%d steps\n", ((struct Unit*)unit)->steps);
  fclose(file);
  return 0;
}
int F(Reset)(void* unit) {
  memset(unit, 0, sizeof(struct Unit));
  shared_output = 0;
  ++resets;
  return 0;
}

static int save(const void* unit, void** state) {
  if (!*state) *state = malloc(sizeof(struct Unit));
  memcpy(*state, unit, sizeof(struct Unit));
  return 0;
}
static int restore(void* unit, const void* state) {
  if (FAULT != FORGETS_STATE) memcpy(unit, state, sizeof(struct Unit));
  shared_output = ((struct Unit*)unit)->output;
  return 0;
}
static int release(void** state) {
  free(*state);
  *state = NULL;
  return 0;
}

#if FMI == 2
void* fmi2Instantiate(const char* name, int type, const char* token, const char* resources, const void* calls, int visible,
                      int logging) {
  (void)name, (void)type, (void)resources, (void)visible;
  if (strcmp(token, "{small}")) return NULL;
  struct Unit* unit = calloc(1, sizeof(struct Unit));
  unit->environment = ((void* const*)calls)[4];
  if (logging) unit->log = ((const Log*)calls)[0];
  return unit;
}
int fmi2SetupExperiment(void* u, int a, double b, double c, int d, double e) { return (void)a, (void)b, (void)c, (void)d, (void)e, u ? 0 : 3; }
int fmi2EnterInitializationMode(void* unit) { return begin(unit); }
int fmi2GetReal(void* u, const uint32_t* r, size_t n, double* v) { return get(u, r, n, v); }
int fmi2SetReal(void* u, const uint32_t* r, size_t n, const double* v) { return set(u, r, n, v); }
int fmi2DoStep(void* u, double t, double h, int no) { return (void)t, (void)h, (void)no, step(u); }
int fmi2GetFMUstate(void* u, void** s) { return save(u, s); }
int fmi2SetFMUstate(void* u, void* s) { return restore(u, s); }
int fmi2FreeFMUstate(void* u, void** s) { return (void)u, release(s); }
#else
void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible, bool logging, bool events,
                                  bool may_return, const uint32_t* read, size_t count, void* environment, Log log, Update update) {
  if (strcmp(token, "{small}") || (FAULT == DENIES_NAMES && count > 0)) return NULL;
  struct Unit* unit = calloc(1, sizeof(struct Unit));
  if (FAULT >= UPDATES && FAULT <= CHANGES_WITH_UPDATES && FAULT != NEVER_UPDATES) unit->update = update;
  if (FAULT == DENIES_NAMES || FAULT == DENIES_READS) unit->update = update;
  unit->environment = environment;
  unit->may_return = may_return;
  if (logging) unit->log = log;
  return unit;
}
int fmi3EnterInitializationMode(void* unit) { return begin(unit); }
int fmi3GetFloat64(void* u, const uint32_t* r, size_t n, double* v, size_t m) { return (void)m, get(u, r, n, v); }
int fmi3SetFloat64(void* u, const uint32_t* r, size_t n, const double* v, size_t m) { return (void)m, set(u, r, n, v); }
int fmi3DoStep(void* u, double t, double h, bool no, bool* event, bool* end, bool* early, double* last) {
  (void)no;
  *event = *end = *early = false;
  *last = t + h;
  struct Unit* unit = u;
  if (FAULT == FIXED_STEP && fabs(h - 0.01) > 1e-9) return 3;
  *end = FAULT == ENDS && unit->steps == 5;
  if (!unit->update) return step(unit);
  // Two internal steps of 5 ms.
  for (int k = 0; k < 2 && t + 0.0049 < *last; ++k) {
    unit->output += 0.5 * (unit->input + 1) + (FAULT == CHANGES_WITH_UPDATES);
    t += 0.005;
    bool asked = false;
    double until = 0;
    unit->in_update = true;
    unit->update(unit->environment, t + (FAULT == UPDATES_ELSEWHERE), false, true, true, unit->may_return, &asked, &until);
    unit->in_update = false;
    while (FAULT == HANGS_AFTER_UPDATE) sleep(1);
    if (FAULT == CRASHES_AFTER_UPDATE) *(volatile int*)8 = 1;
    if (!asked || !unit->may_return || t + 0.0049 >= *last) continue;
    *early = true;
    *last = FAULT == RETURNS_ELSEWHERE ? t + 1 : t;
    return 0;
  }
  return 0;
}
int fmi3GetFMUState(void* u, void** s) { return save(u, s); }
int fmi3SetFMUState(void* u, void* s) { return restore(u, s); }
int fmi3FreeFMUState(void* u, void** s) { return (void)u, release(s); }
#endif

DENIED_FUNCTIONS
