// Programs that may ask: the switch, tokens that are shown once, budgets, locks.

import { axe, expect, focused, open, test } from './window';

test('nothing listens until it is switched on, and then the address is said', async ({ page }) => {
  await open(page, { at: 'settings/programs' });
  const state = page.getByTestId('api-state');
  await expect(state).toHaveText('Off: nothing is answered.');
  await expect(page.locator('#programs')).toContainText('No program has a token yet.');
  await page.getByRole('switch', { name: 'Let programs on this computer ask Firstknock' }).click();
  await expect(state).toHaveText('Answers at http://127.0.0.1:7433, from this computer only.');
  await page.getByTestId('api-port').fill('7000');
  await page.getByTestId('api-port').press('Tab');
  await expect(state).toHaveText('Port 7000 cannot be used; perhaps another program has it. Choose another one.');
  await page.getByTestId('api-port').fill('80');
  await page.getByTestId('api-port').press('Tab');
  await expect(state).toHaveText('Answers at http://127.0.0.1:1024, from this computer only.');
});

test('a token is shown once, copied, and gone from the page when that is said', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, { at: 'settings/programs' });
  await page.getByTestId('program-add').click();
  await expect.poll(() => focused(page)).toBe('program-name-new');
  await expect(page.getByTestId('program-save')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.type('Home Assistant');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('program-form')).toContainText('It may also add, change and delete searches');
  await page.keyboard.press('ArrowLeft');
  await page.getByTestId('program-save').press('Enter');
  const token = page.getByTestId('program-token');
  await expect(token).toContainText('The token of Home Assistant');
  const text = (await token.locator('code').textContent()) ?? '';
  expect(text).toMatch(/^fk_[0-9a-f]{64}$/);
  await expect.poll(() => focused(page)).toBe('Copy token');
  await page.keyboard.press('Enter');
  await expect(token).toContainText('Copied');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await page.getByTestId('program-token-done').click();
  await expect(token).toHaveCount(0);
  await expect.poll(() => focused(page)).toBe('program-add');
  await expect.poll(() => page.content()).not.toContain(text);
  await expect(page.getByTestId('program')).toContainText('only looks · never seen');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(text);
});

test('a token that nobody took is gone when the settings are left', async ({ page }) => {
  await open(page, { at: 'settings/programs' });
  await page.getByTestId('program-add').click();
  await page.getByTestId('program-name').fill('cron');
  await page.getByTestId('program-name').press('Enter');
  await page.getByTestId('program-token').waitFor();
  await page.getByTestId('nav-searches').click();
  await page.goBack();
  await page.getByTestId('program').waitFor();
  await expect(page.getByTestId('program-token')).toHaveCount(0);
});

test('the window says which program asks too much, and it is let in again', async ({ page }) => {
  await open(page, { scene: 'rare' });
  const banner = page.getByTestId('banner-client_limited');
  await expect(banner).toContainText('Nightly script went over its budget 5 times within 24 hours and gets no answer until 14:36.');
  await banner.getByRole('link', { name: 'See programs' }).click();
  const script = page.locator('[data-program="3"]');
  await expect(script).toContainText('looks and changes · last seen');
  await expect(script.getByTestId('program-spent')).toHaveText('Spent 118 of 120 this minute, 9,412 of 20,000 in 24 hours');
  await expect(script.getByTestId('program-offences')).toHaveText('Locked out until 14:36 · 5 times over its budget in 24 hours');
  await script.getByTestId('program-let-in').click();
  await expect(script.getByTestId('program-offences')).toHaveText('5 times over its budget in 24 hours');
  await expect.poll(() => focused(page)).toBe('program-edit');
  await page.getByTestId('nav-searches').click();
  await expect(banner).toHaveCount(0);
});

test('a budget is changed, and a program is revoked when the person has read what that means', async ({ page }) => {
  await open(page, { scene: 'rare', at: 'settings/programs' });
  const script = page.locator('[data-program="3"]');
  await script.getByTestId('program-edit').click();
  await expect.poll(() => focused(page)).toBe('program-name-3');
  await page.getByTestId('program-minute').fill('0');
  await page.getByTestId('program-day').fill('40000');
  expect(await axe(page)).toEqual([]);
  await page.getByTestId('program-save').click();
  await expect(script.getByTestId('program-spent')).toHaveText('Spent 118 of 1 this minute, 9,412 of 40,000 in 24 hours');
  await expect.poll(() => focused(page)).toBe('program-edit');
  await script.getByTestId('program-revoke').click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the token of Nightly script?' });
  await expect(dialog).toContainText('The program gets no answer from then on.');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('program')).toHaveCount(3);
  await expect(script.getByTestId('program-revoke')).toBeFocused();
  await script.getByTestId('program-revoke').click();
  await page.getByTestId('program-revoke-now').click();
  await expect(page.getByTestId('program')).toHaveCount(2);
  await expect.poll(() => focused(page)).toBe('program-add');
});
