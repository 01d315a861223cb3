// Text that was pasted in one view and is looked at in another.

class Pasted {
  text = $state('');

  take(): string {
    const text = this.text;
    this.text = '';
    return text;
  }

  /** What the clipboard holds; empty when the window may not read it. */
  async fromClipboard(): Promise<string> {
    try {
      return (await navigator.clipboard.readText()).trim();
    } catch {
      return '';
    }
  }
}

export const pasted = new Pasted();
