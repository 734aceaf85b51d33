# Writes OUTPUT, a C++ source with the bytes of every file in INPUTS (separated by |) under the stem of its name.
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
file(WRITE "${OUTPUT}" "// Written by server/models/embed_models.cmake from the model files in its folder.
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
