// Every view of the window, each in the state in which it shows most.

import type { Page } from '@playwright/test';
import { open, type Opening } from './window';

export type View = { name: string; opening: Opening; act?: (page: Page) => Promise<void> };

async function look(page: Page, url: string): Promise<void> {
  await page.getByTestId('search-url').fill(url);
  await page.getByTestId('search-url').press('Enter');
}

export const PAGE = 'https://www.huurplein.example/huurwoningen/utrecht';

export const VIEWS: View[] = [
  { name: 'searches', opening: { scene: 'full' }, act: async (page) => page.getByTestId('evidence').first().locator('summary').click() },
  { name: 'welcome', opening: { scene: 'welcome' } },
  { name: 'idle', opening: { scene: 'idle' } },
  { name: 'offline', opening: { scene: 'offline' } },
  { name: 'stopped', opening: { scene: 'stopped' } },
  { name: 'banners', opening: { scene: 'rare' } },
  { name: 'probing', opening: { scene: 'probing' } },
  {
    name: 'add', opening: { at: 'add' },
    act: async (page) => {
      await look(page, PAGE);
      await page.locator('#not').fill('anti-kraak,');
      await page.locator('#size').fill('40');
      await page.locator('details.more summary').click();
    },
  },
  { name: 'add unsure', opening: { at: 'add' }, act: async (page) => { await look(page, `${PAGE}/unsure`); await page.getByTestId('would-show').waitFor(); } },
  { name: 'add refused', opening: { at: 'add' }, act: async (page) => { await look(page, `${PAGE}/wall`); await page.getByTestId('preview-refused').waitFor(); } },
  {
    name: 'add many', opening: { at: 'add' },
    act: async (page) => {
      await paste(page, `${PAGE}/1 ${PAGE}/2 ${PAGE}/one-home`);
      await page.getByText('3 addresses, 2 searches.').or(page.getByTestId('many-line').nth(2)).first().waitFor();
    },
  },
  { name: 'edit', opening: { at: 'edit/4' } },
  { name: 'listings', opening: { scene: 'away', at: 'listings' }, act: async (page) => page.getByTestId('listing-row').first().waitFor() },
  { name: 'insight', opening: { at: 'insight/4' }, act: async (page) => page.locator('.heat').waitFor() },
  {
    name: 'settings', opening: { scene: 'held', at: 'settings' },
    act: async (page) => {
      await page.getByTestId('mail-address').fill('noor@unknown.example');
      await page.getByTestId('mail-address').press('Tab');
      await page.getByTestId('mail-password').fill('wrong');
      await page.locator('.preset .linkish').click();
      await page.getByTestId('send-test').click();
      await page.getByTestId('test-result').waitFor();
      await page.locator('#quiet input[type=checkbox]').check();
    },
  },
  {
    name: 'mail by token', opening: { scene: 'folder', at: 'settings' },
    act: async (page) => {
      await page.getByTestId('mail-address').fill('noor@shut.example');
      await page.getByTestId('mail-address').press('Tab');
      await page.getByTestId('mail-client-id').fill('mine');
      await page.getByTestId('mail-refresh-token').fill('old');
      await page.getByTestId('send-test').click();
      await page.getByTestId('test-result').waitFor();
    },
  },
  {
    name: 'data', opening: { scene: 'full', at: 'settings/data' },
    act: async (page) => {
      await page.getByTestId('go-back').click();
      await page.getByTestId('import-file').setInputFiles({ name: 's.txt', mimeType: 'text/plain', buffer: Buffer.from('https://www.huurplein.example/huren/4\nhttps://one.example/rent\nhttps://two.example/rent\n') });
      await page.getByTestId('import-lines').waitFor();
    },
  },
  {
    name: 'programs', opening: { scene: 'rare', at: 'settings/programs' },
    act: async (page) => {
      await page.getByTestId('program-add').click();
      await page.getByTestId('program-name').fill('Garden light');
      await page.getByTestId('program-save').click();
      await page.getByTestId('program-token').waitFor();
      await page.locator('[data-program="3"]').getByTestId('program-edit').click();
      await page.getByTestId('program-minute').waitFor();
    },
  },
  { name: 'help', opening: { at: 'help' } },
];

export async function paste(page: Page, text: string): Promise<void> {
  await page.getByTestId('search-url').evaluate((input, pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

export async function show(page: Page, view: View, more: Opening = {}): Promise<void> {
  await open(page, { ...view.opening, ...more });
  await view.act?.(page);
}
