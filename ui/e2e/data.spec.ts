// Backups, files that go out and come in.

import { readFileSync } from 'node:fs';
import { axe, expect, open, test } from './window';

const FILE = (text: string) => ({ name: 'searches.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a backup is made, and another one is gone back to when the person has read what that means', async ({ page }) => {
  await open(page, { at: 'settings/data' });
  await expect(page.locator('#data')).toContainText('412 listings, 38 MB.');
  await page.getByTestId('back-up').click();
  await expect(page.locator('.toast')).toContainText('Backed up, 38 MB.');
  await page.getByTestId('go-back').click();
  await expect(page.getByTestId('backups').getByRole('listitem')).toHaveCount(5);
  await expect(page.getByTestId('backups').getByRole('listitem').first()).toContainText('Thu 26 Nov 14:30 asked for, 38 MB');
  await page.getByRole('button', { name: 'Go back: Thu 26 Nov 03:10' }).click();
  const dialog = page.getByRole('dialog', { name: 'Go back to Thu 26 Nov 03:10?' });
  await expect(dialog).toContainText('What is there now is backed up first');
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('backups').getByRole('listitem')).toHaveCount(5);
  await page.getByRole('button', { name: 'Go back: Thu 26 Nov 03:10' }).click();
  await page.getByTestId('restore-now').click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.toast')).toContainText('Back to Thu 26 Nov 03:10. What was there before is the newest backup.');
  await page.getByTestId('nav-searches').click();
  await expect(page.getByTestId('search-row')).toHaveCount(1);
});

test('a backup that cannot be used says so and changes nothing', async ({ page }) => {
  await open(page, { at: 'settings/data' });
  await page.getByTestId('go-back').click();
  await page.getByTestId('restore').nth(2).click();
  await page.getByTestId('restore-now').click();
  await expect(page.locator('.toast')).toContainText('This backup is damaged or of a newer version. Nothing was changed');
  await page.getByTestId('nav-searches').click();
  await expect.poll(() => page.getByTestId('search-row').count()).toBeGreaterThan(1);
});

test('listings and searches are saved as files, and the folder is shown', async ({ page }) => {
  await open(page, { at: 'settings/data' });
  for (const [what, name, inside] of [['listings_csv', 'firstknock-listings-2026-11-26.csv', 'id,title'], ['searches', 'firstknock-searches-2026-11-26.json', '"url":"https://']] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`export-${what}`).click()]);
    expect(download.suggestedFilename()).toBe(name);
    expect(readFileSync(await download.path(), 'utf8')).toContain(inside);
  }
  await expect(page.locator('.toast')).toContainText('Saved with your downloads.');
  await page.getByTestId('open-folder').click();
  await expect(page.locator('html')).toHaveAttribute('data-opened', '/home/noor/.local/share/firstknock');
});

test('searches come in from a file, and each line says what became of it', async ({ page }) => {
  await open(page, { scene: 'full', at: 'settings/data' });
  const picker = page.getByTestId('import-file');
  await picker.setInputFiles(FILE('https://www.huurplein.example/huren/4\nhttps://one.example/rent\nhttps://two.example/rent\n'));
  await expect(page.locator('#data')).toContainText('2 searches came in.');
  const lines = page.getByTestId('import-lines').getByRole('listitem');
  await expect(lines.nth(0)).toContainText('left out: you watch this page already, as “Utrecht, 2 kamers, tot € 1.250”');
  await expect(lines.nth(1)).toContainText('one.example: added');
  await expect(lines.nth(2)).toContainText('two.example: added, but paused: 15 run already, and that is the most');
  expect(await axe(page)).toEqual([]);
  await picker.setInputFiles(FILE('https://three.example/\nrooms in delft\n'));
  await expect(page.getByTestId('import-refused')).toHaveText('Entry 2 of this file is not a search that we can read. Nothing was added.');
  await picker.setInputFiles(FILE('x'.repeat(100_001)));
  await expect(page.getByTestId('import-refused')).toContainText('too large');
});
