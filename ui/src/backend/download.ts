// A file for the user, from a page in a browser.

import type { ExportedFile } from './bindings';

export function download(file: ExportedFile): void {
  const url = URL.createObjectURL(new Blob([file.text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has begun by then; the text need not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
