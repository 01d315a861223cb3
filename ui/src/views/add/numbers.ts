// Numbers as people type them: "1.250", "1,250", "€ 1250", "2,5". Pure.

export type Typed = { kind: 'empty' } | { kind: 'number'; value: number } | { kind: 'unclear' };

export function readNumber(text: string): Typed {
  const bare = text.replace(/[\s€$£'’]|m²|m2/gi, '');
  if (bare === '') return { kind: 'empty' };
  const grouped = /^\d{1,3}([.,]\d{3})+$/.test(bare);
  const value = Number(grouped ? bare.replace(/[.,]/g, '') : bare.replace(',', '.'));
  return Number.isFinite(value) && value >= 0 && /^\d/.test(bare) ? { kind: 'number', value } : { kind: 'unclear' };
}

export function valueOf(text: string): number | null {
  const typed = readNumber(text);
  return typed.kind === 'number' ? typed.value : null;
}

/** The addresses in a pasted text: one, none, or many. */
export function addresses(text: string): string[] {
  const found = text.split(/[\s<>"]+/).filter((word) => /^https?:\/\/\S+$/i.test(word));
  return [...new Set(found)];
}
