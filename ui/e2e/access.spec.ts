// axe finds nothing, on every view and in both themes.

import { axe, expect, test } from './window';
import { show, VIEWS } from './views';

for (const theme of ['light', 'dark'] as const) {
  for (const view of VIEWS) {
    test(`axe finds nothing in ${view.name}, ${theme}`, async ({ page }) => {
      await show(page, view, { theme });
      expect(await axe(page)).toEqual([]);
    });
  }
}

test('axe finds nothing in an open menu, dialog and notice', async ({ page }) => {
  await show(page, VIEWS[0]!);
  await page.locator('[data-row="4"] [data-more]').click();
  await page.getByRole('menu').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('[data-row="4"]').focus();
  await page.keyboard.press('Delete');
  await page.getByTestId('undo').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(await axe(page)).toEqual([]);
});
