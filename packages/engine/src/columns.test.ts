import { describe, expect, it } from 'vitest';
import { answerOf, readColumns } from './columns.js';

/** As printed by ClickHouse. */
function document(columns: readonly (readonly [name: string, values: string])[], rows: number): Buffer {
  const meta = columns.map(([name]) => `\t\t{\n\t\t\t"name": ${JSON.stringify(name)},\n\t\t\t"type": "String"\n\t\t}`);
  const data = rows === 0 ? [''] : columns.map(([name, values]) => `\t\t${JSON.stringify(name)}: ${values}`);
  const statistics = `\t"statistics":\n\t{\n\t\t"elapsed": 0.5,\n\t\t"rows_read": 12,\n\t\t"bytes_read": 34\n\t}`;
  return Buffer.from(
    `{\n\t"meta":\n\t[\n${meta.join(',\n')}\n\t],\n\n\t"data":\n\t{\n${data.join(',\n')}\n\t},\n\n\t"rows": ${rows},\n\n${statistics}\n}\n`,
  );
}

const columns = [
  ['a', '["x, y", "]"]'],
  ['quote " and \\ and: [', '["},", "\\t}"]'],
] as const;

describe('columns of an answer', () => {
  it('are views into the document', () => {
    const bytes = document(columns, 2);
    const read = readColumns(bytes);
    expect(read).toMatchObject({ rows: 2, elapsedSeconds: 0.5, rowsRead: 12, bytesRead: 34 });
    expect(read.columns.map(({ name, values }) => [name, Buffer.from(values).toString()])).toEqual(columns);
    for (const { values } of read.columns) expect(values.buffer).toBe(bytes.buffer);
  });

  it('are present even without rows', () => {
    expect(readColumns(document(columns, 0)).columns.map(({ values }) => Buffer.from(values).toString())).toEqual([
      '[]',
      '[]',
    ]);
  });

  it('make up a columnar answer; any other output becomes the body', () => {
    const bytes = document(columns, 2);
    const answer = answerOf('JSONCompactColumns', bytes, 7);
    expect(answer.columns.map(({ name }) => name)).toEqual(columns.map(([name]) => name));
    expect([answer.rows, answer.body.length]).toEqual([2, 0]);
    expect(answer.statistics).toEqual({ elapsedNanoseconds: 7, rowsRead: 12, bytesRead: 34 });
    expect(answerOf('CSV', bytes, 7)).toMatchObject({ body: bytes, columns: [], rows: 0 });
  });

  const whole = document(columns, 2);
  const broken: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('[[1],[2]]')],
    ['a document that ends early', whole.subarray(0, whole.length - 60)],
    ['a document that ends in its values', whole.subarray(0, whole.indexOf('"x, y"'))],
    ['another answer behind it', Buffer.concat([whole, whole])],
    ['half of another answer before it', Buffer.concat([whole.subarray(0, whole.indexOf('\t},')), whole])],
    ['a column less than named', Buffer.from(whole.toString().replace(/\t\t"a": .*\n/, ''))],
  ];
  it.each(broken)('%s is refused', (_what, bytes) => {
    expect(() => readColumns(bytes)).toThrow(Error);
  });
});
