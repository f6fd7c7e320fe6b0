/** Writes names and values in APL. */

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  "'": "\\'",
};

export const stringText = (text: string): string =>
  `'${text.replaceAll(/[\n\r\t\\']/g, (letter) => escapes[letter]!)}'`;

/** The name of a dataset or field, quoted, so that any character and any keyword can be in it. */
export const nameText = (name: string): string => `[${stringText(name)}]`;

/** The beginning of a query: a dataset, filtered by an optional condition. */
export const eventsText = (dataset: string, where?: string): string =>
  `${nameText(dataset)}${where === undefined || where.trim() === '' ? '' : `\n| where ${where}`}`;
