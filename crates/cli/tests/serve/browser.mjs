// What a person does with `knock serve`, in Chromium. The test that starts this answers the lines it
// prints: RESTART (the server is started again on its port), HOME (a home appears on the site).
// Ends with DONE, or with an error and a status of its own.

import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const { UI, BASE, TOKEN, SEARCH, CHROMIUM } = process.env;
const { chromium, expect } = createRequire(`${UI}/package.json`)('@playwright/test');

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
async function tell(word) {
  console.log(word);
  await lines.next();
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});
try {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(30_000);
  const soon = expect.configure({ timeout: 30_000 });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));

  // Without a token the page asks for one, and says so when it is not good.
  await page.goto(`${BASE}/`);
  await soon(page).toHaveURL(`${BASE}/sign-in`);
  await page.getByLabel(/token/i).fill('fk_wrong');
  await page.getByRole('button').click();
  await soon(page.locator('#wrong')).toBeVisible();
  await page.getByLabel(/token/i).fill(TOKEN);
  await page.getByRole('button').click();
  await soon(page.locator('main.street h1')).toBeVisible();
  // The address that the first start prints opens the app, and the token does not stay in it.
  const given = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await given.goto(`${BASE}/#token=${TOKEN}`);
  await soon(given.locator('main.street h1')).toBeVisible();
  expect(given.url()).not.toContain(TOKEN);
  await given.close();

  // A search is added, and what it finds appears by itself.
  await page.goto(`${BASE}/#/add`);
  await page.getByTestId('search-url').fill(SEARCH);
  await page.getByTestId('search-url').press('Enter');
  await soon(page.getByTestId('preview-count')).toContainText('12 listings');
  await page.getByTestId('start-watching').click();
  await soon(page.getByTestId('row-state')).toContainText('12 listings');
  await tell('HOME');
  const { searches: [search] } = await (await ask('GET', '/api/v1/searches')).json();
  expect((await ask('POST', `/api/v1/searches/${search.id}/check`)).status).toBe(202);
  await soon(page.getByTestId('row-state')).toContainText('13 listings');
  await soon(page.getByTestId('search-row')).toContainText('1 new');

  // The server is started again: the page is back by itself, and told nothing that passed by itself.
  await page.evaluate(() => {
    window.told = 0;
    new MutationObserver(() => { window.told += document.querySelectorAll('.link-down').length; })
      .observe(document.body, { childList: true, subtree: true });
  });
  await tell('RESTART');
  expect((await ask('PATCH', `/api/v1/searches/${search.id}`, { name: 'After the restart' })).status).toBe(200);
  await soon(page.getByTestId('search-row')).toContainText('After the restart');
  expect(await page.evaluate(() => window.told)).toBe(0);
  expect(errors).toEqual([]);

  // A page of another site gets nothing, and a name that was turned on us is not ours.
  const foreign = createServer((_, response) => response.end('<title>foreign</title>')).listen(0, '127.0.0.1');
  await new Promise((done) => foreign.on('listening', done));
  const stranger = await browser.newPage();
  await stranger.goto(`http://127.0.0.1:${foreign.address().port}/`);
  const got = await stranger.evaluate(async ([url, token]) => {
    const tried = (init) => fetch(url, init).then((answer) => answer.type, () => 'refused');
    return [await tried({}), await tried({ mode: 'no-cors' }), await tried({ headers: { authorization: `Bearer ${token}` } })];
  }, [`${BASE}/api/v1/summary`, TOKEN]);
  expect(got).toEqual(['refused', 'refused', 'refused']);
  expect((await ask('GET', '/api/v1/summary')).status).toBe(200);
  expect((await ask('GET', '/api/v1/summary', undefined, { origin: 'http://foreign.example' })).status).toBe(403);
  const rebound = await stranger.goto(BASE.replace('127.0.0.1', 'rebound.localhost'));
  expect(rebound.status()).toBe(421);
  foreign.close();
  console.log('DONE');
} finally {
  await browser.close();
}
process.exit(0);

function ask(method, path, body, more = {}) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...more };
  return fetch(`${BASE}${path}`, { method, headers, body: body && JSON.stringify(body) });
}
