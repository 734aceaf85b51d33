// Arrows of one color, drawn at once and before everything else.
import * as THREE from "three";

const [HEAD_LENGTH, HEAD_WIDTH] = [0.4, 0.2]; // of the length of an arrow
const [LONGEST_HEAD, WIDEST_HEAD] = [0.4, 0.24]; // m for a mechanism with bodies of 1 m
const Y = new THREE.Vector3(0, 1, 0);

export class Arrows {
  readonly group = new THREE.Group();
  /** Arrows that were put since the last clear. */
  count = 0;
  private readonly shafts: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly heads: THREE.InstancedMesh;
  private readonly tip = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  /** @param most  arrows that can be put; @param size  typical of the bodies, m */
  constructor(
    color: number,
    most: number,
    private readonly size: number,
  ) {
    const look = { color, depthTest: false, fog: false };
    const ends = new THREE.BufferGeometry();
    ends.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * most), 3));
    this.shafts = new THREE.LineSegments(ends, new THREE.LineBasicMaterial(look));
    const cone = new THREE.ConeGeometry(0.5, 1, 6).translate(0, -0.5, 0);
    this.heads = new THREE.InstancedMesh(cone, new THREE.MeshBasicMaterial(look), most);
    for (const part of [this.shafts, this.heads]) {
      part.frustumCulled = false;
      part.renderOrder = 1;
      this.group.add(part);
    }
    this.clear();
  }

  clear(): void {
    this.count = 0;
    this.show();
  }

  /** @param along  length and direction; takes another value. An arrow that is too short to be seen is left out. */
  put(start: THREE.Vector3, along: THREE.Vector3): void {
    const length = along.length();
    if (!(length > 1e-3 * this.size)) return;
    along.divideScalar(length);
    const head = Math.min(LONGEST_HEAD * this.size, HEAD_LENGTH * length);
    const width = Math.min(WIDEST_HEAD * this.size, HEAD_WIDTH * length);
    const points = this.shafts.geometry.getAttribute("position");
    points.setXYZ(2 * this.count, start.x, start.y, start.z);
    this.tip.copy(start).addScaledVector(along, length - head);
    points.setXYZ(2 * this.count + 1, this.tip.x, this.tip.y, this.tip.z);
    this.tip.addScaledVector(along, head);
    this.turn.setFromUnitVectors(Y, along);
    this.matrix.compose(this.tip, this.turn, this.scale.set(width, head, width));
    this.heads.setMatrixAt(this.count++, this.matrix);
  }

  /** Shows what was put. */
  show(): void {
    this.heads.count = this.count;
    this.heads.instanceMatrix.needsUpdate = true;
    this.shafts.geometry.setDrawRange(0, 2 * this.count);
    this.shafts.geometry.getAttribute("position").needsUpdate = true;
    this.group.visible = this.count > 0;
  }
}
