// Files of other tools: what is imported is a valid model, and what is not says where and why.
#include "tests/fuzz/target.h"

#include "rt/error.h"
#include "server/import/import_file.h"
#include "server/model_io/model_file.h"

namespace tactus::fuzz {

namespace {

bool importBytes(std::string_view bytes) {
  server::ImportOptions options;
  options.drop_tendons = true;
  const ScratchFile file(bytes);
  server::ImportedFile imported = server::importFile(file.path(), options);
  for (const server::ImportError& error : imported.report.errors())
    require(!error.rule.empty() && error.place.line >= 0, "a refused file says why");
  for (const server::Loss& loss : imported.report.losses())
    require(!loss.reason.empty() && !loss.place.file.empty(), "a loss says where and why");
  if (imported.report.failed()) return false;
  // Roads of OpenDRIVE are for a model with bodies.
  if (imported.format == "OpenDRIVE") {
    v1::Body& body = *imported.message.add_bodies();
    body.set_name("car");
    body.set_mass(1);
    body.mutable_inertia()->set_xx(1);
    body.mutable_inertia()->set_yy(1);
    body.mutable_inertia()->set_zz(1);
  }
  require(server::readModelMessage(imported.message).valid(), "an imported model is valid");
  return true;
}

std::vector<std::string> importSeeds() {
  return {
      R"(<robot name="r"><link name="a"/><link name="b"><inertial><origin xyz="0 0 .1" rpy="1 0 0"/><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0.1"/></inertial><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3"/>
<dynamics damping="1" friction="0.1"/></joint><joint name="k" type="prismatic"><parent link="b"/><child link="c"/>
<limit lower="0" upper="1"/><mimic joint="j" multiplier="2"/></joint></robot>)",
      R"(<mujoco><compiler autolimits="true"/><default><geom density="500"/><default class="x"><joint damping="1"/></default>
</default><worldbody><body pos="0 0 1" euler="10 0 0"><freejoint/><geom type="capsule" fromto="0 0 0 0 0 1" size="0.1"/>
<body name="b" childclass="x"><joint name="h" range="-10 20" ref="3"/><joint name="s" type="slide" axis="1 0 0"/>
<geom type="box" size="1 2 3" quat="1 1 0 0"/></body></body></worldbody><equality><joint joint1="h" joint2="s"/></equality>
<actuator><position joint="h" kp="3"/><motor joint="s" gear="2" ctrlrange="-1 1"/></actuator></mujoco>)",
      R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity><model name="m"><link name="a"><pose>0 0 1 0 0 0</pose>
<inertial><mass>2</mass></inertial></link><link name="b"><pose relative_to="j">0 0 1 0 0 0</pose></link><joint name="j" type="universal">
<pose relative_to="a">0 0 1 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>
</joint></model></world></sdf>)",
      R"(<OpenDRIVE><header revMajor="1" revMinor="6"/><road id="1" junction="-1" length="30"><link><successor elementType="road"
elementId="2" contactPoint="start"/></link><planView><geometry s="0" x="0" y="0" hdg="0" length="10"><line/></geometry>
<geometry s="10" x="10" y="0" hdg="0" length="20"><spiral curvStart="0" curvEnd="0.02"/></geometry></planView><elevationProfile>
<elevation s="0" a="1" b="0.02" c="0" d="0"/></elevationProfile><lateralProfile><superelevation s="0" a="0.02" b="0" c="0" d="0"/>
</lateralProfile><lanes><laneOffset s="0" a="0.1" b="0" c="0" d="0"/><laneSection s="0"><left><lane id="1" type="driving"><width
sOffset="0" a="3.5" b="0" c="0" d="0"/><roadMark sOffset="0" type="broken" color="white" width="0.12"/></lane></left><center>
<lane id="0"/></center><right><lane id="-1" type="driving"><width sOffset="0" a="3" b="0.01" c="0" d="0"/><material sOffset="0"
friction="0.8"/></lane></right></laneSection></lanes></road></OpenDRIVE>)"};
}

}  // namespace

std::vector<Target> importTargets() {
  return {{"import", 8192, importBytes, importSeeds, nullptr}};
}

}  // namespace tactus::fuzz
