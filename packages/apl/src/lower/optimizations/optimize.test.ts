import { printQuery } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';

const catalog = catalogWithoutTable('logs', { status: 'long', trace: 'string', tags: 'dynamic' });
const answer = (text: string): string => printQuery(compileOrThrow(text, { catalog }).query);

const byOneThread = /\bmax_threads_for_indexes = 1\b/;

describe('granules are chosen by one thread', () => {
  const check = (text: string, one: boolean): void =>
    it(`${text}: ${one ? 'yes' : 'no'}`, () => expect(byOneThread.test(answer(text))).toBe(one));
  check('logs | take 10', true);
  check('logs | where status >= 500 | take 10', true);
  check('logs | where _time > datetime(2026-11-01) | summarize count() by trace', true);
  check('logs | summarize dcount(trace)', true);
  // Computed from the metadata of parts, without reading rows.
  check('logs | count', false);
  // The index of an identifier field may choose the granules.
  check("logs | where trace == 'a'", false);
  check("logs | where status >= 500 and tolower(trace) == 'a' | count", false);
  check("logs | take 10 | where trace == 'a'", false);
  check("union logs, (logs | where trace == 'a') | take 10", false);
  check("logs | where status in ((logs | where trace == 'a' | project status))", false);
});

it('the same holds for counts', () => {
  const countsOf = (text: string): readonly boolean[] => {
    const { counts } = compileOrThrow(text, { catalog });
    if (counts?.matched.kind !== 'query') throw new Error('nothing counted');
    return [...counts.examined, counts.matched.query].map((query) => byOneThread.test(printQuery(query)));
  };
  expect(countsOf('logs | where status >= 500 | take 10')).toEqual([true, true]);
  expect(countsOf("logs | where trace == 'a' | take 10")).toEqual([true, false]);
});

describe('evaluates constant expressions once, not per row', () => {
  const check = (expression: string, fast: string, slow: string): void =>
    it(`${expression}: ${fast}`, () => {
      const sql = answer(`logs | project x = ${expression}`);
      expect(sql).toContain(`${fast}(`);
      expect(sql).not.toContain(`${slow}(`);
    });
  check('status / 100', 'intDiv', 'intDivOrNull');
  check('status / status', 'intDivOrNull', 'intDiv');
  check('status / -1', 'intDivOrNull', 'intDiv');
  check('status % 10', 'modulo', 'moduloOrNull');
  check('status % -1', 'moduloOrNull', 'modulo');
  check('bin(status, 100)', 'positiveModulo', 'positiveModuloOrNull');
  check('bin(status, status)', 'positiveModuloOrNull', 'positiveModulo');
});

describe('leaves faster operations to the engine', () => {
  const check = (query: string, sql: string): void =>
    it(`${query}: ${sql}`, () => expect(answer(query)).toContain(sql));
  check("logs | project x = extract('a(b)', 1, trace)", "extract(`trace#x`, 'a(b)')");
  check("logs | project x = extract('a(b)(c)', 0, trace)", "extract(`trace#x`, '(a(b)(c))')");
  check("logs | project x = extract('a(b)(c)', 2, trace)", "regexpExtract(`trace#x`, 'a(b)(c)', 2)");
  check("logs | project x = format_datetime(_time, 'yyyy-MM-ddTHH:mm:ssZ %')", "'%Y-%m-%dT%H:%i:%SZ %%'");
  check("logs | project x = format_datetime(_time, 'ss.fff')", 'leftPad');
  check("logs | project x = trace has 'Error'", "or(hasTokenCaseInsensitive(`trace#x`, 'Error'), match(");
  check("logs | project x = trace has_any_cs ('b', 'c')", "or(hasToken(`trace#x`, 'b'), match(");
  check("logs | project x = trace has 'a-b'", "positionCaseInsensitive(`trace#x`, 'a-b'), 0), or(match(");
  check("logs | project x = trace hasprefix 'a'", "positionCaseInsensitive(`trace#x`, 'a'), 0), or(match(");
});

describe('lists are written as JSON after they are collected', () => {
  const check = (aggregate: string, sql: string): void =>
    it(`${aggregate}: ${sql}`, () => expect(answer(`logs | summarize ${aggregate}`)).toContain(sql));
  check('make_list(trace, 5)', 'groupArray(5)(`trace#x`)');
  check('make_set(status)', 'groupUniqArray(128)(`status#x`)');
});

describe('addresses without a slash are read as they are', () => {
  const check = (expression: string, sql: string): void =>
    it(`${expression}: ${sql}`, () => expect(answer(`logs | project x = ${expression}`)).toContain(sql));
  const whole = 'isNotNull(toInt64(IPv4StringToNumOrNull(`trace#x`))), toInt64(IPv4StringToNumOrNull(`trace#x`)), if(';
  check('ipv4_is_private(trace)', whole);
  check('parse_ipv4(trace)', whole);
  check("ipv4_is_match(trace, '10.0.0.0/8')", whole);
});

it('reads a known network while compiling', () => {
  expect(answer("logs | project x = ipv4_is_match(trace, '10.0.0.0/8')")).toContain('toInt64(167772160)');
  expect(answer("logs | project x = ipv4_is_match(trace, '10.0.0.0/8')")).not.toContain("'10.0.0.0/8'");
  expect(answer("logs | project x = ipv4_is_match(trace, '10.0.0.0/33')")).toContain("'10.0.0.0/33'");
});
