// The drawn street: a row of canal houses, the same every time. Numbers only; Street.svelte draws.

export type Rect = { x: number; y: number; w: number; h: number };
export type House = { front: number; outline: string; trim: string; panes: (Rect & { lit: boolean })[]; door: Rect & { tone: string } };

type Gable = 'step' | 'neck' | 'bell' | 'point' | 'flat';

const GABLES: readonly Gable[] = ['bell', 'step', 'flat', 'neck', 'point', 'bell', 'step', 'neck', 'point', 'flat', 'step', 'bell', 'neck', 'point', 'step', 'flat', 'bell', 'neck'];
const FRONTS = [3, 1, 4, 5, 2, 3, 4, 1, 5, 3, 2, 1, 4, 3, 5, 1, 4, 2] as const;
const DOORS = ['a', 'b', 'c'] as const;

/** Houses from left to right until `width` is full, on ground at `ground`. */
export function street(width: number, ground: number, tall: number): House[] {
  const houses: House[] = [];
  for (let x = -8, i = 0; x < width; i++) {
    const w = 52 + ((i * 37) % 5) * 6;
    const h = tall * (0.72 + (((i * 53) % 7) / 7) * 0.28);
    houses.push(house(x, w, h, ground, i));
    x += w;
  }
  return houses;
}

function house(x: number, w: number, h: number, ground: number, i: number): House {
  const gable = GABLES[i % GABLES.length] ?? 'flat';
  const eaves = ground - h * 0.78;
  const top = ground - h;
  const columns = w > 64 ? 3 : 2;
  const floors = h > 140 ? 3 : 2;
  const panes: House['panes'] = [];
  const gap = w / columns;
  const floor = (ground - eaves) / (floors + 0.15);
  for (let f = 0; f < floors; f++) {
    for (let c = 0; c < columns; c++) {
      if (f === floors - 1 && c === (i % 2 ? columns - 1 : 0)) continue;
      const pane = { x: x + gap * (c + 0.5) - gap * 0.26, y: eaves + floor * f + floor * 0.24, w: gap * 0.52, h: floor * 0.52 };
      panes.push({ ...pane, lit: (i * 7 + f * 3 + c * 5) % 11 === 0 });
    }
  }
  if (gable !== 'flat') panes.push({ x: x + w / 2 - 6, y: eaves - (eaves - top) * 0.42, w: 12, h: 14, lit: false });
  const dw = Math.min(16, gap * 0.6);
  const dx = x + gap * ((i % 2 ? columns - 1 : 0) + 0.5) - dw / 2;
  return {
    front: FRONTS[i % FRONTS.length] ?? 1,
    outline: outline(gable, x, w, eaves, top, ground),
    trim: trim(gable, x, w, eaves, top),
    panes,
    door: { x: dx, y: ground - 25, w: dw, h: 25, tone: DOORS[i % DOORS.length] ?? 'a' },
  };
}

function outline(gable: Gable, x: number, w: number, eaves: number, top: number, ground: number): string {
  const r = (n: number) => Math.round(n * 10) / 10;
  const m = x + w / 2;
  const rise = eaves - top;
  const from = `M${r(x)} ${r(ground)}V${r(eaves)}`;
  const to = `V${r(ground)}Z`;
  switch (gable) {
    case 'flat':
      return `${from}H${r(x + w)}${to}`;
    case 'point':
      return `${from}L${r(m - 4)} ${r(top)}h8L${r(x + w)} ${r(eaves)}${to}`;
    case 'step': {
      const steps = 4;
      const dx = (w * 0.42) / steps;
      const dy = rise / steps;
      const up = `v${r(-dy)}h${r(dx)}`.repeat(steps);
      const down = `h${r(dx)}v${r(dy)}`.repeat(steps);
      return `${from}${up}H${r(x + w - dx * steps)}${down}${to}`;
    }
    case 'neck': {
      const n = w * 0.22;
      return `${from}q${r(w * 0.5 - n)} ${r(-rise * 0.1)} ${r(w * 0.5 - n)} ${r(-rise * 0.5)}V${r(top)}H${r(m + n)}V${r(eaves - rise * 0.5)}q0 ${r(rise * 0.4)} ${r(w * 0.5 - n)} ${r(rise * 0.5)}${to}`;
    }
    case 'bell':
      return `${from}c${r(w * 0.16)} 0 ${r(w * 0.2)} ${r(-rise * 0.4)} ${r(w * 0.24)} ${r(-rise * 0.62)}q${r(w * 0.05)} ${r(-rise * 0.4)} ${r(w * 0.26)} ${r(-rise * 0.38)}t${r(w * 0.26)} ${r(rise * 0.38)}c${r(w * 0.04)} ${r(rise * 0.22)} ${r(w * 0.08)} ${r(rise * 0.62)} ${r(w * 0.24)} ${r(rise * 0.62)}${to}`;
  }
}

function trim(gable: Gable, x: number, w: number, eaves: number, top: number): string {
  const m = x + w / 2;
  if (gable === 'flat') return `M${x - 2} ${eaves - 3}h${w + 4}v6H${x - 2}z`;
  if (gable === 'neck') return `M${m - w * 0.25} ${top}L${m} ${top - 6}L${m + w * 0.25} ${top}z`;
  if (gable === 'point') return `M${m - 5} ${top - 3}h10v4h-10z`;
  return '';
}
