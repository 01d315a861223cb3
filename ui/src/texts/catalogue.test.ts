import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import de from '../../messages/de.json';
import en from '../../messages/en.json';
import nl from '../../messages/nl.json';
import { money } from './format';
import { languageOf, locale } from './locale.svelte';
import { remarkText } from './codes';
import { pieces } from './rich';
import { say, t } from './t';

const all: Record<string, Record<string, string>> = { en, nl, de };
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|svelte)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Calls of `t` that name their key and either give nothing or spell out what they give. */
function calls(source: string): { key: string; given: Set<string> }[] {
  return [...source.matchAll(/\bt\(\s*'(\w+)'\s*(\)|,\s*\{(?!\s*\.\.\.))/g)].map(({ 0: head, 1: key = '', 2: next, index }) => ({
    key,
    given: next === ')' ? new Set<string>() : names(source.slice(index + head.length)),
  }));
}

/** The names of an object literal whose inside begins here. */
function names(inside: string): Set<string> {
  const given = new Set<string>();
  let depth = 0;
  let begins = true;
  for (let i = 0; i < inside.length && depth >= 0; i++) {
    const name = depth === 0 && begins ? /^\s*(\w+)/.exec(inside.slice(i)) : null;
    if (name) {
      given.add(name[1] ?? '');
      i += name[0].length - 1;
      begins = false;
    } else if ('([{'.includes(inside[i]!)) depth++;
    else if (')]}'.includes(inside[i]!)) depth--;
    else if (inside[i] === ',' && depth === 0) begins = true;
  }
  return given;
}

const files = sources('src').map((path) => ({ path, text: readFileSync(path, 'utf8') }));

afterEach(() => locale.choose('en'));

describe('the catalogue', () => {
  it('has the same keys in every language', () => {
    for (const texts of Object.values(all)) expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
  });

  it('fills no place in Dutch or German that English does not name', () => {
    for (const [key, text] of Object.entries(en)) {
      const named = new Set(places(text));
      for (const texts of Object.values(all)) expect([key, places(texts[key] ?? '').filter((place) => !named.has(place))]).toEqual([key, []]);
    }
  });

  it('pairs every one with an other', () => {
    for (const key of Object.keys(en)) if (key.endsWith('_one')) expect(en).toHaveProperty(`${key.slice(0, -4)}_other`);
  });

  it('closes every strong part', () => {
    for (const texts of Object.values(all)) for (const [key, text] of Object.entries(texts)) expect([key, text.split('**').length % 2]).toEqual([key, 1]);
  });

  it('keeps the label over a countdown within twelve characters', () => {
    for (const texts of Object.values(all)) for (const key of ['due_next', 'due_retry', 'due_sent', 'due_answered', 'due_try']) expect(texts[key]?.length).toBeLessThanOrEqual(12);
  });

  it('has a sentence for every error code and every reason of a refusal', () => {
    const bindings = readFileSync('src/backend/bindings.ts', 'utf8');
    const codes = /export type ErrorCode = ([^;]+);/.exec(bindings)?.[1]?.match(/"(\w+)"/g)?.map((quoted) => quoted.slice(1, -1)) ?? [];
    expect(codes.length).toBeGreaterThan(10);
    for (const code of codes) expect(en).toHaveProperty(`error_${code}`);
  });

  it('is given all that belongs into a text, wherever a source says what it gives', () => {
    const missing = files.flatMap(({ path, text }) =>
      calls(text).flatMap(({ key, given }) => {
        const forms = key in en ? [key] : [`${key}_one`, `${key}_other`];
        const wanted = new Set(forms.flatMap((k) => places((en as Record<string, string>)[k] ?? '')));
        return [...wanted].filter((place) => !given.has(place ?? '')).map((place) => `${path}: ${key} lacks ${place}`);
      }),
    );
    expect(files.flatMap(({ text }) => calls(text)).length).toBeGreaterThan(300);
    expect(missing).toEqual([]);
  });

  it('leaves no place open in the remark of a row, whose arguments are not kept', () => {
    const source = readFileSync('../crates/ipc/src/wire/board.rs', 'utf8');
    const codes = [...source.matchAll(/Finding::\w+ => "(page_\w+)"/g)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(3);
    for (const code of codes) for (const language of ['en', 'nl', 'de'] as const) {
      locale.choose(language);
      expect([code, remarkText({ code, args: {} })]).toEqual([code, all[language]?.[code]]);
    }
  });

  it('has every key that the sources name outright', () => {
    const named = files.flatMap(({ text }) => [...text.matchAll(/\bt\(\s*'(\w+)'/g)].map(([, key]) => key ?? ''));
    expect(named.length).toBeGreaterThan(200);
    for (const key of named) expect([key, key in en || `${key}_one` in en]).toEqual([key, true]);
  });
});

describe('a text', () => {
  it('counts by the rules of its language', () => {
    expect(t('row_ok', { n: 1 })).toBe('1 listing');
    expect(t('row_ok', { n: 48 })).toBe('48 listings');
    locale.choose('nl');
    expect(t('row_ok', { n: 1 })).toBe('1 woning');
    locale.choose('de');
    expect(t('row_ok', { n: 1234 })).toBe('1.234 Anzeigen');
  });

  it('is undefined for a code that nobody knows, and t() shows the key', () => {
    expect(say('no_such_code')).toBeUndefined();
  });

  it('is cut into strong and plain pieces, never into markup', () => {
    expect(pieces('a **b** <i>c</i>')).toEqual([{ text: 'a ', strong: false }, { text: 'b', strong: true }, { text: ' <i>c</i>', strong: false }]);
  });

  it('follows the first language of the system that is complete', () => {
    expect(languageOf(['fr-FR', 'nl-BE', 'de'])).toBe('nl');
    expect(languageOf(['fr'])).toBe('en');
  });

  it('writes money as the language does', () => {
    expect(money(1150)).toBe('€1,150');
    locale.choose('de');
    expect(money(1150.5).replace(/\s/g, ' ')).toBe('1.150,50 €');
  });
});

describe('the sources', () => {
  it('never turn text into markup', () => {
    for (const { path, text } of files) expect([path, /\{@html|innerHTML|insertAdjacentHTML/.test(text)]).toEqual([path, false]);
  });

  it('reach the app through one file only', () => {
    const importers = files.filter(({ text }) => /from '@tauri-apps|__TAURI__/.test(text)).map(({ path }) => path);
    expect(importers).toEqual([join('src', 'backend', 'tauri.ts')]);
  });

  it('set no inline style that a content policy would refuse', () => {
    for (const { path, text } of files) expect([path, /\sstyle="/.test(text)]).toEqual([path, false]);
  });
});
