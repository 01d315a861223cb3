// A text with **strong** parts, in pieces: so that no text is ever read as markup.

export type Piece = { text: string; strong: boolean };

export function pieces(text: string): Piece[] {
  return text
    .split('**')
    .map((part, i) => ({ text: part, strong: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

export function plain(text: string): string {
  return text.replaceAll('**', '');
}
