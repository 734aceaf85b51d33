# Configures rt and its tests as on a machine that has neither gRPC nor protobuf, builds the library and its smallest tests and
# runs these. The other tests are the same sources with the same libraries as in the whole build. Optimized little, with the
# assertions that a release leaves out.
#
#   cmake -D source=DIR -D build=DIR -D "settings=-DA=B;..." -P rt_alone.cmake
set(tests test_rt test_rt_plan test_rt_signals)
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --fresh -S ${source} -B ${build} -G Ninja -DTACTUS_BUILD_SERVER=OFF
    -DCMAKE_BUILD_TYPE=Checked -DCMAKE_CXX_FLAGS_CHECKED=-O1
    -DCMAKE_DISABLE_FIND_PACKAGE_gRPC=ON -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON ${settings})
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2 --target tactus_offline ${tests})
list(JOIN tests "|" names)
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --parallel 2 --output-on-failure --no-tests=error -R "^(${names}): ")
