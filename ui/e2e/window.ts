// Opening the window at a scene, at a fixed moment, with one face for its letters.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test as base, type Page } from '@playwright/test';

export const NOW = new Date('2026-11-26T14:30:00+01:00');
/** The time that a window which is alive has to load, on a slow computer too. */
const LOADED_MS = 20_000;
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The app's policy, without the inline styles that it allows and this window does not need. */
const POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'";

export type Opening = { scene?: string; lang?: 'en' | 'nl' | 'de'; theme?: 'light' | 'dark'; at?: string; alive?: boolean; homes?: number; photos?: 'late' };

/** Every page of these tests: no error on the console, and no request to anybody else. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.hostname !== '127.0.0.1') wrong.push(`request: ${request.url()}`);
    });
    // As in the app: prototypes are frozen, and nothing but our own files may be loaded or run.
    await page.addInitScript(() => {
      Object.freeze(Object.prototype);
    });
    await page.route(
      (url) => url.pathname === '/',
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': POLICY } });
      },
    );
    await use(page);
    expect(wrong).toEqual([]);
  },
});

export { expect };

export async function open(page: Page, opening: Opening = {}): Promise<void> {
  const query = new URLSearchParams({ scene: opening.scene ?? 'day', lang: opening.lang ?? 'en', theme: opening.theme ?? 'light' });
  if (!opening.alive) query.set('still', '');
  if (opening.photos) query.set('photos', opening.photos);
  if (opening.homes) query.set('homes', String(opening.homes));
  if (opening.alive) await page.clock.install({ time: NOW });
  else await page.clock.setFixedTime(NOW);
  await page.goto(`?${query}#/${opening.at ?? 'searches'}`);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--sans', '"DejaVu Sans", sans-serif');
    document.documentElement.style.setProperty('--mono', '"DejaVu Sans Mono", monospace');
  });
  await page.locator('main h1').first().waitFor();
  // From here on a window that is alive moves only when its test says so.
  if (opening.alive) await page.clock.pauseAt(new Date(NOW.getTime() + LOADED_MS));
}

export type Finding = { id: string; impact: string | null; nodes: string[] };

/** What axe finds wrong with the page as it is now. */
export async function axe(page: Page): Promise<Finding[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    type Result = { violations: { id: string; impact: string | null; nodes: { target: string[]; failureSummary: string }[] }[] };
    const run = (window as unknown as { axe: { run: (context: Document) => Promise<Result> } }).axe.run;
    const { violations } = await run(document);
    return violations.map((v) => ({ id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 4).map((node) => `${node.target.join(' ')}: ${node.failureSummary}`) }));
  });
}

/** The name of what has the focus, as somebody would point at it. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    return at?.id || at?.getAttribute('data-testid') || at?.getAttribute('aria-label') || at?.textContent?.trim() || at?.tagName || '';
  });
}
