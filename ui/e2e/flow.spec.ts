// What people do: add, wait, try, delete, look, set up mail.

import { axe, expect, open, test } from './window';
import { PAGE, paste } from './views';

test('an address becomes a preview, filters say what they would have shown, and a row', async ({ page }) => {
  await open(page, { scene: 'welcome' });
  await paste(page, PAGE);
  await expect(page.getByTestId('preview-count')).toContainText('24 listings. Here are the first 3.');
  await expect(page.locator('.sample')).toHaveCount(3);
  await expect(page.getByTestId('search-name')).toHaveValue('Utrecht, 2 kamers, tot € 1.250');
  await expect(page.getByTestId('would-show')).toHaveText('Would have shown 23 of the 24');
  await page.locator('#size').fill('40');
  await expect(page.getByTestId('would-show')).toHaveText('Would have shown 15 of the 24');
  await expect(page.locator('.why-not')).toContainText('8 are smaller');
  await page.locator('#not').fill('ANTI-KRAAK');
  await page.locator('#not').press('Enter');
  await expect(page.locator('.why-not')).toContainText('1 says “ANTI-KRAAK”');
  await page.getByTestId('start-watching').click();
  await expect(page.getByTestId('search-row')).toHaveCount(1);
  await expect(page.getByTestId('row-state')).toContainText('checking now');
  await expect(page.getByTestId('search-row')).toContainText('from 40 m² · not “ANTI-KRAAK”');
});

test('two lists on a page are shown side by side, and the chosen one is watched', async ({ page }) => {
  await open(page, { at: 'add' });
  await paste(page, `${PAGE}/unsure`);
  await expect(page.getByTestId('preview-count')).toContainText('There are 2 lists on this page. Which one do you mean?');
  await expect(page.getByTestId('would-show')).toContainText('of the 24');
  await page.getByText('These 6').click();
  await expect(page.getByTestId('would-show')).toContainText('of the 6');
  await page.getByTestId('start-watching').click();
  await expect(page.getByTestId('search-row')).toHaveCount(13);
});

const REFUSALS: [string, string, boolean][] = [
  ['not an address', 'This does not read as an address.', false],
  ['ftp://a.example/x', 'Only web addresses can be watched.', false],
  ['https://me:secret@a.example/x', 'There is a password in this address.', false],
  [`${PAGE}/one-home`, 'This page shows one home.', false],
  [`${PAGE}/no-list`, 'We see no list of listings on this page.', false],
  [`${PAGE}/nothing-now`, 'This search finds nothing right now.', true],
  [`${PAGE}/wall`, 'The site did not let us see this page.', true],
  [`${PAGE}/dead`, 'No answer from this site: could not find the site.', true],
  [`${PAGE}/gone`, 'This page does not exist (404).', false],
  [`${PAGE}/later`, 'we do not ask it before 14:31', true],
  ['https://www.huurplein.example/huren/4', 'You watch this page already, as “Utrecht, 2 kamers, tot € 1.250”.', false],
];

test('each address that cannot be a search gets a sentence that says what to do', async ({ page }) => {
  await open(page, { at: 'add' });
  const input = page.getByTestId('search-url');
  for (const [url, sentence, anyway] of REFUSALS) {
    await input.fill(url);
    await input.press('Enter');
    await expect(page.getByTestId('preview-refused')).toContainText(sentence);
    await expect(page.getByTestId('start-watching')).toHaveCount(anyway ? 1 : 0);
  }
});

test('the sixteenth is explained and may be saved paused', async ({ page }) => {
  await open(page, { scene: 'full', at: 'add' });
  await page.getByText('14 of 15 in use').waitFor();
  await paste(page, `${PAGE}/fifteenth`);
  await page.getByTestId('start-watching').click();
  await page.getByTestId('add-search').click();
  await paste(page, `${PAGE}/sixteenth`);
  await expect(page.getByTestId('preview-refused')).toContainText('15 searches run already, and that is the most. Pause one and this one can start.');
  await page.getByTestId('search-name').fill('Later');
  await page.getByTestId('start-watching').click();
  await expect(page.getByTestId('search-row').filter({ hasText: 'Later' })).toHaveAttribute('data-kind', 'paused');
});

test('many addresses pasted at once are many searches', async ({ page }) => {
  await open(page, { at: 'add' });
  await paste(page, `${PAGE}/1\n${PAGE}/2\n${PAGE}/one-home`);
  await expect(page.getByText('3 addresses, 2 searches.')).toBeVisible();
  await expect(page.getByTestId('many-line').nth(2)).toContainText('left out: This page shows one home.');
  await page.getByTestId('start-watching').click();
  await expect(page.getByTestId('search-row')).toHaveCount(14);
});

test('a countdown falls to zero, never below, and then the check goes out', async ({ page }) => {
  await open(page, { scene: 'idle', alive: true });
  const countdown = page.getByTestId('search-row').first().getByTestId('countdown');
  await expect(countdown).toHaveText(/^2[456]s$/);
  await expect(page.getByTestId('app-status')).toContainText(`All 3 searches waiting. Next try in ${await countdown.textContent()}`);
  const seen: number[] = [];
  for (let i = 0; i < 30 && (await countdown.count()); i++) {
    const text = await countdown.textContent();
    expect(text).toMatch(/^\d+s$/);
    seen.push(Number.parseInt(text ?? '', 10));
    await page.clock.runFor(1000);
  }
  const [first = 0] = seen;
  expect(seen.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, i) => first - i));
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
  await expect(page.getByTestId('app-status')).toContainText('Looking in at kamerhuis.example');
  await expect(page.getByTestId('search-row').nth(1)).toContainText('waiting for that answer');
  await page.clock.runFor(5000);
  await expect(page.getByTestId('search-row').nth(1)).toContainText('22 listings');
});

test('a countdown is silent: its role is timer, and no live region holds it', async ({ page }) => {
  await open(page, { scene: 'idle' });
  for (const timer of await page.getByRole('timer').all()) {
    expect(await timer.evaluate((at) => at.closest('[aria-live], [role="status"], [role="alert"]'))).toBeNull();
  }
  await expect.poll(() => page.getByRole('timer').count()).toBeGreaterThan(4);
});

test('Stop and carry on', async ({ page }) => {
  await open(page);
  await page.getByTestId('start-stop').click();
  await expect(page.getByTestId('app-status')).toContainText('Stopped. No site is asked');
  await expect(page.getByTestId('search-row').first()).toHaveAttribute('data-kind', 'stopped');
  await page.getByRole('button', { name: 'Carry on' }).click();
  await expect(page.getByTestId('search-row').first()).toHaveAttribute('data-kind', 'queued');
});

test('what was deleted is gone after ten seconds', async ({ page }) => {
  await open(page, { alive: true });
  await page.locator('[data-row="7"] [data-more]').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.locator('.toast')).toContainText('Deleted “Hilversum-Zuid, oude link”');
  await expect(page.locator('[data-row="7"]')).toHaveCount(0);
  await expect(page.getByTestId('host-card').nth(1)).toContainText('4 searches');
  await page.clock.runFor(11_000);
  await expect(page.locator('.toast')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-row="7"]')).toHaveCount(0);
  await expect(page.getByTestId('host-card').nth(1)).toContainText('3 searches');
});

test('the rehearsal street is offered where there is nothing, and fills the board', async ({ page }) => {
  await open(page, { scene: 'welcome' });
  await page.getByTestId('try-street').click();
  await expect(page.getByTestId('search-row')).toHaveCount(7);
});

test('fifty thousand listings scroll, and only a screenful is drawn', async ({ page }) => {
  await open(page, { at: 'listings', homes: 50_000 });
  await expect(page.locator('.head')).toContainText('49,999 kept');
  const lower = async () => {
    expect(await page.getByTestId('listing-row').count()).toBeLessThan(30);
    return page.locator('main').evaluate((at) => (at.scrollTop = at.scrollHeight));
  };
  await expect.poll(lower, { intervals: [60] }).toBeGreaterThan(80 * 600);
  await page.getByLabel('Sort').selectOption('cheapest');
  await expect(page.locator('.item .price').first()).toHaveText('€480');
});

test('a site that lets us in again says what we missed there', async ({ page }) => {
  await open(page, { scene: 'blocked', at: 'listings' });
  const away = page.getByTestId('away');
  await expect(away).toContainText('Since woningpunt.example lets us in again: 3 appeared, 1 already gone');
  await expect(away).toContainText('woningpunt.example refused us from');
});

test('listings are filtered, starred and counted', async ({ page }) => {
  await open(page, { scene: 'away', at: 'listings' });
  await expect(page.getByTestId('away')).toContainText('While you were away: 6 appeared, 2 already gone');
  await page.getByTestId('away').getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByTestId('away')).toHaveCount(0);
  await page.getByRole('button', { name: 'Unread 3' }).click();
  await expect(page.getByTestId('listing-row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await expect(page.getByTestId('listing-row')).toHaveCount(0);
  await expect(page.getByTestId('nav-listings').locator('.count')).toHaveCount(0);
  await page.getByRole('button', { name: 'Hidden' }).click();
  await expect(page.getByTestId('listing-row')).toHaveCount(1);
});

test('mail: an address, a guess, a password, a real test with the server’s words', async ({ page }) => {
  await open(page, { scene: 'folder', at: 'settings' });
  await page.getByTestId('mail-address').fill('noor@mailhuis.example');
  await page.getByTestId('mail-address').press('Tab');
  await expect(page.getByTestId('mail-guess')).toContainText('Mailhuis is known: smtp.mailhuis.example, port 465');
  await page.getByTestId('mail-password').fill('wrong');
  await page.getByTestId('send-test').click();
  await expect(page.getByTestId('test-result')).toContainText('wants an app password');
  await expect(page.getByTestId('test-result')).toContainText('535 5.7.8');
  await page.getByTestId('mail-password').fill('right');
  await page.getByTestId('send-test').click();
  await expect(page.getByTestId('test-result')).toContainText('Accepted by smtp.mailhuis.example.');
  await expect(page.getByTestId('test-result')).toContainText('250 2.0.0 Ok: queued as 4Xq7Lm2c9Tz3');
  await expect(page.getByTestId('post')).toContainText('Mail works');
  await expect(page.getByTestId('mail-password')).toHaveValue('');
});

test('mail: a provider that takes no passwords is signed in to with a token, whose secrets never come back', async ({ page }) => {
  await open(page, { scene: 'folder', at: 'settings' });
  await page.getByTestId('mail-address').fill('noor@shut.example');
  await page.getByTestId('mail-address').press('Tab');
  const form = page.getByTestId('mail-token');
  await expect(form).toContainText('For providers that take no passwords');
  await expect(form).toContainText('https://shut.example/send');
  await expect(page.getByTestId('mail-password')).toHaveCount(0);
  await expect(page.getByTestId('mail-token-url')).toHaveValue('https://login.shut.example/oauth2/token');
  await expect(page.getByTestId('send-test')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('mail-client-id').fill('nobody');
  await page.getByTestId('mail-refresh-token').fill('old');
  await page.getByTestId('send-test').click();
  await expect(page.getByTestId('test-result')).toContainText('The token no longer holds');
  await expect(page.getByTestId('test-result')).toContainText('login.shut.example: 400 invalid_grant');
  await page.getByTestId('mail-refresh-token').fill('new');
  await page.getByTestId('send-test').click();
  await expect(page.getByTestId('test-result')).toContainText('does not accept this client');
  await page.getByTestId('mail-client-id').fill('mine');
  await page.getByTestId('mail-client-secret').fill('of mine');
  await page.getByTestId('mail-token-url').fill('http://login.shut.example/');
  await expect(form).toContainText('The token address begins with https://.');
  await expect(page.getByTestId('send-test')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('mail-token-url').fill('https://login.shut.example/oauth2/token');
  await page.getByTestId('send-test').click();
  await expect(page.getByTestId('test-result')).toContainText('Accepted by smtp.shut.example.');
  await expect(page.getByTestId('mail-refresh-token')).toHaveValue('');
  await expect(page.getByTestId('mail-refresh-token')).toHaveAttribute('placeholder', 'kept, leave empty');
  await expect(page.getByTestId('mail-client-secret')).toHaveValue('');
  await expect(page.getByTestId('mail-client-secret')).toHaveAttribute('placeholder', 'kept, leave empty');
  // Another client has another secret.
  await page.getByTestId('mail-client-id').fill('another');
  await expect(page.getByTestId('mail-client-secret')).toHaveAttribute('placeholder', 'only if you got one');
});

test('mail: whoever wants a token chooses it, and goes back to a password', async ({ page }) => {
  await open(page, { scene: 'folder', at: 'settings' });
  await page.getByTestId('mail-address').fill('noor@mailhuis.example');
  await page.getByTestId('mail-address').press('Tab');
  await page.getByTestId('mail-by-token').click();
  await expect(page.getByTestId('mail-token-url')).toHaveValue('');
  await page.getByTestId('mail-by-password').click();
  await expect(page.getByTestId('mail-token')).toHaveCount(0);
  await expect(page.getByTestId('mail-password')).toBeVisible();
});

test('other ways: ntfy with a topic that nobody guesses, tested with the far end’s words', async ({ page }) => {
  await open(page, { at: 'settings/ways' });
  await page.getByTestId('way-add').click();
  await expect(page.getByRole('radio', { name: 'ntfy' })).toBeFocused();
  const topic = await page.getByTestId('way-topic').inputValue();
  expect(topic).toMatch(/^firstknock-[a-z2-9]{25}$/);
  await page.getByTestId('way-another').click();
  await expect(page.getByTestId('way-topic')).not.toHaveValue(topic);
  await page.getByTestId('way-topic').fill('firstknock-flat');
  await page.getByTestId('way-server').fill('ntfy.example');
  await expect(page.getByTestId('way-form')).toContainText('That is not the address of a server.');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('way-save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('way-server').fill('https://ntfy.example');
  await page.getByTestId('way-save').click();
  const ntfy = page.locator('[data-way="ntfy"]');
  await expect(ntfy).toContainText('firstknock-flat at ntfy.example · Nothing sent yet');
  await expect(ntfy.getByTestId('way-test')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ntfy.getByTestId('test-result')).toContainText('Accepted by ntfy.example.');
  await expect(ntfy.getByTestId('test-result')).toContainText('200 OK: {"id":"hX2kq9","event":"message"}');
  await expect(ntfy.getByTestId('test-result')).not.toContainText('inbox');
});

test('other ways: a refused bot, and a stored token that stays with its chat', async ({ page }) => {
  await open(page, { at: 'settings/ways' });
  await page.getByTestId('way-add').click();
  await page.getByRole('radio', { name: 'Telegram' }).click();
  await page.getByTestId('way-chat').fill('4815');
  await expect(page.getByTestId('way-save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('way-secret').fill('wrong');
  await page.getByTestId('way-save').click();
  const telegram = page.locator('[data-way="telegram"]');
  await telegram.getByTestId('way-test').click();
  await expect(telegram.getByTestId('test-result')).toContainText('Telegram refused. Telegram does not know this bot token.');
  await expect(telegram.getByTestId('test-result')).toContainText('401 Unauthorized');
  await telegram.getByTestId('way-edit').click();
  await expect(page.getByTestId('way-secret')).toHaveValue('');
  await expect(page.getByTestId('way-save')).not.toHaveAttribute('aria-disabled');
  await page.getByTestId('way-chat').fill('4816');
  await expect(page.getByTestId('way-save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('way-secret').fill('right');
  expect(await axe(page)).toEqual([]);
  await page.getByTestId('way-save').click();
  await expect(telegram).toContainText('chat 4816');
  await telegram.getByTestId('way-test').click();
  await expect(telegram.getByTestId('test-result')).toContainText('Accepted by Telegram.');
});

test('other ways: a signed webhook comes, goes, and can be taken back; the desktop has one switch in two places', async ({ page }) => {
  await open(page, { at: 'settings/ways' });
  await page.getByTestId('way-add').click();
  await page.getByRole('radio', { name: 'Webhook' }).click();
  await page.getByTestId('way-url').fill('https://home.example/silent');
  await page.getByTestId('way-sign').check();
  await expect(page.getByTestId('way-save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('way-secret').fill('a key of my own');
  await page.getByTestId('way-save').click();
  const webhook = page.locator('[data-way="webhook"]');
  await expect(webhook).toContainText('home.example, signed');
  await webhook.getByTestId('way-test').click();
  await expect(webhook.getByTestId('test-result')).toContainText('No answer came after the message.');
  await webhook.getByTestId('way-remove').click();
  await expect(webhook).toHaveCount(0);
  await expect(page.getByTestId('way-add')).toBeFocused();
  await page.getByTestId('undo').click();
  await expect(webhook).toHaveCount(1);

  const desktop = page.locator('[data-way="desktop"]');
  await desktop.getByTestId('way-test').click();
  await expect(desktop.getByTestId('test-result')).toContainText('Accepted by the desktop. It should be on your screen now.');
  await desktop.getByRole('switch').uncheck();
  await expect(desktop.getByTestId('way-state')).toHaveText('Switched off');
  await expect(page.locator('#desktop').getByRole('switch', { name: 'Notifications' })).not.toBeChecked();
  await page.locator('#desktop').getByRole('switch', { name: 'Notifications' }).check();
  await expect(desktop.getByRole('switch')).toBeChecked();
});

test('other ways: what was removed is gone when nobody took it back', async ({ page }) => {
  await open(page, { scene: 'held', at: 'settings/ways', alive: true });
  await expect(page.locator('[data-way="telegram"]').getByTestId('way-state')).toHaveText('Waits: the login was refused');
  await page.locator('[data-way="ntfy"]').getByTestId('way-remove').click();
  await page.clock.runFor(11_000);
  await page.getByTestId('way-add').click();
  await page.getByTestId('way-save').click();
  await page.clock.runFor(1000);
  await expect(page.locator('[data-way="ntfy"]')).toContainText('Nothing sent yet');
});

test('language and theme change at once', async ({ page }) => {
  await open(page, { at: 'settings/look' });
  await page.getByRole('radio', { name: 'Nederlands' }).click();
  await expect(page.locator('h1')).toHaveText('Instellingen');
  await page.getByRole('radio', { name: 'Donker' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('insight says its finding and shows it as a table', async ({ page }) => {
  await open(page, { at: 'insight/4' });
  await expect(page.locator('#heat-title')).toHaveText(/^\d+ of \d+ came on weekdays between \d\d:00 and \d\d:00, Tuesday most of all$/);
  await page.getByRole('button', { name: 'Show as a table' }).first().click();
  await expect(page.getByRole('table')).toHaveCount(1);
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(8);
});

test('a changed search keeps its row, another address says that it starts anew', async ({ page }) => {
  await open(page);
  await page.locator('[data-row="4"] [data-more]').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByTestId('search-name').fill('Utrecht, nieuw');
  await page.getByTestId('filter-max-price').fill('1.300');
  await page.getByTestId('edit-url').fill('https://www.huurplein.example/huren/elders');
  await expect(page.getByText('Another address starts anew')).toBeVisible();
  await page.getByTestId('edit-url').fill('https://www.huurplein.example/huren/4');
  await page.getByTestId('start-watching').click();
  await expect(page.locator('[data-row="4"]')).toContainText('Utrecht, nieuw');
  await expect(page.locator('[data-row="4"]')).toContainText('€1,300');
});
