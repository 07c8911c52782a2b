/** An element: its name, attributes, and either text or child elements. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  content: string | Element[];
}

/** An element with its attributes and what is in it. */
export const el = (
  name: string,
  content: string | Element[] = [],
  attributes: Record<string, string> = {},
): Element => ({ name, attributes, content });

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

function write({ name, attributes, content }: Element, indent: string): string {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escape(value)}"`)].join(
    ' ',
  );
  if (typeof content === 'string') return `${indent}<${head}>${escape(content)}</${name}>\n`;
  const inner = content.map((child) => write(child, `${indent}  `)).join('');
  return `${indent}<${head}>\n${inner}${indent}</${name}>\n`;
}

/** An XML 1.0 document in UTF-8. */
export const xmlDocument = (root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`;

/** Cents as XML decimals have them. */
export const money = (cents: number): string => (cents / 100).toFixed(2);
