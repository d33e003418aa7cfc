/** Boxes on a map, of which no two may overlap. */
import type { Box } from '../../algorithms/clip-ring.ts';
import { boxesMeet } from './lines.ts';

/** Width and height of the squares by which boxes are found, units. */
const CELL = 128;

export class LabelBoxes {
  readonly #cells = new Map<number, Box[]>();

  /** Takes the box if it overlaps none that is taken; `false` = it does. */
  take(box: Box): boolean {
    if (!this.isFree(box)) return false;
    this.add(box);
    return true;
  }

  /** Takes the box, whatever it overlaps. */
  add(box: Box): void {
    for (const cell of cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes) boxes.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  isFree(box: Box): boolean {
    return cellsOf(box).every((cell) => !this.#cells.get(cell)?.some((taken) => boxesMeet(taken, box)));
  }
}

function cellsOf({ left, top, right, bottom }: Box): number[] {
  const cells: number[] = [];
  for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1) {
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) {
      cells.push(column * 2 ** 20 + row);
    }
  }
  return cells;
}
