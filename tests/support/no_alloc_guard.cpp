#include "tests/support/no_alloc_guard.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TACTUS_SANITIZER_ALLOCATOR 1
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
#endif

namespace tactus::tests {

namespace {

// Plain data: touching it allocates nothing.
thread_local bool watching = false;
thread_local GuardCounts seen;

// Of the other threads, under a guard of all.
std::atomic<bool> watching_others{false};
std::atomic<std::uint64_t> allocations_of_others{0}, releases_of_others{0}, locks_of_others{0};

void count(std::uint64_t GuardCounts::*of, std::atomic<std::uint64_t>& of_others) noexcept {
  if (watching)
    ++(seen.*of);
  else if (watching_others.load(std::memory_order_relaxed))
    of_others.fetch_add(1, std::memory_order_relaxed);
}

void countAllocation() noexcept {
  count(&GuardCounts::allocations, allocations_of_others);
}
void countRelease() noexcept {
  count(&GuardCounts::releases, releases_of_others);
}
void countLock() noexcept {
  count(&GuardCounts::locks, locks_of_others);
}

/// The function that this program would have got without the guard.
template <class Function>
Function* next(const char* name, const char* version = nullptr) noexcept {
  void* const found = version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  if (!found) std::abort();
  return reinterpret_cast<Function*>(found);
}

// The default version of these two has been this one since condition variables were rewritten; plain dlsym may
// give the older one.
constexpr const char* kCondVersion = "GLIBC_2.3.2";

#ifdef TACTUS_SANITIZER_ALLOCATOR
// The sanitizer owns the allocator and offers hooks.
const int hooks_installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { countAllocation(); }, [](const volatile void*) { countRelease(); });
#endif

}  // namespace

NoAllocGuard::NoAllocGuard(Threads threads) noexcept {
  seen = GuardCounts{};
  for (auto* others : {&allocations_of_others, &releases_of_others, &locks_of_others}) others->store(0);
  watching_others = threads == Threads::kAll;
  watching = true;
}

NoAllocGuard::~NoAllocGuard() {
  watching = false;
  watching_others = false;
}

GuardCounts NoAllocGuard::counts() const noexcept {
  GuardCounts sum = seen;
  sum.allocations += allocations_of_others;
  sum.releases += releases_of_others;
  sum.locks += locks_of_others;
  return sum;
}

}  // namespace tactus::tests

using tactus::tests::countAllocation;
using tactus::tests::countLock;
using tactus::tests::countRelease;
using tactus::tests::kCondVersion;
using tactus::tests::next;

extern "C" {

#ifndef TACTUS_SANITIZER_ALLOCATOR

// What glibc itself calls its allocator. operator new and delete come through here as well.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) {
  countAllocation();
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  countAllocation();
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  countAllocation();
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  countAllocation();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  countAllocation();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  countAllocation();
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

void free(void* block) {
  if (block) countRelease();
  __libc_free(block);
}

#endif

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static auto* const real = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
  countLock();
  return real(mutex);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static auto* const real = next<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait", kCondVersion);
  countLock();
  return real(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* time) {
  static auto* const real =
      next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait", kCondVersion);
  countLock();
  return real(condition, mutex, time);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  static auto* const real =
      next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait");
  countLock();
  return real(condition, mutex, clock, time);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static auto* const real = next<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  countLock();
  return real(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static auto* const real = next<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  countLock();
  return real(lock);
}

int sem_wait(sem_t* semaphore) {
  static auto* const real = next<int(sem_t*)>("sem_wait");
  countLock();
  return real(semaphore);
}

long syscall(long number, ...) noexcept {
  static auto* const real = next<long(long, long, long, long, long, long, long)>("syscall");
  if (tactus::tests::watching) ++tactus::tests::seen.system_calls;
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

}  // extern "C"
