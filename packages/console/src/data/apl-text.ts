/** Formats names and values in APL. */

const plainName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const reservedWords =
  /^(and|or|not|in|between|contains|startswith|endswith|has|matches|true|false|null|by|asc|desc|on|kind|with)$/i;

export const stringText = (text: string): string => {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', "'": "\\'" };
  return `'${text.replaceAll(/[\n\r\t\\']/g, (letter) => escapes[letter]!)}'`;
};

const quoteName = (name: string): string => `[${stringText(name)}]`;

/** A field name, bracketed unless it is a plain identifier. */
export const fieldText = (name: string): string =>
  plainName.test(name) && !reservedWords.test(name) ? name : quoteName(name);

/** A dataset name, quoted if it contains a dot. */
export const datasetText = (name: string): string => (name.includes('.') ? quoteName(name) : fieldText(name));

/** First dataset of a query, from its text; undefined if it starts differently. */
export function sourceIn(query: string): string | undefined {
  const text = query.replaceAll(/^\s*(\/\/.*|let\s[^;]*;)\s*$/gm, '').trimStart();
  const [, , quoted, plain] = /^(?:\[\s*(['"])(.+?)\1\s*\]|([\w-]+(?:\.[\w-]+)*))/.exec(text) ?? [];
  return quoted ?? plain;
}
