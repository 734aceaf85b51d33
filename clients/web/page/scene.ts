// The picture: a mechanism, its ground, its light and its camera; a second run of it as a ghost.
import * as THREE from "three";
import { vector } from "./beams";
import { CameraRig } from "./camera";
import { Figure, type Overlay } from "./figure";
import { Ground } from "./ground";
import { lights, type Quality, wayToSun } from "./looks";
import type { Effort } from "./pace";
import type { PoseLayout } from "./poses";
import { roadMeshes } from "./roads";
import { svgOf } from "./svg";
import type { Model } from "./wire";

const SHIFT = 200; // the origin of the picture follows what is looked at in steps of this length, m
const TRAIL_POINTS = 600;
const TRAIL = 0xffd24a;
const NEAR = 5; // radii of a mechanism: so far it may go while nothing is drawn, and its camera stays
const HALF_ZOOM = 1.6; // of the distance of the camera, for a picture of half of the width
const FIT_PASSES = 6;
const FIT_SHARE = 0.9; // of the picture

/** Whether the processor computes the pictures. Asks a canvas of its own: antialiasing is chosen before the view has a context. */
function rendersOnProcessor(): boolean {
  const context = document.createElement("canvas").getContext("webgl");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const renderer = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer);
}

export class View {
  readonly renderer: THREE.WebGLRenderer;
  readonly rig: CameraRig;
  readonly overlay: Overlay = { tyreForces: true, reactions: false, newtonsPerMeter: 1e4 };
  trail = true;
  onPick: (body: string) => void = () => {};
  onHover: (body: string, event: PointerEvent) => void = () => {};
  /** A second run is drawn in a picture of its own, to the right of the first one, in place of a ghost. */
  beside = false;

  private readonly scene = new THREE.Scene();
  private readonly content = new THREE.Group();
  private readonly fixed = new THREE.Group();
  private readonly sun: THREE.DirectionalLight;
  private readonly origin = new THREE.Vector3();
  private figure: Figure | undefined;
  private ghost: Figure | undefined;
  /** The second run in its own colors. */
  private twin: Figure | undefined;
  private ground: Ground | undefined;
  private path: THREE.Line | undefined;
  private trailPoints: THREE.Vector3[] = [];
  private selected = -1;
  private model: Model | undefined;
  private readonly seen = new THREE.Vector3(); // where the selected body was in the newest picture, in the world
  private heaviest = -1; // its x axis points ahead: a wheel that is selected turns over

  /** Plain: no shadows, no antialiasing, fewer faces, and light at their corners only. */
  readonly quality: Quality;
  private share = 1; // of the pixels of a line that are drawn

  /**
   * @param live  draws plain pictures where the processor draws them: shadows and antialiasing alone take two thirds of its time
   * @throws Error if the browser has no WebGL
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    live: boolean,
  ) {
    this.quality = live && rendersOnProcessor() ? "plain" : "full";
    const full = this.quality === "full";
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: full });
    this.renderer.shadowMap.enabled = true;
    this.rig = new CameraRig(canvas);
    const { sky, sun } = lights();
    this.sun = sun;
    this.scene.add(sky, sun, sun.target);
    this.scene.add(this.content, this.fixed);
    this.sun.castShadow = full;
    this.sun.shadow.mapSize.set(1024, 1024);
    canvas.addEventListener("pointermove", (event) => this.onHover(this.bodyAt(event), event));
    canvas.addEventListener("dblclick", (event) => this.onPick(this.bodyAt(event)));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    this.renderer.setPixelRatio(this.share * Math.min(this.quality === "full" ? 2 : 1, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.rig.resize((this.halves ? 0.5 : 1) * (width / Math.max(1, height)));
  }

  setDark(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x171b22 : 0xe9edf3);
    this.ground?.paint(this.scene.background);
  }

  /** What a picture takes. A plain one never has shadows. */
  set effort({ shadows, share }: Effort) {
    this.sun.castShadow = shadows && this.quality === "full";
    if (this.ground) this.ground.shadows = this.sun.castShadow;
    if (share === this.share) return;
    this.share = share;
    this.resize();
  }

  get effort(): Effort {
    return { shadows: this.sun.castShadow, share: this.share };
  }

  /** Of a whole picture. */
  get pixels(): number {
    return (this.canvas.width * this.canvas.height) / this.share ** 2;
  }

  /** Replaces what is drawn. The same mechanism at about the same place keeps its camera, its marked body and its path. */
  show(model: Model, layout: PoseLayout, row: Float64Array): void {
    const same = this.model === model && this.figure?.take(layout);
    if (!same) this.make(model, layout, row);
    const { figure } = this;
    if (figure === undefined) return;
    const bounds = figure.bounds(row);
    const moved = figure.position(row, Math.max(0, this.selected)).distanceTo(this.seen);
    if (!same || moved > NEAR * bounds.radius) {
      this.trailPoints = [];
      this.origin.set(0, 0, 0);
      this.rig.start(figure.shapes.up, bounds, model.roads.length > 0);
    }
    this.draw(row);
  }

  private make(model: Model, layout: PoseLayout, row: Float64Array): void {
    this.dispose();
    this.model = model;
    const figure = new Figure(model, layout, this.quality);
    this.figure = figure;
    this.content.add(figure.group);
    const trail = new THREE.BufferGeometry();
    trail.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * TRAIL_POINTS), 3));
    this.path = new THREE.Line(trail, new THREE.LineBasicMaterial({ color: TRAIL }));
    this.path.frustumCulled = false;
    this.content.add(this.path);
    this.heaviest = this.heaviestOf(model);
    this.select(this.heaviest, false);
    this.addGround(model, row);
  }

  /** Shows a second run beside the first one; undefined: none. */
  showGhost(model: Model | undefined, layout?: PoseLayout): void {
    for (const figure of [this.ghost, this.twin])
      if (figure) {
        free(figure.group);
        this.content.remove(figure.group);
      }
    this.ghost = model && layout ? new Figure(model, layout, this.quality, true) : undefined;
    this.twin = model && layout ? new Figure(model, layout, this.quality) : undefined;
    for (const figure of [this.ghost, this.twin]) if (figure) this.content.add(figure.group);
    this.resize();
  }

  /** The first body where no mass is declared, as in beams. An elastic body counts by its mean body. */
  private heaviestOf({ bodies, composites }: Model): number {
    const elastic = composites.flatMap(({ name, modal_body }) => {
      const { interfaces = [] } = (modal_body ?? {}) as { interfaces?: { mass: number }[] };
      return interfaces.length > 0 ? [{ name, mass: interfaces.reduce((sum, { mass }) => sum + mass, 0) }] : [];
    });
    const [heaviest] = [...bodies, ...elastic].sort((one, other) => other.mass - one.mass);
    return Math.max(0, this.figure?.layout.bodies.indexOf(heaviest?.name ?? "") ?? 0);
  }

  private addGround(model: Model, row: Float64Array): void {
    const { figure } = this;
    if (figure === undefined) return;
    const { up, size } = figure.shapes;
    const { center, radius } = figure.bounds(row);
    const lowest = center.addScaledVector(up, -radius - size);
    const height = (model.roads[0] ? vector(model.roads[0].origin) : lowest).dot(up);
    this.ground = new Ground(this.quality, up, size, height, this.scene.background as THREE.Color);
    this.ground.shadows = this.sun.castShadow;
    this.scene.fog = this.ground.fog;
    this.content.add(this.ground.group);
    for (const mesh of roadMeshes(model)) this.fixed.add(mesh);
  }

  /** @param marked  draws the body in another color */
  private select(body: number, marked: boolean): void {
    this.selected = body;
    this.trailPoints = [];
    this.figure?.mark(marked ? body : -1);
  }

  /** The path of the selected body begins anew. */
  clearTrail(): void {
    this.trailPoints = [];
  }

  selectName(name: string): void {
    this.select(this.figure?.layout.bodies.indexOf(name) ?? -1, true);
  }

  get selectedName(): string {
    return this.figure?.layout.bodies[this.selected] ?? "";
  }

  /** @param ghost  row of the second run, if one is shown and has reached this time */
  draw(row: Float64Array, ghost?: Float64Array): void {
    const { figure } = this;
    if (figure === undefined) return;
    const body = Math.max(0, this.selected);
    const focus = figure.position(row, body);
    this.seen.copy(focus);
    this.shiftOrigin(focus);
    figure.draw(row, this.origin, this.overlay, this.pixel);
    const second = this.halves ? this.twin : this.ghost;
    for (const other of [this.ghost, this.twin]) if (other) other.group.visible = false;
    if (second && ghost) second.draw(ghost, this.origin, this.overlay, this.pixel);
    if (second && !this.halves) second.group.visible = ghost !== undefined;
    this.drawTrail(focus);
    this.fixed.position.copy(this.origin).negate();
    this.ground?.place(focus, this.origin, this.rig.distance);
    this.placeSun(focus);
    this.rig.follow(focus.clone().sub(this.origin), figure.matrices[this.heaviest] ?? new THREE.Matrix4());
    if (this.halves) this.renderHalves(figure, this.twin, focus, ghost);
    else this.renderer.render(this.scene, this.rig.camera);
  }

  /** Size of a pixel where the camera looks, m. */
  private get pixel(): number {
    const { camera, distance } = this.rig;
    const height = Math.max(1, this.canvas.clientHeight * this.share);
    return (2 * distance * Math.tan((Math.PI * camera.fov) / 360)) / height;
  }

  /** Two runs are drawn side by side. */
  private get halves(): boolean {
    return this.beside && this.twin !== undefined;
  }

  /** The first run to the left, the second one to the right: each from the same side, at the place of its own body. */
  private renderHalves(left: Figure, right: Figure | undefined, focus: THREE.Vector3, row?: Float64Array): void {
    const { renderer } = this;
    const { width, height } = renderer.getSize(new THREE.Vector2());
    const half = Math.floor(width / 2);
    const { camera } = this.rig;
    renderer.setScissorTest(true);
    for (const [from, shown, hidden] of [
      [0, left, right],
      [half, right, left],
    ] as const) {
      if (shown) shown.group.visible = row !== undefined || shown === left;
      if (hidden) hidden.group.visible = false;
      const moved = shown === right ? this.wayToTwin(focus, row) : new THREE.Vector3();
      camera.position.add(moved);
      camera.updateMatrixWorld();
      renderer.setViewport(from, 0, half, height);
      renderer.setScissor(from, 0, half, height);
      renderer.render(this.scene, camera);
      camera.position.sub(moved);
      camera.updateMatrixWorld();
      if (this.path) this.path.visible = false; // that of the first run
    }
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    left.group.visible = true;
  }

  /** From the selected body of the first run to that of the second one; none for a camera that stands still. */
  private wayToTwin(focus: THREE.Vector3, row: Float64Array | undefined): THREE.Vector3 {
    const { twin } = this;
    if (twin === undefined || row === undefined || this.rig.mode === "orbit") return new THREE.Vector3();
    const body = twin.layout.bodies.indexOf(this.figure?.layout.bodies[Math.max(0, this.selected)] ?? "");
    return body < 0 ? new THREE.Vector3() : twin.position(row, body).sub(focus);
  }

  /** Shows a second run beside the first one, or as a ghost in the same picture. */
  setBeside(beside: boolean): void {
    if (beside === this.beside) return;
    this.beside = beside;
    this.resize();
    this.rig.zoom(beside ? HALF_ZOOM : 1 / HALF_ZOOM);
  }

  /** Brings the camera as near as the whole mechanism allows. */
  fit(row: Float64Array): void {
    const { figure } = this;
    if (figure === undefined) return;
    for (let pass = 0; pass < FIT_PASSES; ++pass) {
      this.draw(row);
      let reach = 0;
      for (const point of figure.corners(row)) {
        const { x, y } = point.sub(this.origin).project(this.rig.camera);
        reach = Math.max(reach, Math.abs(x), Math.abs(y));
      }
      this.rig.zoom(reach / FIT_SHARE);
    }
    this.draw(row);
  }

  /** The picture that was drawn last, as SVG. */
  svg(): string {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    const layers = [this.ground?.group, this.fixed, this.figure?.group].filter((layer) => layer !== undefined);
    const background = this.scene.background as THREE.Color;
    return svgOf(layers, background, { camera: this.rig.camera, width, height });
  }

  get arrowsShown(): number {
    return this.figure?.arrowsShown ?? 0;
  }

  /** Keeps the numbers of the graphics small far from the origin of the world. */
  private shiftOrigin(focus: THREE.Vector3): void {
    if (focus.distanceTo(this.origin) < SHIFT) return;
    const next = focus.clone().divideScalar(SHIFT).round().multiplyScalar(SHIFT);
    this.rig.shift(this.origin.clone().sub(next));
    this.origin.copy(next);
  }

  /** The sun moves along, so that its shadows cover what is seen. */
  private placeSun(focus: THREE.Vector3): void {
    const { sun, figure } = this;
    if (figure === undefined) return;
    const { up, size } = figure.shapes;
    const reach = Math.max(4 * size, this.rig.distance * 0.8);
    sun.target.position.copy(focus).sub(this.origin);
    sun.position.copy(sun.target.position).addScaledVector(wayToSun(up), reach);
    const shadow = sun.shadow.camera;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 8 * reach });
    shadow.updateProjectionMatrix();
  }

  private drawTrail(focus: THREE.Vector3): void {
    const { path } = this;
    const shapes = this.figure?.shapes;
    if (path === undefined || shapes === undefined) return;
    path.visible = this.trail;
    const last = this.trailPoints[this.trailPoints.length - 1];
    if (!last || last.distanceTo(focus) > 0.05 * shapes.size) this.trailPoints.push(focus.clone());
    if (this.trailPoints.length > TRAIL_POINTS) this.trailPoints.shift();
    const attribute = path.geometry.getAttribute("position");
    this.trailPoints.forEach((point, index) => {
      attribute.setXYZ(index, point.x - this.origin.x, point.y - this.origin.y, point.z - this.origin.z);
    });
    attribute.needsUpdate = true;
    path.geometry.setDrawRange(0, this.trailPoints.length);
  }

  private bodyAt(event: MouseEvent): string {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const wide = this.halves ? width / 2 : width;
    const at = new THREE.Vector2((2 * (event.clientX - left)) / wide - 1, 1 - (2 * (event.clientY - top)) / height);
    if (at.x > 1) return ""; // on the second run
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.rig.camera);
    return this.figure?.layout.bodies[this.figure.bodyAt(ray)] ?? "";
  }

  /** Where the center of a body is drawn: pixels of the page from the upper left corner of the canvas. */
  pixelOf(name: string, row: Float64Array): { x: number; y: number } {
    return this.pixelIn(this.figure, name, row);
  }

  /** The same of the second run; undefined if none is drawn. */
  ghostPixelOf(name: string, row: Float64Array): { x: number; y: number } | undefined {
    return this.ghost?.group.visible ? this.pixelIn(this.ghost, name, row) : undefined;
  }

  /** The names of the bodies that are drawn. */
  get bodies(): readonly string[] {
    return this.figure?.layout.bodies ?? [];
  }

  private pixelIn(figure: Figure | undefined, name: string, row: Float64Array): { x: number; y: number } {
    const point = figure?.position(row, figure.layout.bodies.indexOf(name)) ?? new THREE.Vector3();
    point.sub(this.origin).project(this.rig.camera);
    const { clientWidth, clientHeight } = this.canvas;
    return { x: ((point.x + 1) / 2) * clientWidth * (this.halves ? 0.5 : 1), y: ((1 - point.y) / 2) * clientHeight };
  }

  private dispose(): void {
    for (const group of [this.content, this.fixed]) {
      free(group);
      group.clear();
    }
    this.figure = undefined;
    this.ghost = undefined;
    this.twin = undefined;
  }
}

/** Gives back the memory of the graphics. */
function free(group: THREE.Group): void {
  group.traverse((object) => {
    if (!(object instanceof THREE.Mesh || object instanceof THREE.Line)) return;
    object.geometry.dispose();
    (object.userData.texture as THREE.Texture | undefined)?.dispose();
    for (const material of [object.material].flat()) material.dispose();
  });
}
