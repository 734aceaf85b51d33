# Writes OUTPUT from INPUT with the commit of the moment; run at every build, touches the file only if it changes.
set(TACTUS_COMMIT "unknown")
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
if(result EQUAL 0)
  set(TACTUS_COMMIT "${commit}")
  execute_process(COMMAND git --no-optional-locks -C "${SOURCE}" status --porcelain
    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changes)
    string(APPEND TACTUS_COMMIT "+")
  endif()
endif()
file(READ "${FLAGS_FILE}" TACTUS_FLAGS)
configure_file("${INPUT}" "${OUTPUT}" @ONLY)
