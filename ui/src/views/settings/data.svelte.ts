// What is kept: backups, and files that go out and come in.

import type { BackupShown, DataFacts, ExportWhat, ImportLine } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { notices } from '../../state/notices.svelte';
import { fileSize, fullMoment } from '../../texts/format';
import { errorText } from '../../texts/errors';
import { t } from '../../texts/t';

/** A list of searches is small; the engine takes no more in one piece. */
const LARGEST = 100_000;

export type Brought = { kind: 'none' } | { kind: 'lines'; lines: ImportLine[] } | { kind: 'refused'; text: string };

export class Kept {
  facts = $state.raw<DataFacts | null>(null);
  brought = $state.raw<Brought>({ kind: 'none' });
  /** Something that takes a moment is under way. */
  busy = $state(false);

  async load(): Promise<void> {
    this.facts = await app.ask('get_data', {});
  }

  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    await work();
    this.busy = false;
  }

  backUp(): Promise<void> {
    return this.#alone(async () => {
      const made = await app.ask('back_up', {});
      if (made) notices.tell(t('data_backed_up', { size: fileSize(made.bytes) }));
      await this.load();
    });
  }

  restore(backup: BackupShown): Promise<void> {
    return this.#alone(async () => {
      if ((await app.ask('restore', { name: backup.name })) !== null) {
        await app.reload();
        notices.tell(t('data_restored', { time: fullMoment(backup.at) }));
      }
      await this.load();
    });
  }

  save(what: ExportWhat): Promise<void> {
    return this.#alone(async () => {
      const path = await app.hear(() => app.backend.saveFile(what));
      if (path !== null) notices.tell(path ? t('data_saved', { path }) : t('data_saved_browser'));
    });
  }

  bring(file: File): Promise<void> {
    return this.#alone(async () => {
      if (file.size > LARGEST) {
        this.brought = { kind: 'refused', text: t('data_bring_large') };
        return;
      }
      try {
        const lines = await app.backend.call('import_searches', { text: await file.text() });
        this.brought = lines.length ? { kind: 'lines', lines } : { kind: 'refused', text: t('data_bring_empty') };
      } catch (thrown) {
        this.brought = { kind: 'refused', text: errorText(refusal(thrown).body) };
      }
    });
  }
}

export const kept = new Kept();

export function fateText({ fate }: ImportLine): string {
  switch (fate.kind) {
    case 'added':
      return t('data_fate_added');
    case 'paused':
      return t('data_fate_paused', { max: fate.max });
    case 'duplicate':
      return t('data_fate_duplicate', { of: fate.of });
  }
}
