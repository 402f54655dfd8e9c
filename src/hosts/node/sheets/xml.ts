import { Parser } from 'htmlparser2';

/** Takes what a document has, in its order. Names are without prefix: `row` of `<x:row>`. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export type Attributes = Readonly<Record<string, string>>;

/** Characters that are parsed at a time. */
const CHUNK = 65_536;

/**
 * Parses a document chunk by chunk, so that a caller can stop; yields the place of each. No entity but the five of XML and numbers is ever
 * resolved, so nothing grows and nothing is fetched.
 */
export function* parseXml(xml: string, handler: XmlHandler): Generator<number> {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open(localName(name), attributes),
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => handler.close?.(localName(name)),
    },
    { xmlMode: true },
  );
  for (let at = 0; at < xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK));
    yield at;
  }
  parser.end();
  yield xml.length;
}

/** Parses a whole document. */
export function parseWholeXml(xml: string, handler: XmlHandler): void {
  Array.from(parseXml(xml, handler));
}

/** Finds an attribute by its name without prefix. */
export const findAttribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
