// Photos: shown where they are there, a drawn front where not, and none at all where nobody wants them.

import { axe, expect, open, test } from './window';
import { PAGE, paste } from './views';

test('listings and previews show photos, each with its words', async ({ page }) => {
  await open(page, { at: 'listings' });
  const first = page.getByTestId('listing-row').first();
  await expect(first.getByRole('img', { name: 'Photo: Zonnige kamer met balkon, vrij per 1 januari' })).toBeVisible();
  await open(page, { at: 'add' });
  await paste(page, PAGE);
  await expect(page.locator('.sample img')).toHaveCount(3);
  await expect(page.locator('.sample img').first()).toHaveAttribute('alt', /^Photo: ./);
  expect(await axe(page)).toEqual([]);
});

test('a photo that comes later takes the place of the drawn front by itself', async ({ page }) => {
  await open(page, { at: 'listings', photos: 'late', alive: true });
  const photo = page.getByTestId('listing-row').first().locator('.photo');
  await expect(photo.locator('svg')).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(photo.locator('img')).toBeVisible();
  await expect(photo.locator('svg')).toHaveCount(0);
});

test('photos that are switched off are nowhere, and the mail has none either', async ({ page }) => {
  await open(page, { at: 'settings' });
  const photos = page.getByRole('switch', { name: 'Photos of listings' });
  const mail = page.getByRole('switch', { name: 'Photo in the mail' });
  await expect(photos).toBeChecked();
  await expect(mail).not.toBeChecked();
  await mail.check();
  await photos.uncheck();
  await expect(mail).not.toBeChecked();
  await expect(mail).toBeDisabled();
  await page.evaluate(() => (location.hash = '#/listings'));
  await expect(page.getByTestId('listing-row').first().locator('.photo svg')).toBeVisible();
  await expect(page.locator('.photo img')).toHaveCount(0);
  await page.evaluate(() => (location.hash = '#/settings'));
  await photos.check();
  await expect(mail).toBeChecked();
  await page.evaluate(() => (location.hash = '#/listings'));
  await expect(page.getByTestId('listing-row').first().locator('.photo img')).toBeVisible();
});
