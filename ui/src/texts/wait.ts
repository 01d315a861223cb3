// How a wait is written: below 60 s "45s", below 10 min "2m 05s", below 60 min "12m", else "1h 05m".
// Never a negative time. A started second counts as a whole one, so that zero means zero.

export function formatWait(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s < 60) return `${s}s`;
  const m = Math.floor(s / 60);
  if (m < 10) return `${m}m ${two(s % 60)}s`;
  if (m < 60) return `${m}m`;
  return `${Math.floor(m / 60)}h ${two(m % 60)}m`;
}

/**
 * How long ago, in the same writing, but never more exact than a person wants: "10s", "27m", "3h", "2d".
 * Seconds go in fives, so that an age does not tick beside a countdown.
 */
export function formatAge(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s - (s % 5)}s`;
  const m = Math.floor(s / 60);
  if (m < 60) return `${m}m`;
  const h = Math.floor(m / 60);
  if (h < 2) return `${h}h ${two(m % 60)}m`;
  if (h < 24) return `${h}h`;
  return `${Math.floor(h / 24)}d`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
