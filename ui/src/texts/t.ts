// The one catalogue of texts, shared with the engine: a key with arguments in, a sentence out.

import de from '../../messages/de.json';
import en from '../../messages/en.json';
import nl from '../../messages/nl.json';
import { locale, type LanguageCode } from './locale.svelte';

type Full = keyof typeof en;
type Base<K> = K extends `${infer B}_one` ? B : never;

/** A key of the catalogue; of a pair `x_one` and `x_other` it is `x`. */
export type Key = Full | Base<Full>;
export type Args = Record<string, string | number>;

const TEXTS: Record<LanguageCode, Record<string, string>> = { en, nl, de };
const rules = new Map<LanguageCode, Intl.PluralRules>();

function form(language: LanguageCode, n: number): string {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule.select(n);
}

/** The text itself, places unfilled; `undefined` when the catalogue does not have it. */
export function find(language: LanguageCode, key: string, n?: number): string | undefined {
  const texts = TEXTS[language];
  if (n !== undefined) {
    const counted = texts[`${key}_${form(language, n)}`] ?? texts[`${key}_other`];
    if (counted !== undefined) return counted;
  }
  return texts[key];
}

const figures = new Map<string, Intl.NumberFormat>();

function figure(n: number): string {
  let format = figures.get(locale.tag);
  if (!format) figures.set(locale.tag, (format = new Intl.NumberFormat(locale.tag)));
  return format.format(n);
}

function fill(text: string, args: Args): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = args[name];
    return value === undefined ? place : String(value);
  });
}

/** The sentence for a key, in the language of now. `count` decides one or other; it fills `{n}`. */
export function t(key: Key, args: Args = {}): string {
  return say(key, args) ?? key;
}

/** The sentence for a code that came from the engine; `undefined` when there is none. */
export function say(code: string, args: Args = {}): string | undefined {
  const n = args.n === undefined ? undefined : Number(args.n);
  const shown = typeof args.n === 'number' ? { ...args, n: figure(args.n) } : args;
  const text = find(locale.language, code, n) ?? find('en', code, n);
  return text === undefined ? undefined : fill(text, shown);
}
