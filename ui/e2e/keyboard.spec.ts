// Everything by keyboard only.

import { expect, focused, open, test } from './window';
import { PAGE } from './views';

test('Ctrl with a figure opens the views, and the focus is in them', async ({ page }) => {
  await open(page);
  for (const [key, view] of [['2', 'listings'], ['3', 'insight'], ['4', 'settings'], ['5', 'help'], ['1', 'searches']] as const) {
    await page.keyboard.press(`Control+${key}`);
    await expect(page.locator('main')).toHaveAttribute('data-view', view);
    await expect(page.getByTestId(`nav-${view}`)).toHaveAttribute('aria-current', 'page');
    await expect.poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true);
  }
});

test('what is chosen in the menu bar does what the button does, and nothing moves under a dialog', async ({ page }) => {
  await open(page);
  const choose = (pick: string) => page.evaluate((detail) => window.dispatchEvent(new CustomEvent('fake-menu', { detail })), pick);
  for (const view of ['listings', 'insight', 'settings', 'help', 'add', 'searches']) {
    await choose(view);
    await expect(page.locator('main')).toHaveAttribute('data-view', view);
  }
  await choose('find');
  await expect(page.locator('[data-find]')).toBeFocused();
  await choose('back_up');
  await expect(page.getByText('Backed up,')).toBeVisible();
  await expect(page.locator('main')).toHaveAttribute('data-view', 'settings');
  await choose('keys');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await choose('help');
  await expect(page.locator('main')).toHaveAttribute('data-view', 'settings');
});

test('the rows are one tab stop; arrows, J and K go along them, right and left into them', async ({ page }) => {
  await open(page);
  await expect(page.locator('.board [data-row][tabindex="0"]')).toHaveCount(1);
  await expect(page.locator('.board [data-row] a:not([tabindex="-1"]), .board [data-row] button:not([tabindex="-1"])')).toHaveCount(0);
  await page.locator('[data-row="1"]').focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('row-2');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('row-4');
  await page.keyboard.press('k');
  await expect.poll(() => focused(page)).toBe('row-3');
  await page.keyboard.press('End');
  await expect.poll(() => focused(page)).toBe('row-12');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('row-12');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(page)).toBe('Kamers in Utrecht tot € 750');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => focused(page)).toBe('row-1');
  await expect(page.locator('.board [data-row][tabindex="0"]')).toHaveCount(1);
});

test('letters do what the row’s menu does', async ({ page }) => {
  await open(page);
  const row = page.locator('[data-row="4"]');
  await row.focus();
  await page.keyboard.press('p');
  await expect(row).toHaveAttribute('data-kind', 'paused');
  await page.keyboard.press('p');
  await expect(row).toHaveAttribute('data-kind', 'queued');
  await page.keyboard.press('m');
  await expect(row.getByRole('img', { name: 'muted' })).toBeVisible();
  await page.locator('[data-row="2"]').focus();
  await page.keyboard.press('e');
  await expect(page.getByTestId('evidence').first()).toHaveAttribute('open', '');
  await page.keyboard.press('r');
  await expect(page.locator('[data-row="2"]')).toHaveAttribute('data-kind', 'probing');
  await expect(page.locator('[data-row="2"]')).toContainText('one request for kamerhuis.example');
  await page.locator('[data-row="8"]').focus();
  await page.keyboard.press('r');
  await expect(page.locator('.toast')).toContainText('this button rests until 14:32');
  await page.keyboard.press('o');
  await expect(page.locator('[data-row="8"]').locator('xpath=ancestor::section')).toContainText('you have it open');
});

test('Delete can be taken back with Ctrl Z, and the focus moves to the neighbour', async ({ page }) => {
  await open(page);
  await page.locator('[data-row="7"]').focus();
  await page.keyboard.press('Delete');
  await expect(page.locator('[data-row="7"]')).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('row-8');
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-row="7"]')).toHaveCount(1);
  await expect(page.locator('.toast')).toHaveCount(0);
});

test('a menu is walked by arrows, closed by Esc, and gives the focus back', async ({ page }) => {
  await open(page);
  await page.locator('[data-row="4"]').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await expect.poll(() => focused(page)).toContain('Check now');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused(page)).toContain('Delete');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('More for “Utrecht, 2 kamers, tot € 1.250”');
});

test('? lists the keys, Esc closes the list, and single letters can be switched off there', async ({ page }) => {
  await open(page);
  await page.locator('[data-row="4"]').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.getByLabel('Single letters do something').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('row-4');
  await page.keyboard.press('p');
  await expect(page.locator('[data-row="4"]')).toHaveAttribute('data-kind', 'ok');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('row-5');
});

test('a search is added without the mouse', async ({ page }) => {
  await open(page);
  await page.keyboard.press('Control+n');
  await expect(page.getByTestId('search-url')).toBeFocused();
  await page.keyboard.type(PAGE);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('preview-count')).toContainText('24 listings');
  let start = false;
  for (let i = 0; i < 40 && !start; i++) {
    await page.keyboard.press('Tab');
    start = (await focused(page)) === 'start-watching';
  }
  expect(start).toBe(true);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('search-row').filter({ hasText: 'checking now' }).first()).toBeVisible();
  await expect.poll(() => focused(page)).toBe('row-13');
});

test('Esc leaves the form', async ({ page }) => {
  await open(page, { at: 'add' });
  await page.keyboard.press('Escape');
  await expect(page.locator('main')).toHaveAttribute('data-view', 'searches');
});

test('listings: / searches, arrows go along, S stars, U reads, H hides, N notes, Enter opens', async ({ page }) => {
  await open(page, { at: 'listings' });
  const rows = page.getByTestId('listing-row');
  await rows.first().waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => focused(page)).toBe('Search listings');
  await page.keyboard.type('dakterras');
  await expect(rows.first()).toContainText('Bovenwoning met dakterras');
  await page.getByLabel('Search listings').fill('');
  await expect(rows.first()).toContainText('Zonnige kamer');
  await page.locator('[data-row="2"]').focus();
  await page.keyboard.press('s');
  await expect(page.locator('[data-row="2"]').getByRole('button', { name: 'Star' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('u');
  await expect(page.locator('[data-row="2"] .lamp.off')).toHaveCount(1);
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Tweekamerappartement' }).fill('Saturday 11:00');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-row="2"]')).toContainText('Saturday 11:00');
  await expect(page.locator('[data-row="2"]')).toBeFocused();
  await page.keyboard.press('h');
  await expect(page.locator('[data-row="2"]')).toHaveCount(0);
  await expect(page.locator('[data-row="3"]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-opened', 'https://www.huurplein.example/woning/3');
});
