import { sameTree } from '@millrace/apl/positions';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DiagnosticSink } from '../model/diagnostics.js';
import { lex } from '../syntax/lexer.js';
import { parse } from '../syntax/parse.js';
import { format } from './format.js';

const lines = (...of: readonly string[]): string => `${of.join('\n')}\n`;
const long = 'a_rather_long_name_of_a_tag';

const golden: readonly (readonly [string, string])[] = [
  ['', ''],
  ['m:cpu', lines('m:cpu')],
  ['m : cpu|where host=="a"', lines('m:cpu', '| where host == "a"')],
  ['`my-m`:`http.requests`[ 1h .. ]', lines('`my-m`:`http.requests`[1h..]')],
  ['m:cpu[-1h .. +5m] as load', lines('m:cpu[-1h..+5m] as load')],
  ['m:cpu|offset - 1w|sample .5'.replace('.5', '0.5'), lines('m:cpu', '| offset -1w', '| sample 0.5')],
  [
    'm:cpu|where not(a==1 or b!=-2)and c in["x",5]and d is string',
    lines('m:cpu', '| where not (a == 1 or b != -2) and c in ["x", 5] and d is string'),
  ],
  ['m:cpu|where a==#/x|y/', lines('m:cpu', '| where a == #/x|y/')],
  [
    'm:cpu|align to 5m using prom :: rate|group by a , `b.c` using sum',
    lines('m:cpu', '| align to 5m using prom::rate', '| group by a, `b.c` using sum'),
  ],
  [
    'm:d|bucket by a to 1m using interpolate_cumulative_histogram( rate,0.5 , 0.99 )',
    lines('m:d', '| bucket by a to 1m using interpolate_cumulative_histogram(rate, 0.5, 0.99)'),
  ],
  ['m:cpu|map*100|map +-1|map min( 5 )', lines('m:cpu', '| map * 100', '| map + -1', '| map min(5)')],
  ['m:cpu|extend env="p",url="http://${host}"', lines('m:cpu', '| extend env = "p", url = "http://${host}"')],
  [
    'set custom_unit="1";param $h:string;param $o:Option<int>;m:cpu|where host==$h',
    lines('set custom_unit = "1";', 'param $h: string;', 'param $o: Option<int>;', 'm:cpu', '| where host == $h'),
  ],
  ['param $d:Dataset;\n\n\n$d : cpu', lines('param $d: Dataset;', '', '$d:cpu')],
  [
    'param $o:Option<int>;m:cpu|ifdef($o){where a==$o}else{where b==1}',
    lines('param $o: Option<int>;', 'm:cpu', '| ifdef($o) { where a == $o } else { where b == 1 }'),
  ],
  [
    '(m:a|align to 1m using sum|group by x,y using sum,m:b|align to 1m using sum,)|compute r using /|map*100',
    lines(
      '(',
      '  m:a',
      '  | align to 1m using sum',
      '  | group by x, y using sum,',
      '  m:b',
      '  | align to 1m using sum,',
      ')',
      '| compute r using /',
      '| map * 100',
    ),
  ],
  [
    '((m:a,m:b)|compute s using +,m:c)|compute r using max',
    lines('(', '  (', '    m:a,', '    m:b', '  )', '  | compute s using +,', '  m:c', ')', '| compute r using max'),
  ],
  [
    '// first\nm:cpu // the metric\n\n// filters\n|where // midway\na==1',
    lines('// first', 'm:cpu // the metric', '', '// filters', '| where // midway', '    a == 1'),
  ],
  [
    `m:cpu|where ${long}=="1" and ${long}2=="2" or ${long}3=="3"|group by ${long},${long}2,${long}3,${long}4 using sum`,
    lines(
      'm:cpu',
      `| where ${long} == "1"`,
      `    and ${long}2 == "2"`,
      `    or ${long}3 == "3"`,
      `| group by ${long},`,
      `    ${long}2,`,
      `    ${long}3,`,
      `    ${long}4 using sum`,
    ),
  ],
];

test.each(golden)('%s', (text, expected) => {
  expect(format(text).text).toBe(expected);
  expect(format(expected).text).toBe(expected);
});

describe('a text with mistakes', () => {
  test.each(['m:cpu | wher a == 1', 'm:cpu | where a == "x', 'm', '|'])('%s is unchanged', (text) => {
    const formatted = format(text);
    expect(formatted.text).toBe(text);
    expect(formatted.diagnostics).not.toEqual([]);
  });
});

test('blanks and comments anywhere change neither the meaning nor the canonical form of the rest', () => {
  const blank = fc.constantFrom(' ', '  ', '\n', '\n\n', '\t', ' // note | ( \n', '\n// note\n');
  const spread = fc.constantFrom(...golden.map(([text]) => text)).chain((text) => {
    const tokens = lex(text, new DiagnosticSink()).filter(({ kind }) => kind !== 'comment' && kind !== 'end');
    return fc
      .array(blank, { minLength: tokens.length, maxLength: tokens.length })
      .map((blanks) => ({ text, spread: tokens.map((token, i) => blanks[i]! + token.text).join('') }));
  });
  fc.assert(
    fc.property(spread, ({ text, spread }) => {
      const formatted = format(spread).text;
      expect(sameTree(parse(formatted).file, parse(text).file)).toBe(true);
      expect(format(formatted).text).toBe(formatted);
      expect(formatted.match(/note/g)?.length ?? 0).toBe(spread.match(/note/g)?.length ?? 0);
      if (!spread.includes('//') && !text.includes('//'))
        expect(formatted.replaceAll(/\n+/g, '\n').trim()).toBe(format(text).text.replaceAll(/\n+/g, '\n').trim());
    }),
  );
});

test('arbitrary text is formatted or unchanged', () => {
  const fragment = fc.constantFrom(
    ...golden.flatMap(([text]) => text.split(/(?<=\W)|(?=\W)/)),
    '(',
    ')',
    ',',
    '|',
    '"',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 25 }), (fragments) => {
      const text = fragments.join(' ');
      const formatted = format(text).text;
      expect(sameTree(parse(formatted).file, parse(text).file)).toBe(true);
      expect(format(formatted).text).toBe(formatted);
    }),
  );
});
