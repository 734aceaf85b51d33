// The ground under a mechanism: a grid that fades into the haze, and the plane that takes the shadows.
import * as THREE from "three";
import type { Quality } from "./looks";

interface Grid {
  cells: number;
  /** Of the pieces of a line where cameras are, and elsewhere, cells. */
  short: number;
  long: number;
}
const GRIDS: Record<Quality, Grid> = {
  full: { cells: 160, short: 5, long: 5 },
  plain: { cells: 80, short: 2, long: 10 },
};
const [BESIDE, BEHIND] = [12, 20]; // cells from the middle: there are cameras
const COLOR = 0x7a8699;
const FAR = 20; // cells: beyond, the camera sees a grid of cells that are ten times as large
const [HAZE_BEGINS, HAZE_ENDS] = [0.1, 0.45]; // of the side of the grid

/**
 * A square grid in the plane normal to y, with cells of side 1. Each line has pieces, because rasterizers in software leave
 * out lines that pass behind the camera.
 */
function gridLines({ cells, short, long }: Grid): THREE.BufferGeometry {
  const points: number[] = [];
  const half = cells / 2;
  for (let line = -half; line <= half; ++line)
    for (let from = -half, to = from; from < half; from = to) {
      to += Math.abs(line) <= BESIDE && from >= -BEHIND && from < BEHIND ? short : long;
      points.push(line, 0, from, line, 0, to, from, 0, line, to, 0, line);
    }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

export class Ground {
  readonly group = new THREE.Group();
  readonly fog: THREE.Fog;
  private readonly cell: number;
  private readonly lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly floor: THREE.Mesh; // shows nothing but shadows
  private readonly inverse: THREE.Quaternion;

  /**
   * @param size  typical of the bodies, m
   * @param height  of the ground in the direction `up`, m
   */
  constructor(
    private readonly quality: Quality,
    up: THREE.Vector3,
    size: number,
    private readonly height: number,
    background: THREE.Color,
  ) {
    this.cell = 10 ** Math.ceil(Math.log10(size));
    const full = quality === "full";
    const look = new THREE.LineBasicMaterial({ transparent: full, opacity: full ? 0.5 : 1 });
    this.lines = new THREE.LineSegments(gridLines(GRIDS[quality]), look);
    const { cells } = GRIDS[quality];
    const shadows = new THREE.ShadowMaterial({ opacity: 0.3, depthWrite: false });
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(cells, cells).rotateX(-Math.PI / 2), shadows);
    this.floor.receiveShadow = true;
    this.floor.position.y = -1e-3;
    this.group.add(this.lines, this.floor);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.inverse = this.group.quaternion.clone().invert();
    this.fog = new THREE.Fog(background);
    this.paint(background);
  }

  set shadows(on: boolean) {
    this.floor.visible = on;
  }

  /** Mixes half of the background into the lines. Lines that nothing shines through are quicker on the processor. */
  paint(background: THREE.Color): void {
    this.fog.color = background;
    const { color } = this.lines.material;
    color.set(COLOR);
    if (this.quality === "plain") color.lerp(background, 0.5);
  }

  /**
   * The grid follows in whole cells, so that its lines stand still.
   * @param focus  what the camera follows, in the world; origin  of the picture
   * @param distance  of the camera, m
   */
  place(focus: THREE.Vector3, origin: THREE.Vector3, distance: number): void {
    const cell = this.cell * 10 ** Math.max(0, Math.ceil(Math.log10(distance / (FAR * this.cell))));
    const side = GRIDS[this.quality].cells * cell;
    this.fog.near = HAZE_BEGINS * side;
    this.fog.far = HAZE_ENDS * side;
    const { position, quaternion, scale } = this.group;
    scale.setScalar(cell);
    position.copy(focus).applyQuaternion(this.inverse);
    position.set(Math.round(position.x / cell) * cell, this.height, Math.round(position.z / cell) * cell);
    position.applyQuaternion(quaternion).sub(origin);
  }
}
