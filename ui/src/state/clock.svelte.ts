// The page's one clock. Every countdown reads it, so all of them change in the same frame.

class Clock {
  #now = $state(Date.now());
  #timer: ReturnType<typeof setTimeout> | undefined;

  get now(): number {
    return this.#now;
  }

  /** Ticks on the full second while the window can be seen. */
  start(): () => void {
    const tick = () => {
      clearTimeout(this.#timer);
      this.#now = Date.now();
      if (!document.hidden) this.#timer = setTimeout(tick, 1000 - (this.#now % 1000));
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }
}

export const clock = new Clock();
