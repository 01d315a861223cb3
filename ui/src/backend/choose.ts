// Which double stands behind the door: the app, the web twin, or the scripted one.

import type { Backend } from './door';

export async function chooseBackend(): Promise<Backend> {
  const query = new URLSearchParams(location.search);
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).tauri;
  if (query.has('fake') || query.has('scene') || (import.meta.env.DEV && !query.has('http'))) {
    return (await import('./fake/fake')).fake(query);
  }
  return (await import('./http')).http();
}
