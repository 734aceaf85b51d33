// How much of a picture is drawn, by how many a second there are.

const [SLOW, FAST] = [30, 50]; // pictures per second
const [SLOW_SECONDS, FAST_SECONDS] = [3, 5]; // in a row, before there is less or more
const PATIENCE = 2; // a return to less soon after more makes the next wait for more so much longer
const SOON = 60; // seconds
const FEWEST_PIXELS = 250_000; // fewer do not make a picture quicker: triangles, and the page around it, take the time

/** Of a picture: the share of its pixels along each side that are drawn. */
export interface Effort {
  shadows: boolean;
  share: number;
}

const EFFORTS: readonly Effort[] = [
  { shadows: true, share: 1 },
  { shadows: false, share: 1 },
  { shadows: false, share: 0.75 },
  { shadows: false, share: 0.5 },
];

export class Pace {
  private level = 0;
  private slow = 0;
  private fast = 0;
  private wait = FAST_SECONDS;
  private rising = false; // the newest change was one to more
  private since = 0; // seconds since the newest change

  /**
   * @param rate  pictures of the last second
   * @param pixels  of a whole picture
   */
  step(rate: number, pixels: number): Effort {
    ++this.since;
    this.slow = rate < SLOW ? this.slow + 1 : 0;
    this.fast = rate >= FAST ? this.fast + 1 : 0;
    if (this.slow > SLOW_SECONDS && this.level + 1 < this.levels(pixels)) {
      if (this.rising) this.wait = this.since < SOON ? this.wait * PATIENCE : FAST_SECONDS;
      this.change(1);
    } else if (this.fast > this.wait && this.level > 0) this.change(-1);
    return EFFORTS[this.level] as Effort;
  }

  private levels(pixels: number): number {
    return EFFORTS.filter(({ share }) => share === 1 || share * share * pixels >= FEWEST_PIXELS).length;
  }

  private change(by: number): void {
    this.level += by;
    this.rising = by < 0;
    this.slow = 0;
    this.fast = 0;
    this.since = 0;
  }
}
