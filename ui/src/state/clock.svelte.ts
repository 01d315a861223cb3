// The page's one clock: everything that counts reads it, so all of it changes in the same frame. It
// ticks only for what is shown: nobody reads it, or nobody can look, and it stands still. A window
// that is left open all day spends its time here.

import { createSubscriber } from 'svelte/reactivity';

const SECOND_MS = 1000;
const AGE_MS = 5000;
const CALM_MS = 20_000;
/** From here on a wait is written without seconds (`formatWait`). */
const WITHOUT_SECONDS_MS = 10 * 60_000;

/** Ticks on the full step while something on the page reads it and the window can be seen. */
class Hand {
  #step: number;
  /** The moment of the last tick; nothing while nobody reads. */
  #at: number | undefined;
  #subscribe: () => void;

  constructor(step: number) {
    this.#step = step;
    this.#subscribe = createSubscriber((update) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wind = () => {
        clearTimeout(timer);
        const now = Date.now();
        this.#at = now;
        if (!document.hidden) timer = setTimeout(tick, this.#step - (now % this.#step));
      };
      const tick = () => {
        wind();
        update();
      };
      wind();
      document.addEventListener('visibilitychange', tick);
      return () => {
        clearTimeout(timer);
        document.removeEventListener('visibilitychange', tick);
        this.#at = undefined;
      };
    });
  }

  get now(): number {
    this.#subscribe();
    return this.#at ?? Date.now();
  }
}

class Clock {
  #seconds = new Hand(SECOND_MS);
  #ages = new Hand(AGE_MS);
  #calm = new Hand(CALM_MS);

  /** Moves once a second: for countdowns. */
  get now(): number {
    return this.#seconds.now;
  }

  /** Moves three times a minute: for everything that is said in words. */
  get calm(): number {
    const now = this.#calm.now;
    return now - (now % CALM_MS);
  }

  /** For words about a moment: within a minute of it they tell seconds in fives (`formatAge`). */
  about(then: number): number {
    const calm = this.calm;
    // Seconds are still written until that is a minute behind: an age never goes back.
    if (calm - then >= 60_000) return calm;
    const now = this.#ages.now;
    return now - (now % AGE_MS);
  }

  /** How long until then: to the second where seconds are written. */
  until(then: number): number {
    const far = then - this.calm;
    return far > WITHOUT_SECONDS_MS + CALM_MS ? far : then - this.now;
  }
}

export const clock = new Clock();
