// A finding and where in the text of the model it is.
#pragma once

#include "rt/error.h"

namespace tactus::server {

struct LocatedFinding {
  rt::Finding finding;
  int line = 0;    ///< from 1; 0 where there is no text
  int column = 0;  ///< from 1; 0 unless the syntax is broken there
};

}  // namespace tactus::server
