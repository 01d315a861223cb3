// The one door between the window and whatever runs it. Everything the UI knows came through here.

import type { Commands, ErrorBody, ExportWhat, MenuPick, StatusEvent } from './bindings';

export type CommandName = keyof Commands;
export type ArgsOf<K extends CommandName> = Commands[K]['args'];
export type ReplyOf<K extends CommandName> = Commands[K]['reply'];

/** Whether the engine can be heard. Inside the app it always can. */
export type Link = { kind: 'up' } | { kind: 'down'; since: number };

export interface Backend {
  readonly kind: 'tauri' | 'http' | 'fake';
  call<K extends CommandName>(name: K, args: ArgsOf<K>): Promise<ReplyOf<K>>;
  /** A snapshot first, then changes, in order. */
  watchStatus(onEvent: (event: StatusEvent) => void): () => void;
  watchLink(onLink: (link: Link) => void): () => void;
  /** What is chosen in the desktop's own menu bar; nothing where there is none. */
  watchMenu(onPick: (pick: MenuPick) => void): () => void;
  /** Opens the page of a search in a window of its own, so that a person can pass a check there. */
  openSite(search: number): Promise<void>;
  /** Opens an http(s) address in the system's browser. */
  openExternal(url: string): Promise<void>;
  /** Starts the rehearsal street and adds its searches. */
  tryStreet(): Promise<void>;
  /** Writes a file where the user says: its path, empty in a browser's downloads; `null` when they changed their mind. */
  saveFile(what: ExportWhat): Promise<string | null>;
  /** Shows the data folder in the system's file manager. */
  openFolder(): Promise<void>;
  /** Where a listing's photo can be shown from; `null` while there is none. One that is yet to come is on its
   * way from then on, and the board's `photos` name it when it is there. */
  loadPhoto(key: string): Promise<string | null>;
}

/** A command that was refused, with the code that the window has a sentence for. */
export class Refused extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.code);
    this.name = 'Refused';
    this.body = body;
  }
}

/** Whatever was thrown, as a refusal: what is no error body is our own fault. */
export function refusal(thrown: unknown): Refused {
  if (thrown instanceof Refused) return thrown;
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown) {
    const body = thrown as Partial<ErrorBody>;
    return new Refused({ code: body.code ?? 'internal', args: body.args ?? {} });
  }
  return new Refused({ code: 'internal', args: {} });
}
