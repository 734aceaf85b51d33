# Configures, builds and tests rt as on a machine that has neither gRPC nor protobuf.
#
#   cmake -D source=DIR -D build=DIR -D "settings=-DA=B;..." -P rt_alone.cmake
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --fresh -S ${source} -B ${build} -G Ninja -DTACTUS_BUILD_SERVER=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_gRPC=ON -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON ${settings})
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2)
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --parallel 2 --output-on-failure --no-tests=error -LE "^slow$")
