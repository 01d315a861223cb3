// Retrying one request: which outcome may go again, and how long to wait first. Pure.
// The engine's rules for waiting on a site are not here: this is only the wire between window and engine.

export type Outcome =
  | { kind: 'answered' }
  | { kind: 'status'; status: number; retryAfterMs: number | null }
  /** The connection broke: nobody knows whether the request arrived. */
  | { kind: 'lost' };

/** A read may always go again; a write only with a key that makes a second arrival harmless. */
export type Sort = 'read' | 'write' | 'keyed_write';

export type Policy = { tries: number; budgetMs: number; baseMs: number; capMs: number };

/** For what a person waits for. */
export const FOREGROUND: Policy = { tries: 2, budgetMs: 3000, baseMs: 200, capMs: 5000 };
/** For what goes on behind. */
export const BACKGROUND: Policy = { tries: 8, budgetMs: 600_000, baseMs: 200, capMs: 5000 };

export function mayGoAgain(outcome: Outcome, sort: Sort): boolean {
  switch (outcome.kind) {
    case 'answered':
      return false;
    case 'status':
      return outcome.status === 429 || outcome.status >= 500;
    case 'lost':
      return sort !== 'write';
  }
}

/** From zero to the full step: for a quick second try. `tried` counts from 1. */
export function fullJitter(tried: number, policy: Policy, random: number): number {
  return Math.round(random * Math.min(policy.capMs, policy.baseMs * 2 ** tried));
}

/** From the base to three times the last wait: for coming back slowly. */
export function decorrelatedJitter(lastMs: number, policy: Policy, random: number): number {
  const top = Math.max(policy.baseMs, lastMs * 3);
  return Math.min(policy.capMs, Math.round(policy.baseMs + random * (top - policy.baseMs)));
}

/** How long before the next try; `null` gives up: no more tries, no more time, or not allowed. */
export function nextWait(outcome: Outcome, sort: Sort, tried: number, spentMs: number, policy: Policy, random: number): number | null {
  if (!mayGoAgain(outcome, sort) || tried >= policy.tries) return null;
  const asked = outcome.kind === 'status' ? (outcome.retryAfterMs ?? 0) : 0;
  const wait = Math.max(fullJitter(tried, policy, random), asked);
  return spentMs + wait > policy.budgetMs ? null : wait;
}

/** `Retry-After`, in seconds or as a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
