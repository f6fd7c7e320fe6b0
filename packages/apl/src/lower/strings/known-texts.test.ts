import { printQuery } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';

const engine = testEngine();

const sqlOf = (apl: string): string => printQuery(compileOrThrow(apl).query);

/**
 * Functions that write or parse JSON, except plain `JSONExtract`, which reads the rows of a table
 * of constants.
 */
const json = /toJSONString|JSONLength|JSONExtract[A-Z]/;

const array = /\b(?:split|extract_all|parse_csv|parse_command_line)\([^()]*(?:\([^()]*\)[^()]*)?\)/;

const texts = ['a,b', '', ',', 'é,"q"\\,\n\u0001', '😀', 'null,1,true', '[1],{}'];
const rows = `datatable(t:string, i:long)[${texts.map((text, i) => `${JSON.stringify(text)}, ${i % 2 === 0 ? i : -i}`).join(', ')}, string(null), 0]`;

describe('texts that the engine has are read without JSON', () => {
  it.each([
    ["tostring(split(t, ',')[1])"],
    ["tostring(split(t, ',')[0])"],
    ["tostring(split(t, ',')[-1])"],
    ["tostring(split(t, ',')[-2])"],
    ["tostring(split(t, 'é,')[1])"],
    ["tostring(split(t, 'é')[-1])"],
    ["tostring(split(t, '')[-1])"],
    ["tostring(split(t, '\\n')[-1])"],
    ["tostring(split(t, ',')[i])"],
    ["toint(split(t, ',')[1])"],
    ["todouble(split(t, '')[0])"],
    ["tobool(split(t, ',')[2])"],
    ["array_length(split(t, ','))"],
    ["len(split(t, ','))"],
    ["tostring(extract_all('[^,]+', t)[0])"],
    ["tostring(extract_all('([a-z]*)', t)[0])"],
    ['tostring(parse_csv(t)[1])'],
    ["tostring(parse_command_line(t, 'windows')[0])"],
  ])('%s', (apl) => {
    const direct = `${rows} | project x = ${apl}`;
    expect(sqlOf(direct)).not.toMatch(json);
    const parsed = `${rows} | project x = ${apl.replace(array, 'iff(isnotnull(t), parse_json(tostring($&)), dynamic(null))')}`;
    expect(sqlOf(parsed)).toMatch(json);
    expect(engine.rows(compileOrThrow(direct).query)).toEqual(engine.rows(compileOrThrow(parsed).query));
  });

  it('in the columns of a pattern', () => {
    const odd = ['x,"q"\\,é\n\u0001', ',1e3,', 'none'].map((text) => JSON.stringify(text)).join(', ');
    const apl = `datatable(t:string)[${odd}, string(null)] | parse t with * ',' a ',' b | project a, b, n = toint(isnull(a))`;
    expect(sqlOf(apl)).not.toMatch(json);
    expect(engine.rows(compileOrThrow(apl).query)).toEqual([
      ['"q"\\', 'é\n\u0001', 0],
      ['1e3', '', 0],
      [null, null, 1],
      [null, null, 1],
    ]);
  });
});

it('a part is found without those after it, the last one without the others', () => {
  const sql = sqlOf(`${rows} | project split(t, ',')[1], split(t, ',')[-1]`);
  expect(sql).toMatch(/arrayElementOrNull\(splitByString\(',', .{1,60}, 2\), 2\)/);
  expect(sql).toMatch(/substringIndex\(.{1,60}, ',', -1\)/);
});

it('gives null for an index that 32 bits cannot hold', () => {
  const apl = "print x = split('a,b', ',')[4294967296], y = split('a,b', ',')[-9223372036854775807 - 1]";
  expect(engine.rows(compileOrThrow(apl).query)).toEqual([[null, null]]);
});
