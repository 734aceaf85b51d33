// A finding and where in the text of the model it is.
#pragma once

#include "rt/error.h"

#include <string>

namespace tactus::server {

struct LocatedFinding {
  rt::Finding finding;
  int line = 0;           ///< from 1; 0 where there is no text
  int column = 0;         ///< from 1; 0 unless the syntax is broken there
  std::string file = {};  ///< of an included file: from the folder of the model file; empty: the model file
};

}  // namespace tactus::server
