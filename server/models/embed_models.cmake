# Writes OUTPUT, a C++ file that holds the bytes of every file in INPUTS (separated by |) under its stem.
# Run as: cmake -DOUTPUT=... -DINPUTS=a.json|b.json -P embed_models.cmake
string(REPLACE "|" ";" inputs "${INPUTS}")
set(arrays "")
set(entries "")
foreach(input IN LISTS inputs)
  get_filename_component(name "${input}" NAME_WE)
  file(READ "${input}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char ${name}[] = {${bytes}};\n")
  string(APPEND entries "    {\"${name}\", {${name}, sizeof(${name})}},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by server/models/embed_models.cmake from the model files beside it.
#include \"server/models/embedded_models.h\"

namespace tactus::server {
namespace {

${arrays}
}  // namespace

const std::vector<EmbeddedModel>& embeddedModels() {
  static const std::vector<EmbeddedModel> models = {
${entries}  };
  return models;
}

}  // namespace tactus::server
")
