// Every view in three languages and two widths, and every state that a row or a host can have.

import { expect, open, test } from './window';
import { show, VIEWS } from './views';

const ROW_STATES = ['blocked', 'checking', 'empty', 'error_waiting', 'first_error', 'needs_you', 'offline', 'ok', 'page_gone', 'paused', 'probing', 'queued', 'stopped', 'suspicious'];

test('every state of a row is drawn somewhere, with an icon and a word', async ({ page }) => {
  const seen = new Set<string>();
  for (const scene of ['full', 'probing', 'offline', 'stopped']) {
    await open(page, { scene });
    for (const row of await page.getByTestId('search-row').all()) {
      seen.add((await row.getAttribute('data-kind')) ?? '');
      await expect(row.locator('.dot use')).toHaveAttribute('href', /^#i-\w+$/);
      expect((await row.getByTestId('row-state').innerText()).length).toBeGreaterThan(3);
      expect(await row.getAttribute('aria-label')).not.toMatch(/[{}]|undefined|NaN/);
    }
  }
  expect([...seen].sort()).toEqual(ROW_STATES);
});

test('every row state is explained in Help, in three languages', async ({ page }) => {
  for (const lang of ['en', 'nl', 'de'] as const) {
    await open(page, { at: 'help', lang });
    const explained = await page.locator('[data-state-help]').evaluateAll((all) => all.map((one) => one.getAttribute('data-state-help')));
    expect([...explained].sort()).toEqual(ROW_STATES);
    for (const text of await page.locator('.help dd, .help p').allInnerTexts()) expect(text).not.toMatch(/help_|[{}]|\*\*/);
  }
});

test('the site’s own words for each wall stand on its card', async ({ page }) => {
  await open(page, { scene: 'asked' });
  await expect(page.getByTestId('host-card')).toContainText('The site asked us to slow down, for 5m 00s. We keep to that. At 14:35 we look in with one request');
  await expect(page.getByTestId('retry-host')).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByTestId('retry-host')).toHaveText('Try now, from 14:36');
  await open(page, { scene: 'rare' });
  await expect(page.getByTestId('host-card').nth(0)).toContainText('cannot be reached');
  await expect(page.getByTestId('host-card').nth(1)).toContainText('you have it open');
});

for (const lang of ['nl', 'de', 'en'] as const) {
  for (const view of VIEWS) {
    test(`${view.name} in ${lang} has every text, and nothing runs out of the window`, async ({ page }) => {
      await show(page, view, { lang });
      for (const width of [1100, 720]) {
        await page.setViewportSize({ width, height: width === 720 ? 520 : 760 });
        const text = await page.locator('body').innerText();
        expect(text).not.toMatch(/\{\w+\}|\*\*|undefined|NaN|\b(row|host|head|add|refused|insight|test|post|help|listing|banner|api)_[a-z_]+\b/);
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth + Math.max(0, (document.querySelector('.street')?.scrollWidth ?? 0) - (document.querySelector('.street')?.clientWidth ?? 0)));
        await expect.poll(wide, `too wide at ${width}`).toBe(0);
      }
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
    });
  }
}

test('colours follow the theme, and more contrast is given to who asks for it', async ({ page }) => {
  await open(page, { theme: 'dark' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(paper).toBe('rgb(17, 22, 20)');
  await open(page, { theme: 'light' });
  await expect.poll(paper).toBe('rgb(241, 243, 239)');
  const faint = () => page.locator('.host-sub').nth(1).evaluate((at) => getComputedStyle(at).color);
  const before = await faint();
  await page.emulateMedia({ contrast: 'more' });
  await expect.poll(faint).not.toBe(before);
});

test('with reduced motion the ring of a check stands still', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  expect(await page.locator('.turn .i').first().evaluate((at) => getComputedStyle(at).animationName)).toBe('none');
});

test('no target is smaller than 24 pixels', async ({ page }) => {
  for (const view of VIEWS) {
    await show(page, view);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, select, summary, .door a, input:not([type=radio], [type=checkbox])')]
        .filter((at) => at.offsetParent && !at.closest('.sr'))
        .map((at) => ({ at: at.outerHTML.slice(0, 80), height: Math.min(at.getBoundingClientRect().height, at.parentElement?.classList.contains('in') ? 99 : Infinity) }))
        .filter(({ at, height }) => height < 23.5 && !at.includes('linkish')),
    );
    expect([view.name, small]).toEqual([view.name, []]);
  }
});
