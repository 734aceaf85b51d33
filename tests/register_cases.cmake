# Run after each build of a test executable: makes a CTest test of each of its Catch2 cases.
#
#   cmake -D executable=PATH -D name=TARGET -D cases=FILE -D timeout=SECONDS -P register_cases.cmake
#
# [slow]      gets the label "slow", which tests/run.sh --quick leaves out
# [realtime]  runs while no other test does
# A case that prints a line "SKIPPED: reason" counts as skipped, not as passed.
# Threads that wait for others sleep: two tests at once would otherwise spin at the barriers of OpenMP.

# Characters that would break a CMake list stand in for each other while the names are in one.
string(ASCII 1 opening)
string(ASCII 2 closing)
string(ASCII 3 semicolon)

# Every name that matches a Catch2 specification; the status of the command is their number, so it tells nothing.
function(list_cases out specification)
  execute_process(COMMAND ${executable} ${specification} --list-test-names-only
    OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE status)
  if(error OR NOT status MATCHES "^[0-9]+$")
    message(FATAL_ERROR "${executable} cannot list its cases: ${status}\n${error}")
  endif()
  string(REPLACE "[" "${opening}" output "${output}")
  string(REPLACE "]" "${closing}" output "${output}")
  string(REPLACE ";" "${semicolon}" output "${output}")
  string(REGEX REPLACE "\n$" "" output "${output}")
  string(REPLACE "\n" ";" output "${output}")
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

function(register_cases specification properties)
  list_cases(cases_found ${specification})
  foreach(case IN LISTS cases_found)
    string(REPLACE "${opening}" "[" case "${case}")
    string(REPLACE "${closing}" "]" case "${case}")
    string(REPLACE "${semicolon}" ";" case "${case}")
    # Catch2 would read these as more than a name.
    string(REGEX REPLACE "([][,~\\\\])" "\\\\\\1" pattern "${case}")
    string(APPEND script "add_test([==[${name}: ${case}]==] [==[${executable}]==] [==[${pattern}]==] --warn NoTests)\n")
    string(APPEND script "set_tests_properties([==[${name}: ${case}]==] PROPERTIES TIMEOUT ${timeout}"
      " SKIP_REGULAR_EXPRESSION [==[(^|\n)SKIPPED: ]==] ENVIRONMENT OMP_WAIT_POLICY=passive ${properties})\n")
  endforeach()
  set(script "${script}" PARENT_SCOPE)
endfunction()

set(script "")
register_cases("~[.]~[slow]~[realtime]" "")
register_cases("~[.][slow]~[realtime]" "LABELS slow")
register_cases("~[.]~[slow][realtime]" "RUN_SERIAL TRUE")
register_cases("~[.][slow][realtime]" "LABELS slow RUN_SERIAL TRUE")
if(script STREQUAL "")
  message(FATAL_ERROR "${executable} has no test cases")
endif()
file(WRITE ${cases} "${script}")
