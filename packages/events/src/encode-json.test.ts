import { describe, expect, test } from 'vitest';
import { LabelsError } from './encode.js';
import type { ColumnPlacement } from './placement.js';
import { encode, nowhere, rows, rowsOf } from './testing/encode.js';
import { readBlock } from './testing/read-block.js';

/** One event, given as the text of its members, becomes this row. */
function check(members: string, row: Record<string, unknown>): void {
  test(`${members.slice(0, 90)}`, () => {
    expect(rows(`{${members}}`)).toEqual([row]);
  });
}

describe('scalars', () => {
  check('"a":1', { 'a#i': 1n });
  check('"a":0', { 'a#i': 0n });
  check('"a":-0', { 'a#i': 0n });
  check('"a":-1', { 'a#i': -1n });
  check('"a":-2147483648', { 'a#i': -2147483648n });
  check('"a":999999999', { 'a#i': 999999999n });
  check('"a":1234567890', { 'a#i': 1234567890n });
  check('"a":-1234567890', { 'a#i': -1234567890n });
  check('"a":-999999999999999', { 'a#i': -999999999999999n });
  check('"a":9007199254740993', { 'a#i': 9007199254740993n });
  check('"a":9223372036854775807', { 'a#i': 9223372036854775807n });
  check('"a":-9223372036854775808', { 'a#i': -9223372036854775808n });
  check('"a":9223372036854775808', { 'a#s': '9223372036854775808' });
  check('"a":-9223372036854775809', { 'a#f': Number('-9223372036854775809') });
  check('"a":123456789012345678901234567890', { 'a#f': Number('123456789012345678901234567890') });
  check(`"a":${'9'.repeat(400)}`, {});
  check('"a":1.0', { 'a#f': 1 });
  check('"a":1e3', { 'a#f': 1000 });
  check('"a":1E+3', { 'a#f': 1000 });
  check('"a":-0.0', { 'a#f': -0 });
  check('"a":0.1', { 'a#f': 0.1 });
  check('"a":123.456e-10', { 'a#f': 123.456e-10 });
  check('"a":5e-324', { 'a#f': 5e-324 });
  check('"a":1.7976931348623157e308', { 'a#f': Number.MAX_VALUE });
  check('"a":2.2250738585072011e-308', { 'a#f': Number('2.2250738585072011e-308') });
  check('"a":1e400', {});
  check('"a":-1e400', {});
  check('"a":1e-400', { 'a#f': 0 });
  check('"a":1e99999999999999999999', {});
  check('"a":true,"b":false', { 'a#b': true, 'b#b': false });
  check('"a":null', {});
  check('"a":"x"', { 'a#s': 'x' });
  check('"a":""', { 'a#s': '' });
  check('"a":"12"', { 'a#s': '12' });
  check('"a":"2024-01-01T00:00:00Z"', { 'a#s': '2024-01-01T00:00:00Z' });
});

describe('strings', () => {
  check(String.raw`"a":"\"\\\/\b\f\n\r\t"`, { 'a#s': '"\\/\b\f\n\r\t' });
  check(String.raw`"a":"\u0041\u00e9\u20ac\ud83d\ude00"`, { 'a#s': 'Aé€😀' });
  check(String.raw`"a":"x\u0000y"`, { 'a#s': 'x\0y' });
  check(String.raw`"a":"\uD83D"`, { 'a#s': '\ufffd' });
  check(String.raw`"a":"\ude00x"`, { 'a#s': '\ufffdx' });
  check(String.raw`"a":"\ud83d\ud83d\ude00"`, { 'a#s': '\ufffd😀' });
  check(String.raw`"a":"\ud83dA"`, { 'a#s': '\ufffdA' });
  check('"a":"é€😀\u007f"', { 'a#s': 'é€😀\u007f' });
  check(`"a":"${'é'.repeat(500)}"`, { 'a#s': 'é'.repeat(500) });
  check(`"a":"${'x'.repeat(127)}"`, { 'a#s': 'x'.repeat(127) });
  check(`"a":"${'x'.repeat(128)}","b":"${'y'.repeat(20_000)}"`, { 'a#s': 'x'.repeat(128), 'b#s': 'y'.repeat(20_000) });

  for (const [bytes, text] of [
    [[0xff], '\ufffd'],
    [[0xc0, 0xaf], '\ufffd\ufffd'],
    [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    [[0xe2, 0x82], '\ufffd'],
    [[0xf0, 0x9f, 0x98], '\ufffd'],
    [[0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
    [[0x80, 0x41], '\ufffdA'],
  ] as const) {
    test(`bytes ${Buffer.from(bytes).toString('hex')} are kept as U+FFFD`, () => {
      const body = Buffer.concat([Buffer.from('{"a":"<'), Buffer.from(bytes), Buffer.from('>"}')]);
      expect(rows(body)).toEqual([{ 'a#s': `<${text}>` }]);
      expect(new TextDecoder().decode(Buffer.from(bytes))).toBe(text);
    });
  }
});

describe('objects and arrays', () => {
  check('"a":{"b":1,"c":{"d":"x"}}', { 'a.b#i': 1n, 'a.c.d#s': 'x' });
  check('"a":{}', { 'a#j': '{}' });
  check('"a":{ }', { 'a#j': '{}' });
  check('"a":{"b":{}}', { 'a.b#j': '{}' });
  check('"a":{"b":null}', {});
  check('"a":[]', { 'a#j': '[]' });
  check('"a":[1, "x", {"b":[true,null]}, 12345678901234567890]', {
    'a#j': '[1,"x",{"b":[true,null]},12345678901234567890e0]',
  });
  check('"a":[9223372036854775807, -9223372036854775809, -9223372036854775808, 1e19]', {
    'a#j': '[9223372036854775807,-9223372036854775809e0,-9223372036854775808,10000000000000000000e0]',
  });
  check(String.raw`"a":["\ud800", 1e400, "\u0041"]`, { 'a#j': '["\ufffd",null,"A"]' });
  check('', {});
});

describe('non-finite numbers as Python writes them are no values', () => {
  check('"a":NaN,"b":1', { 'b#i': 1n });
  check('"a":Infinity,"b": -Infinity ,"c":{"d":NaN}', {});
  check('"a":1,"a":NaN', {});
  check('"a":[NaN,-Infinity,[Infinity],{"b":NaN}],"c":[1]', { 'a#j': '[null,null,[null],{"b":null}]', 'c#j': '[1]' });
});

describe('names', () => {
  check('"":1', { '#i': 1n });
  check('"a":{"":1}', { 'a.#i': 1n });
  check('"":{"":1}', { '.#i': 1n });
  check(String.raw`"\u0061":1`, { 'a#i': 1n });
  check(String.raw`"a\u0000\"\n":1`, { 'a\0"\n#i': 1n });
  check('"a b#i":1', { 'a b#i#i': 1n });
  check('"é😀":1', { 'é😀#i': 1n });
  check('"__proto__":1,"constructor":2', { ['__proto__#i']: 1n, 'constructor#i': 2n });
  check('"_seq":1,"_row":2,"_overflow":"x"', { '_seq#i': 1n, '_row#i': 2n, '_overflow#s': 'x' });
  check('"_sysTime":1,"_source":{"x":2},"_rowId.y":3,"_rowID":4', {
    '_user_sysTime#i': 1n,
    '_user_source.x#i': 2n,
    '_user_rowId.y#i': 3n,
    '_user_rowID#i': 4n,
  });
  check('"_sysTimes":1,"a":{"_sysTime":2}', { '_sysTimes#i': 1n, 'a._sysTime#i': 2n });
});

describe('the last value of a name wins', () => {
  check('"a":1,"a":2', { 'a#i': 2n });
  check('"a":1,"a":"x"', { 'a#s': 'x' });
  check('"a":"x","a":"y","a":1', { 'a#i': 1n });
  check('"a":1,"a":null', {});
  check('"a":null,"a":1', { 'a#i': 1n });
  check('"a":1,"a":1e999', {});
  check('"a.b":1,"a":{"b":2}', { 'a.b#i': 2n });
  check('"a":{"b":2},"a.b":"x"', { 'a.b#s': 'x' });
  check('"a":{"b":1},"a":{"c":2}', { 'a.b#i': 1n, 'a.c#i': 2n });
  check('"a":{"b":1},"a":2', { 'a.b#i': 1n, 'a#i': 2n });
  check('"_sysTime":1,"_user_sysTime":2', { '_user_sysTime#i': 2n });
});

describe('one field keeps the types it came with', () => {
  test('per row', () => {
    const body = '{"a":1}\n{"a":"1"}\n{"a":1.5}\n{"a":true}\n{"a":[1]}\n{"a":{"b":1}}\n{}';
    expect(rows(body)).toEqual([
      { 'a#i': 1n },
      { 'a#s': '1' },
      { 'a#f': 1.5 },
      { 'a#b': true },
      { 'a#j': '[1]' },
      { 'a.b#i': 1n },
      {},
    ]);
  });
  test('uses count them', () => {
    const { uses, placed } = encode('{"a":1}{"a":"1"}{"a":2,"b":null}');
    expect(uses.map(({ field, type, count }) => [field, type, count])).toEqual([
      ['a', 'integer', 2],
      ['a', 'string', 1],
    ]);
    expect(placed).toEqual([true, true]);
  });
});

describe('limits', () => {
  test('a name over the limit is dropped and reported, the event is kept', () => {
    const name = 'é'.repeat(101);
    const { dropped, block } = encode(`{"${name}":1,"${'x'.repeat(200)}":2,"a":{"${'y'.repeat(199)}":{"z":3}}}`);
    expect(readBlock(block).map((row) => Object.keys(row).length)).toEqual([2]);
    expect(dropped).toEqual([
      { field: 'é'.repeat(100), reason: { kind: 'name-too-long', limit: 200 }, count: 1 },
      { field: `a.${'y'.repeat(198)}`, reason: { kind: 'name-too-long', limit: 200 }, count: 1 },
    ]);
  });
  test('names of any length are only dropped', () => {
    const event = `{"${'x'.repeat(100_000)}":1,"b":{"${'y'.repeat(5000)}":[{}]},"c":2}`;
    const { ingested, dropped, uses } = encode(event.repeat(3));
    expect(ingested).toBe(3);
    expect(uses.map(({ field, count }) => [field, count])).toEqual([['c', 3]]);
    expect(dropped.map(({ field, count }) => [field.slice(0, 4), count])).toEqual([
      ['xxxx', 3],
      ['b.yy', 3],
    ]);
  });
  test('values deeper than the limit are null', () => {
    const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    expect(rows(deep(100))).toEqual([{ [`${'a.'.repeat(99)}a#i`]: 1n }]);
    expect(rows(deep(101))).toEqual([{}]);
    expect(rows('{"a":[1,[2,[3]]],"b":{"c":[[4]]}}', { limits: { maxJsonDepth: 3 } })).toEqual([
      { 'a#j': '[1,[2,null]]', 'b.c#j': '[null]' },
    ]);
    expect(rows('{"a":{"b":[1],"c":{"d":1},"e":5}}', { limits: { maxJsonDepth: 2 } })).toEqual([{ 'a.e#i': 5n }]);
  });
  test('nesting far beyond the limit is read', () => {
    const depth = 200_000;
    expect(rows(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":1}`)).toEqual([
      { 'a#j': `${'['.repeat(99)}null${']'.repeat(99)}`, 'b#i': 1n },
    ]);
  });
});

describe('more fields than a body may bring', () => {
  const limits = { maxRequestFields: 3 };
  const of = (body: string, more = {}) => rows(body, { limits, ...more });
  test('become one object in each event that has them', () => {
    expect(of('{"a":1,"b":2,"c":3}\n{"a":4,"d":"x","e":{"f":[1,{}]},"g":1.50}\n{"b":5}')).toEqual([
      { 'a#i': 1n, 'b#i': 2n, 'c#i': 3n },
      { 'a#i': 4n, '_other#m': '{"d":"x","e":{"f":[1,{}]},"g":1.5}' },
      { 'b#i': 5n },
    ]);
  });
  test('are repaired like other values that are kept whole, and nulls are none', () => {
    expect(of('{"a":1,"b":2,"c":3,"d":null,"e":"\\ud800","f":18446744073709551616}')).toEqual([
      { 'a#i': 1n, 'b#i': 2n, 'c#i': 3n, '_other#m': '{"e":"\ufffd","f":18446744073709551616e0}' },
    ]);
  });
  test('also applies to labels and object members', () => {
    const labels = Buffer.from('{"a":1,"x":{"y":2}}');
    expect(of('{"x":{"y":3,"z":4,"\\"":5},"c":6}\n{"x":7}\n{"x":{}}', { labels })).toEqual([
      { 'a#i': 1n, 'x.y#i': 3n, 'x.z#i': 4n, '_other#m': '{"x.\\"":5,"c":6}' },
      { 'a#i': 1n, 'x.y#i': 2n, '_other#m': '{"x":7}' },
      { 'a#i': 1n, 'x.y#i': 2n, '_other#m': '{"x":{}}' },
    ]);
  });
  test('an event that fails leaves none behind', () => {
    const result = encode('{"a":1,"b":2,"c":3}\n{"d":1,"e":}\n{"a":2,"f":true}', { limits });
    expect([result.failed, result.withOthers, rowsOf(result)[1]]).toEqual([
      1,
      1,
      { 'a#i': 2n, '_other#m': '{"f":true}' },
    ]);
  });
  test('or more than the dataset takes', () => {
    const placement: ColumnPlacement = {
      place: ({ uses }) => (uses.some(({ field }) => field === 'b') ? { kept: ['a', '_other'] } : uses.map(() => true)),
    };
    expect(rows('{"a":1,"b":2}\n{"b":{"c":1}}', { placement })).toEqual([
      { 'a#i': 1n, '_other#m': '{"b":2}' },
      { '_other#m': '{"b":{"c":1}}' },
    ]);
    // The next body is not affected.
    expect(rows('{"a":1,"b":2}')).toEqual([{ 'a#i': 1n, 'b#i': 2n }]);
  });
  test('a schema limits the number of fields', () => {
    const schema = { fields: new Map([['e', ['integer' as const]]]) };
    expect(of('{"a":1,"b":2,"c":3,"d":4,"e":5}', { schema })).toEqual([{ 'e#i': 5n }]);
  });
});

describe('map fields', () => {
  const mapFields = new Set(['geo', 'a.m', '_user_source']);
  test('are stored whole', () => {
    expect(rows('{"geo":{"city":"x","p":{"q":1}},"a":{"m":{"x.y":1},"n":2}}', { mapFields })).toEqual([
      { 'geo#m': '{"city":"x","p":{"q":1}}', 'a.m#m': '{"x.y":1}', 'a.n#i': 2n },
    ]);
  });
  test('also when named with a literal dot, empty, renamed', () => {
    expect(rows('{"a.m":{"x":1},"geo":{},"_source":{"b":1}}', { mapFields })).toEqual([
      { 'a.m#m': '{"x":1}', 'geo#m': '{}', '_user_source#m': '{"b":1}' },
    ]);
  });
  test('keep other values as they are', () => {
    expect(rows('{"geo":"x"}{"geo":null}{"geo":[1]}{"geo.city":1}', { mapFields })).toEqual([
      { 'geo#s': 'x' },
      {},
      { 'geo#j': '[1]' },
      { 'geo.city#i': 1n },
    ]);
  });
});

describe('labels', () => {
  const labels = Buffer.from(' {"region":"eu","n":{"x":1},"_time":"2020-01-01T00:00:00Z"} ');
  test('are merged into every event; event keys take precedence', () => {
    const result = encode('{"a":1}{"region":"us"}{"region":null}{"n":{"y":2}}', { labels });
    expect(rowsOf(result)).toEqual([
      { 'region#s': 'eu', 'n.x#i': 1n, 'a#i': 1n },
      { 'region#s': 'us', 'n.x#i': 1n },
      { 'n.x#i': 1n },
      { 'region#s': 'eu', 'n.x#i': 1n, 'n.y#i': 2n },
    ]);
    expect(result.times).toEqual({ min: 1577836800000000000n, max: 1577836800000000000n });
  });
  test('do not survive a failed event', () => {
    expect(rowsOf(encode('{"a":1}\n{"a":}\n{"b":2}', { labels: Buffer.from('{"l":"x"}') }))).toEqual([
      { 'l#s': 'x', 'a#i': 1n },
      { 'l#s': 'x', 'b#i': 2n },
    ]);
  });
  for (const [text, message] of [
    ['', 'event labels, byte 0: expected an object, found the end'],
    ['[1]', "event labels, byte 0: expected an object, found '['"],
    ['{"a":}', "event labels, byte 5: expected a value, found '}'"],
    [' {} x', "event labels, byte 4: expected the end, found 'x'"],
  ] as const) {
    test(`refused: ${text}`, () => {
      expect(() => encode('', { labels: Buffer.from(text) })).toThrow(new LabelsError(message));
    });
  }
});

describe('a locked schema', () => {
  const schema = {
    fields: new Map([
      ['i', ['integer']],
      ['f', ['float']],
      ['s', ['string']],
      ['o.b', ['boolean']],
      ['j', ['array']],
      ['m', ['map']],
    ] as const),
  };
  const mapFields = new Set(['m']);
  test('keeps declared fields and promotes integers', () => {
    const body = '{"i":1,"f":2,"s":"x","o":{"b":true},"j":[1],"m":{"x":1},"_time":1700000000}';
    expect(encode(body, { schema, mapFields }).dropped).toEqual([]);
    expect(rows(body, { schema, mapFields })).toEqual([
      { 'i#i': 1n, 'f#f': 2, 's#s': 'x', 'o.b#b': true, 'j#j': '[1]', 'm#m': '{"x":1}' },
    ]);
  });
  test('drops the rest and says so', () => {
    const body = '{"i":1.5,"x":1,"s":"y"}{"i":"z","x":{"y":1},"s":null}{"s":[1],"j":{},"m":5,"x":2}';
    const { dropped } = encode(body, { schema, mapFields });
    const type = (allowed: string, saw: string) => ({ kind: 'type', allowed: [allowed], saw });
    expect(dropped).toEqual([
      { field: 'i', reason: type('integer', 'float'), count: 1 },
      { field: 'x', reason: { kind: 'undeclared' }, count: 2 },
      { field: 'i', reason: type('integer', 'string'), count: 1 },
      { field: 'x.y', reason: { kind: 'undeclared' }, count: 1 },
      { field: 's', reason: type('string', 'array'), count: 1 },
      { field: 'm', reason: type('map', 'integer'), count: 1 },
    ]);
    expect(rows(body, { schema, mapFields })).toEqual([{ 's#s': 'y' }, {}, { 'j#j': '{}' }]);
  });
  test('does not count the omitted fields of a failed event', () => {
    expect(encode('{"x":1,"s":}\n{"s":"a"}', { schema }).dropped).toEqual([]);
  });
  test('lists a bounded number of fields', () => {
    const body = Array.from({ length: 50 }, (_, n) => `{"x${n}":1}`).join('\n');
    const { dropped, droppedElsewhere } = encode(body, { schema, limits: { maxDrops: 10 } });
    expect([dropped.length, droppedElsewhere]).toEqual([10, 40]);
  });
});

describe('the overflow column', () => {
  test('holds the values as text under their physical names', () => {
    const body = String.raw`{"i":-9223372036854775808,"f":2.0,"g":-0.0,"h":1e21,"s":"a\"\u0001\n\\é","b":true,"j":[1, 2],"o":{}}{}{"i":"x"}`;
    expect(rows(body, { placement: nowhere })).toEqual([
      {
        _overflow: {
          'i#i': '-9223372036854775808',
          'f#f': '2.0',
          'g#f': '-0.0',
          'h#f': '1e+21',
          's#s': 'a"\u0001\n\\é',
          'b#b': 'true',
          'j#j': '[1,2]',
          'o#j': '{}',
        },
      },
      {},
      { _overflow: { 'i#s': 'x' } },
    ]);
  });
  test('holds every digit of an integer, and names and texts of any letters', () => {
    const integers = [0, -1, 2147483647, 2147483648, -2147483648, -2147483649, 4294967296, '9007199254740993'].map(
      String,
    );
    const body = integers.map((text) => `{"größe":${text},"ж":"${text} ж"}`).join('');
    expect(rows(body, { placement: nowhere })).toEqual(
      integers.map((text) => ({ _overflow: { 'größe#i': text, 'ж#s': `${text} ж` } })),
    );
  });
  test('receives the fields without a column', () => {
    const placement = {
      place: ({ uses }: { uses: readonly { field: string }[] }) => uses.map(({ field }) => field === 'a'),
    };
    const result = encode('{"a":1,"b":2}{"b":3}{"a":4}', { placement });
    expect(rowsOf(result)).toEqual([
      { 'a#i': 1n, _overflow: { 'b#i': '2' } },
      { _overflow: { 'b#i': '3' } },
      { 'a#i': 4n },
    ]);
    expect(result.uses.map(({ field }) => field)).toEqual(['a', 'b']);
    expect(result.placed).toEqual([true, false]);
  });
});
