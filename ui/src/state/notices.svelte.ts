// What is said once: a command that was refused, a deletion that can be taken back.

export type Notice =
  | { kind: 'says'; id: number; text: string }
  | { kind: 'undo'; id: number; text: string; until: number };

const SAYS_MS = 8000;
export const UNDO_MS = 10_000;

type Waiting = { id: number; finish: () => void; takeBack: () => void; timer: ReturnType<typeof setTimeout> };

class Notices {
  current = $state.raw<Notice | null>(null);
  #next = 1;
  #waiting: Waiting | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  tell(text: string): void {
    const id = this.#next++;
    this.#show({ kind: 'says', id, text }, SAYS_MS);
  }

  /** Lets `finish` happen after ten seconds, unless it is taken back before. A second one finishes the first. */
  undoable(text: string, finish: () => void, takeBack: () => void): void {
    this.settle();
    const id = this.#next++;
    const timer = setTimeout(() => this.settle(), UNDO_MS);
    this.#waiting = { id, finish, takeBack, timer };
    this.#show({ kind: 'undo', id, text, until: Date.now() + UNDO_MS }, UNDO_MS);
  }

  undo(): boolean {
    const waiting = this.#waiting;
    if (!waiting) return false;
    clearTimeout(waiting.timer);
    this.#waiting = null;
    if (this.current?.id === waiting.id) this.close();
    waiting.takeBack();
    return true;
  }

  /** Does now what is still waiting: called before the window goes. */
  settle(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting = null;
    waiting.finish();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.current = null;
  }

  #show(notice: Notice, ms: number): void {
    clearTimeout(this.#timer);
    this.current = notice;
    this.#timer = setTimeout(() => this.close(), ms);
  }
}

export const notices = new Notices();
