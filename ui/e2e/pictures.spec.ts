// Pictures that fail on unintended change. Few, each of a view at its fullest; made anew with
// `npx playwright test pictures --update-snapshots`.

import { expect, test } from './window';
import { show, VIEWS } from './views';

const view = (name: string) => {
  const found = VIEWS.find((one) => one.name === name);
  if (!found) throw new Error(`no view is called ${name}`);
  return found;
};

const PICTURES: [string, string, Parameters<typeof show>[2], [number, number]][] = [
  ['searches-light', 'searches', { theme: 'light' }, [1100, 1400]],
  ['searches-dark', 'searches', { theme: 'dark' }, [1100, 1400]],
  ['searches-narrow-de', 'searches', { lang: 'de' }, [720, 520]],
  ['welcome-light', 'welcome', {}, [1100, 760]],
  ['idle-dark', 'idle', { theme: 'dark' }, [1100, 760]],
  ['add-light', 'add', {}, [1100, 900]],
  ['unsure-dark', 'add unsure', { theme: 'dark' }, [1100, 760]],
  ['listings-light', 'listings', {}, [1100, 760]],
  ['listings-narrow-nl', 'listings', { lang: 'nl', theme: 'dark' }, [720, 760]],
  ['insight-light', 'insight', {}, [1100, 760]],
  ['settings-dark', 'settings', { theme: 'dark' }, [1100, 1000]],
];

for (const [name, of, opening, [width, height]] of PICTURES) {
  test(`picture ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await show(page, view(of), opening);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await expect(page).toHaveScreenshot(`${name}.png`);
  });
}
