// Which language the window speaks now. Reading it in a template makes the template follow it.

export type LanguageCode = 'en' | 'nl' | 'de';

export const LANGUAGES: readonly LanguageCode[] = ['en', 'nl', 'de'];

/** The tags that numbers, money and dates are written by. */
const TAGS: Record<LanguageCode, string> = { en: 'en-GB', nl: 'nl-NL', de: 'de-DE' };

export function languageOf(tags: readonly string[]): LanguageCode {
  for (const tag of tags) {
    const two = tag.slice(0, 2).toLowerCase();
    const found = LANGUAGES.find((code) => code === two);
    if (found) return found;
  }
  return 'en';
}

class Locale {
  #language = $state<LanguageCode>('en');

  get language(): LanguageCode {
    return this.#language;
  }

  get tag(): string {
    return TAGS[this.#language];
  }

  /** `null` follows the system. */
  choose(language: LanguageCode | null): void {
    this.#language = language ?? languageOf(typeof navigator === 'undefined' ? [] : navigator.languages);
    if (typeof document !== 'undefined') document.documentElement.lang = this.#language;
  }
}

export const locale = new Locale();
