// A team of one thread in place of libgomp: an instance steps in the thread of its importer, so that the unit needs no
// library for teams and leaves that of its importer alone. The bits do not depend on the number of threads.
extern "C" {

void GOMP_parallel(void (*body)(void*), void* data, unsigned, unsigned) {
  body(data);
}
int omp_get_thread_num() {
  return 0;
}
int omp_get_num_procs() {
  return 1;
}
int omp_get_num_threads() {
  return 1;
}
int omp_get_thread_limit() {
  return 1;
}
int omp_get_max_active_levels() {
  return 1;
}
void omp_set_dynamic(int) {}
}
