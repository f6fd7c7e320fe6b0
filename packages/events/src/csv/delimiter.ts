/** The bytes, one or more, that separate the cells of a row; already checked. */
export interface CsvDelimiter {
  readonly bytes: Uint8Array;
}

/** An unusable delimiter. The message is for the client. */
export class CsvDelimiterError extends Error {
  override readonly name = 'CsvDelimiterError';
}

export const comma: CsvDelimiter = { bytes: Uint8Array.of(0x2c) };

/**
 * The delimiter that a client requests: any string of at least one character. `\t` written as two
 * characters is a tab, since a tab is hard to put into a URL.
 * @throws CsvDelimiterError for an empty string, and for quotes and line ends, which have another
 * meaning in CSV.
 */
export function csvDelimiter(text: string): CsvDelimiter {
  if (text === '')
    throw new CsvDelimiterError('the CSV delimiter is empty; expected at least one character, such as "," or ";"');
  if (/["\r\n]/.test(text)) {
    throw new CsvDelimiterError(
      `the CSV delimiter ${JSON.stringify(text)} holds a quote or a line end, which have a meaning of their own in CSV; use another character`,
    );
  }
  return { bytes: new TextEncoder().encode(text === '\\t' ? '\t' : text) };
}
