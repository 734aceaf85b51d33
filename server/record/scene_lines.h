// What runs from body to body, as lines of Foxglove in the frame "world": springs, struts, rods, ropes and beams.
#pragma once

#include "rt/state/snapshot.h"

#include "foxglove/scene.pb.h"
#include "tactus/v1/model.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

/// The moving lines of a model. A frame of a body can carry none of them, because they change their length.
class SceneLines {
 public:
  /// @param message  the declaration of `model`
  SceneLines(const v1::Model& message, const rt::Model& model);

  bool empty() const noexcept { return lines_.empty(); }

  /// Overwrites `out` with the lines of a tick, one entity for each element, named as the element. Points that are in
  /// `out` already keep their memory.
  /// @param time_ns  of the message, since 1970
  void write(const rt::Snapshot& snapshot, std::uint64_t time_ns, foxglove::SceneUpdate& out) const;

 private:
  struct End {
    int body;  ///< -1: ground
    Eigen::Vector3d point;
  };
  enum class Kind { kCoil, kStrut, kRod, kRope };  ///< a strut is a rod in a coil
  struct Line {
    std::string name;
    Kind kind;
    std::vector<End> ends;
    double radius;  ///< of a coil, m
  };

  template <class Element>
  void addBetween(const std::string& name, Kind kind, const std::string& body_1, const std::string& body_2,
                  const Element& points);
  void addBeam(const std::string& name, const v1::Beam& beam);
  int bodyOf(const std::string& name) const;

  const rt::Model& model_;
  std::vector<Line> lines_;
};

}  // namespace tactus::server
