import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  base: './',
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0 },
  server: { host: '127.0.0.1' },
  // The tests run in Node, on the parts that a browser gets: the others never react to anything.
  ssr: { resolve: { conditions: ['browser'] } },
  test: { include: ['src/**/*.test.ts'], environment: 'node', server: { deps: { inline: ['svelte'] } } },
});
