// Searches that were deleted but may still be taken back: out of sight, not yet gone.

class Removed {
  #ids = $state.raw<ReadonlySet<number>>(new Set());

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  hide(id: number): void {
    this.#ids = new Set([...this.#ids, id]);
  }

  show(id: number): void {
    this.#ids = new Set([...this.#ids].filter((other) => other !== id));
  }
}

export const removed = new Removed();
