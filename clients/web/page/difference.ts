// Where two recorded runs differ first.
import { HEAD } from "../protocol";
import type { Recording } from "./recording";

export interface Difference {
  /** Simulated time, s. */
  time: number;
  tick: number;
  signal: string;
  values: [number, number];
}

export interface Comparison {
  /** Rows at equal times. */
  rows: number;
  /** Signals that both runs have. */
  signals: number;
  first: Difference | undefined;
}

/** Compares every bit of the signals that both runs have, at the times that both have. */
export function compare(one: Recording, other: Recording): Comparison {
  const shared = one.signals.flatMap(({ name }, index) => {
    const column = other.columnOf(name);
    return column < 0 ? [] : [{ name, one: HEAD.length + index, other: column }];
  });
  let rows = 0;
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const [time, otherTime] = [one.nanoseconds(a), other.nanoseconds(b)];
    if (time < otherTime) ++a;
    else if (otherTime < time) ++b;
    else {
      const [row, otherRow] = [one.row(a), other.row(b)];
      ++rows;
      for (const { name, one: column, other: otherColumn } of shared) {
        const values: [number, number] = [row[column] ?? 0, otherRow[otherColumn] ?? 0];
        if (!Object.is(...values))
          return {
            rows,
            signals: shared.length,
            first: { time: one.time(a), tick: row[0] ?? 0, signal: name, values },
          };
      }
      ++a;
      ++b;
    }
  }
  return { rows, signals: shared.length, first: undefined };
}
