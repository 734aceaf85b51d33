# Compiles rt by clang, without optimization: what only GCC accepts is found here. Nothing is run; the fuzzers of tests/fuzz are
# what runs code of clang.
#
#   cmake -D source=DIR -D build=DIR -D compiler=CLANG -D "settings=-DA=B;..." -P rt_by_clang.cmake
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --fresh -S ${source} -B ${build} -G Ninja -DTACTUS_BUILD_SERVER=OFF
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_CXX_COMPILER=${compiler}
    -DCMAKE_DISABLE_FIND_PACKAGE_gRPC=ON -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON ${settings})
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2 --target tactus_rt -- -k 0)
