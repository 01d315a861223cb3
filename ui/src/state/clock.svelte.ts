// The page's one clock: everything that counts reads it, so all of it changes in the same frame, and it
// stands still while nobody can look.

const SLOW_MS = 5000;

class Clock {
  #now = $state(Date.now());
  #slow = $state(slowly(Date.now()));
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Moves once a second: for countdowns. */
  get now(): number {
    return this.#now;
  }

  /** Moves once in five seconds: for everything that is said in words. A window that is left open all day
      spends its time here. */
  get slow(): number {
    return this.#slow;
  }

  /** Ticks on the full second while the window can be seen. */
  start(): () => void {
    const tick = () => {
      clearTimeout(this.#timer);
      const now = Date.now();
      this.#now = now;
      this.#slow = slowly(now);
      if (!document.hidden) this.#timer = setTimeout(tick, 1000 - (now % 1000));
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }
}

function slowly(ms: number): number {
  return ms - (ms % SLOW_MS);
}

export const clock = new Clock();
