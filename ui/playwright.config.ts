// The whole window in Debian's Chromium, over the scripted double. Nothing leaves this computer.

import { defineConfig } from '@playwright/test';

const PORT = 4174;
const SITE = 'node_modules/.cache/e2e-site';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  workers: 1,
  fullyParallel: false,
  // What failed is tried once more, and named as flaky if it passes only then.
  retries: 1,
  timeout: 60_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }]],
  expect: {
    timeout: 10_000,
    toHaveScreenshot: { threshold: 0.3, maxDiffPixelRatio: 0.01, animations: 'disabled', caret: 'hide' },
  },
  use: {
    baseURL: `http://127.0.0.1:${PORT}/`,
    viewport: { width: 1100, height: 760 },
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.FIRSTKNOCK_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        '--font-render-hinting=none', '--disable-lcd-text',
      ],
    },
  },
  webServer: {
    command: `npx vite build --outDir ${SITE} --emptyOutDir --logLevel error && npx vite preview --outDir ${SITE} --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}/`,
    reuseExistingServer: false,
    timeout: 120_000,
  },
});
