// Cameras: orbit stays where it is, follow moves with a body, chase stays behind it.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type CameraMode = "orbit" | "follow" | "chase";

const CHASE_SMOOTHING = 0.08; // share of the way to the place behind the body, each picture

export class CameraRig {
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.01, 5000);
  private readonly controls: OrbitControls;
  private chosen: CameraMode = "orbit";
  private readonly last = new THREE.Vector3();
  private up = new THREE.Vector3(0, 0, 1);
  private size = 1;
  private known = false;
  private jumps = false;

  constructor(canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
  }

  get mode(): CameraMode {
    return this.chosen;
  }

  set mode(mode: CameraMode) {
    this.chosen = mode;
    this.jumps = true;
    this.controls.enabled = mode !== "chase";
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Looks at a sphere from above and aside. */
  start(up: THREE.Vector3, { center, radius }: { center: THREE.Vector3; radius: number }, drives: boolean): void {
    this.up = up;
    this.size = radius;
    this.camera.up.copy(up);
    // OrbitControls reads the up direction once, when they are made.
    const turn = new THREE.Quaternion().setFromUnitVectors(up, new THREE.Vector3(0, 1, 0));
    Object.assign(this.controls, { _quat: turn, _quatInverse: turn.clone().invert() });
    const side = Math.abs(up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    side.addScaledVector(up, -side.dot(up)).normalize();
    const across = up.clone().cross(side);
    const away = side.multiplyScalar(-1.1).addScaledVector(across, -1.6).addScaledVector(up, 0.9).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(away, 2.9 * radius);
    this.camera.near = radius * 0.01;
    this.camera.far = radius * 400;
    this.camera.updateProjectionMatrix();
    this.known = false;
    this.mode = drives ? "follow" : "orbit";
  }

  /** Moves the picture without changing it. */
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.last.add(by);
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
  }

  /** Turns about the target. @param across, up  angles, rad */
  turn(across: number, up: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const side = arm.clone().cross(this.up).normalize();
    arm.applyAxisAngle(this.up, across);
    const raised = arm.clone().applyAxisAngle(side, up);
    // Never over the top.
    if (Math.abs(raised.clone().normalize().dot(this.up)) < 0.98) arm.copy(raised);
    this.camera.position.copy(this.controls.target).add(arm);
  }

  /** @param pose  of the body whose x axis points ahead */
  follow(focus: THREE.Vector3, pose: THREE.Matrix4): void {
    const moved = this.known ? focus.clone().sub(this.last) : new THREE.Vector3();
    this.last.copy(focus);
    this.known = true;
    if (this.mode === "follow") {
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    } else if (this.mode === "chase") {
      const ahead = new THREE.Vector3().setFromMatrixColumn(pose, 0);
      ahead.addScaledVector(this.up, -ahead.dot(this.up)).normalize();
      // Behind and a little aside: from straight behind a car hides its wheels.
      const place = focus
        .clone()
        .addScaledVector(ahead, -3.1 * this.size)
        .addScaledVector(this.up.clone().cross(ahead), -1.3 * this.size)
        .addScaledVector(this.up, 0.95 * this.size);
      this.camera.position.add(moved).lerp(place, this.jumps ? 1 : CHASE_SMOOTHING);
      this.jumps = false;
      this.controls.target.copy(focus).addScaledVector(ahead, this.size);
      this.camera.lookAt(this.controls.target);
      return;
    }
    this.controls.update();
  }
}
