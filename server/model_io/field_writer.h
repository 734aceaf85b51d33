// Members of a description into fields of a message: what the parts of toProto() share.
#pragma once

#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <optional>

namespace tactus::server {

using Numbers = google::protobuf::RepeatedField<double>;

template <typename Vector>
void write(const Vector& in, Numbers* out) {
  out->Add(in.data(), in.data() + in.size());
}

template <typename Vector>
void write(const std::optional<Vector>& in, Numbers* out) {
  if (in) write(*in, out);
}

template <typename Spec, typename Message>
void writePoints(const Spec& in, Message& out) {
  write(in.point_1, out.mutable_point_1());
  write(in.point_2, out.mutable_point_2());
}

template <typename Spec, typename Message>
void writePointsAndAxes(const Spec& in, Message& out) {
  writePoints(in, out);
  write(in.axis_1, out.mutable_axis_1());
  write(in.axis_2, out.mutable_axis_2());
}

template <typename Spec, typename Message>
void writeAxisAndPoints(const Spec& in, Message& out) {
  write(in.axis_1, out.mutable_axis_1());
  writePoints(in, out);
}

template <typename Spec, typename Message>
void writeEnds(const Spec& in, Message& out) {
  out.set_body_1(in.body_1);
  out.set_body_2(in.body_2);
  writePoints(in, out);
}

// Kinds of elements, one file each: joint_to_proto.cpp.
void write(const rt::JointSpec& in, v1::Joint& out);

}  // namespace tactus::server
