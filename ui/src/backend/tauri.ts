// The door inside the app. The only file that imports from Tauri, and it decides nothing.

import { Channel, convertFileSrc, invoke } from '@tauri-apps/api/core';
import type { MenuPick, StatusEvent } from './bindings';
import { refusal, type ArgsOf, type Backend, type CommandName, type ReplyOf } from './door';

let photosAsked = 0;

async function ask<T>(command: string, args: Record<string, unknown> = {}): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    throw refusal(thrown);
  }
}

/** Hands on what comes on a channel of its own, until it is told to stop. */
function listen<T>(command: string, onMessage: (message: T) => void): () => void {
  const channel = new Channel<T>();
  let open = true;
  channel.onmessage = (message) => {
    if (open) onMessage(message);
  };
  void ask(command, { channel });
  return () => {
    open = false;
  };
}

export const tauri: Backend = {
  kind: 'tauri',
  call<K extends CommandName>(name: K, args: ArgsOf<K>) {
    return ask<ReplyOf<K>>('call', { command: { name, args } });
  },
  watchStatus: (onEvent) => listen<StatusEvent>('watch_status', onEvent),
  watchMenu: (onPick) => listen<MenuPick>('watch_menu', onPick),
  watchLink(onLink) {
    onLink({ kind: 'up' });
    return () => {};
  },
  openSite: (search) => ask('open_site', { search }),
  openExternal: (url) => ask('open_external', { url }),
  tryStreet: () => ask('try_street'),
  saveFile: (what) => ask('save_file', { what }),
  openFolder: () => ask('open_folder'),
  loadPhoto: (key) =>
    new Promise((found) => {
      // A number of its own for each try: what failed once would else be remembered as failed.
      const src = `${convertFileSrc(key, 'firstknock-image')}?${photosAsked++}`;
      const image = new Image();
      image.onload = () => found(src);
      image.onerror = () => found(null);
      image.src = src;
    }),
};
