// Reads a stream of server-sent events from bytes as they come. Only `data` matters here.

export class EventReader {
  #rest = '';
  #data: string[] = [];

  /** The whole messages that became complete with this piece. */
  push(piece: string): string[] {
    const out: string[] = [];
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length) out.push(this.#data.join('\n'));
        this.#data = [];
      } else if (line.startsWith('data:')) {
        this.#data.push(line.slice(5).replace(/^ /, ''));
      }
    }
    return out;
  }
}
