/** Markup that is safe to send. Only the tag `html` makes it, so that a text can not become markup unescaped. */
class Html {
  constructor(readonly text: string) {}
}

export type { Html };

/** What may stand in a template: texts and numbers are escaped, markup is not, `null` is nothing. */
export type Piece = string | number | null | Html | readonly Html[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A browser would read a bare carriage return as a line feed.
  '\r': '&#13;',
};

function write(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map((part) => part.text).join('');
  return String(piece).replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? '');
}

/** Markup from a template. Attribute values must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((part, index) => part + write(pieces[index] ?? null)).join(''));
}
