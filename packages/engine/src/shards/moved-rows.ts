import { quoteIdentifier } from '@millrace/sql';
import type { MovedRows } from '../engine.js';
import { EngineError } from '../errors.js';

/** Sends a query together with rows that it reads like tables: a form with a file for each. */

/** A server rejects longer fields of a form, whatever the settings of the request are. */
const maxSqlBytes = 1024 * 1024 - 1;
const format = 'RowBinaryWithNamesAndTypes';

interface Form {
  readonly contentType: string;
  readonly content: readonly Uint8Array[];
}

/**
 * @param boundary text that occurs nowhere in the rows
 * @throws EngineError `too-complex` when the query is too long
 */
export function formOf(sql: string, moved: readonly MovedRows[], boundary: string): Form {
  if (Buffer.byteLength(sql) > maxSqlBytes) throw new EngineError('too-complex', 'the query is too long for a form');
  const part = (name: string, content: string | Uint8Array, more = ''): readonly Uint8Array[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    typeof content === 'string' ? Buffer.from(content) : content,
    Buffer.from('\r\n'),
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: [
      ...part('query', sql),
      // The server reads a file as soon as it comes.
      ...moved.flatMap(({ name, rows }) => [
        ...part(`${name}_format`, format),
        ...part(`${name}_structure`, structureOf(rows)),
        ...part(name, rows, `; filename="${name}"`),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ],
  };
}

/** Names and types of the columns, from the head of the rows. */
function structureOf(rows: Uint8Array): string {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = rows[at++];
      if (byte === undefined) throw new EngineError('internal', 'moved rows have no head');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const text = (): string => {
    const length = number();
    at += length;
    return Buffer.from(rows.subarray(at - length, at)).toString();
  };
  const columns = number();
  const names = Array.from({ length: columns }, text);
  return names.map((name) => `${quoteIdentifier(name)} ${text()}`).join(', ');
}
