# Configures rt and its tests as on a machine that has neither gRPC nor protobuf, builds the library and the tests of what holds
# memory and exchanges it between threads, and runs these but for the slow ones. The other tests are the same sources with the same
# library as in the whole build. All of it but the kernels in lanes is under the sanitizers of addresses and of undefined behavior,
# with the assertions that a release leaves out. The first finding of a sanitizer fails its test. Without the checks of each reference
# (TACTUS_SANITIZE_QUICK) GCC compiles it in two thirds of the time (rt/plan: 38 s of CPU instead of 55 s). clang
# compiles without optimization, because compiling takes most of the time of this test.
#
# Left out: the case of the threads that share a step. The OpenMP library of clang keeps threads, with their class, from one team to
# the next. The ordinary tests have this case.
#
#   cmake -D source=DIR -D build=DIR -D optimization=-O1 -D "settings=-DA=B;..." -P rt_alone.cmake
set(tests test_rt test_rt_loop test_rt_plan test_rt_signals)
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --fresh -S ${source} -B ${build} -G Ninja -DTACTUS_BUILD_SERVER=OFF
    -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_CXX_FLAGS_SANITIZE=${optimization} -DTACTUS_SANITIZE=address,undefined -DTACTUS_SANITIZE_QUICK=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_gRPC=ON -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON ${settings})
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2 --target ${tests})
set(ENV{ASAN_OPTIONS} detect_stack_use_after_return=1:strict_string_checks=1:verify_asan_link_order=0)
set(ENV{UBSAN_OPTIONS} print_stacktrace=1:halt_on_error=1)
list(JOIN tests "|" names)
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --parallel 2 --output-on-failure --no-tests=error
    -R "^(${names}): " -E "get the class and the priority of the thread that ticks" -LE "^slow$")
