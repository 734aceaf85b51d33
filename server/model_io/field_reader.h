// Fields of a message into members of a description: what the parts of fromProto() share.
#pragma once

#include "rt/model/finding_list.h"
#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <algorithm>
#include <string>

namespace tactus::server {

using Numbers = google::protobuf::RepeatedField<double>;

/// Reads lists of numbers and the members that several messages share; what does not fit becomes a finding.
class FieldReader {
 public:
  explicit FieldReader(rt::FindingList& out) : out_(out) {}

 protected:
  /// A list that may be left out: `out` then keeps its default.
  template <typename Vector>
  bool given(const std::string& path, const Numbers& in, Vector& out) {
    if (in.empty()) return false;
    constexpr int kSize = Vector::RowsAtCompileTime;
    if (in.size() == kSize) {
      std::copy(in.begin(), in.end(), out.data());
      return true;
    }
    out_.error(path, written(in), kSize == 3 ? "must be a list of three numbers" : "must be a list of four numbers");
    return false;
  }

  template <typename Vector>
  void given(const std::string& path, const Numbers& in, std::optional<Vector>& out) {
    Vector value;
    if (given(path, in, value)) out = value;
  }

  void required(const std::string& path, const Numbers& in, rt::Vector3d& out) {
    if (in.empty()) out_.error(path, "none", "must be given: a list of three numbers");
    given(path, in, out);
  }

  void kindMissing(const std::string& path, const char* kinds) {
    out_.error(path + ".kind", "none", std::string("must be given: one of ") + kinds);
  }

  template <typename Message>
  void points(const std::string& path, const Message& in, rt::Vector3d& point_1, rt::Vector3d& point_2) {
    required(path + ".point_1", in.point_1(), point_1);
    required(path + ".point_2", in.point_2(), point_2);
  }

  template <typename Message, typename Spec>
  void pointsAndAxes(const std::string& path, const Message& in, Spec& out) {
    points(path, in, out.point_1, out.point_2);
    required(path + ".axis_1", in.axis_1(), out.axis_1);
    required(path + ".axis_2", in.axis_2(), out.axis_2);
  }

  template <typename Message, typename Spec>
  void axisAndPoints(const std::string& path, const Message& in, Spec& out) {
    required(path + ".axis_1", in.axis_1(), out.axis_1);
    points(path, in, out.point_1, out.point_2);
  }

  template <typename Message, typename Spec>
  void ends(const std::string& path, const Message& in, Spec& out) {
    out.body_1 = in.body_1();
    out.body_2 = in.body_2();
    points(path, in, out.point_1, out.point_2);
  }

  rt::FindingList& out_;

 private:
  static std::string written(const Numbers& list) {
    constexpr int kMaxShown = 6;
    std::string text = "[";
    for (int i = 0; i < std::min(list.size(), kMaxShown); ++i) text += (i == 0 ? "" : ", ") + rt::printed(list[i]);
    return text + (list.size() > kMaxShown ? ", ...]" : "]");
  }
};

// Kinds of elements, one file each: joint_from_proto.cpp, force_from_proto.cpp, vehicle_from_proto.cpp.
void readJoint(const std::string& path, const v1::Joint& in, rt::JointSpec& spec, rt::FindingList& out);
void readForce(const std::string& path, const v1::Force& in, rt::ForceSpec& spec, rt::FindingList& out);
void readRoad(const std::string& path, const v1::Road& in, rt::RoadSpec& spec, rt::FindingList& out);
void readSlipTyre(const std::string& path, const v1::SlipTyre& in, rt::SlipTyreSpec& spec, rt::FindingList& out);
void readPowertrain(const v1::Powertrain& in, rt::PowertrainSpec& spec);
void readControl(const std::string& path, const v1::Control& in, rt::ControlSpec& spec, rt::FindingList& out);
/// A grid whose file has been read already: see grid_file.h.
rt::SurfaceGridSpec readSurfaceGrid(const std::string& path, const v1::SurfaceGrid& in, rt::FindingList& out);
void readDrive(const std::string& path, const v1::Drive& in, rt::DriveSpec& spec, rt::FindingList& out);

}  // namespace tactus::server
