import { describe, expect, it } from 'vitest';
import { previewOf } from './event-preview.js';

describe('a preview', () => {
  it('is equal for an array, one object and lines', () => {
    const one = '{"a":1,"b":{"c":"x"}}';
    const shapes = [`[${one}]`, one, `${one}\n`].map((text) => previewOf(text));
    for (const { events, fields, mistakes } of shapes) {
      expect({ events, mistakes }).toEqual({ events: 1, mistakes: [] });
      expect(fields.map(({ name, types }) => [name, ...types])).toEqual([
        ['a', 'integer'],
        ['b.c', 'string'],
      ]);
    }
  });

  it('reports fields with several types, and timestamps', () => {
    const { fields, hasTime } = previewOf('{"v":1,"_time":"2026-11-26T10:00:00Z"}\n{"v":"one"}\n{"v":1.5}');
    expect(fields[0]).toEqual({ name: 'v', types: ['integer', 'string', 'float'], example: '1' });
    expect(hasTime).toBe(true);
  });

  it('finds the field with the event time, unless there is a _time', () => {
    expect(previewOf('{"@timestamp":"2026-01-02T03:04:05Z"}').timeField).toBe('@timestamp');
    expect(previewOf('EventTime,n\n2026-01-02 03:04:05,1\n').timeField).toBe('EventTime');
    expect(previewOf('{"_time":1767323045,"@timestamp":"2026-01-02T03:04:05Z"}').timeField).toBeUndefined();
  });

  it('reports byte and line of an error, and continues after it', () => {
    const { events, mistakes } = previewOf('{"ä":1}\n{"b":}\n7\n{"c":3}');
    expect(events).toBe(2);
    expect(mistakes).toMatchObject([
      { at: 14, line: 2, text: 'expected a value, found "}"' },
      { at: 16, line: 3, text: 'not a JSON object' },
    ]);
    expect(previewOf('[{"a":1},\n{"b":]').mistakes).toMatchObject([{ at: 15, line: 2 }]);
    expect(previewOf('[1]').mistakes).toMatchObject([{ text: 'element 1 is not an object' }]);
  });

  it('of CSV has its columns, and rows that are too long', () => {
    const { format, events, fields, mistakes } = previewOf('name,n,ok\n"a, ""b""",1,true\nx,1.5,\ntoo,1,true,many\n');
    expect({ format, events }).toEqual({ format: 'csv', events: 2 });
    expect(fields).toEqual([
      { name: 'name', types: ['string'], example: String.raw`"a, \"b\""` },
      { name: 'n', types: ['integer', 'float'], example: '1' },
      { name: 'ok', types: ['boolean'], example: 'true' },
    ]);
    expect(mistakes).toEqual([{ at: 35, line: 4, text: '4 values for 3 columns' }]);
  });

  it('of an empty text is empty', () => expect(previewOf(' ')).toMatchObject({ events: 0, mistakes: [] }));
});
