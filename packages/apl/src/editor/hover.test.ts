import { describe, expect, test } from 'vitest';
import { aggregates } from '../aggregates/index.js';
import { functions } from '../functions/index.js';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import { operators, sources, statements } from '../syntax/lexing/keywords.js';
import { atCursor, sampleCatalog } from '../testing/editor.js';
import { hover } from './hover.js';

/** The text under the cursor, and the first line of code shown for it. */
function at(marked: string): string {
  const { text, offset } = atCursor(marked);
  const found = hover(text, offset, sampleCatalog);
  return found === undefined
    ? 'nothing'
    : `${text.slice(found.range.start, found.range.end)} → ${found.markdown.split('\n')[1]!}`;
}

describe('what a word means where it stands', () => {
  test.each([
    ['‸logs | take 1', 'logs → logs'],
    ["['web‸-logs'] | take 1", "['web-logs'] → ['web-logs']"],
    ["‸['web-logs'] | take 1", "['web-logs'] → ['web-logs']"],
    ['logs | wh‸ere id == 1', 'where → where Predicate'],
    ['logs | pro‸ject-away id', 'project-away → project-away Pattern, …'],
    ['logs | project‸-away id', 'project-away → project-away Pattern, …'],
    ['logs | project-a‸way id', 'project-away → project-away Pattern, …'],
    ['logs | where ‸id == 1', 'id → id: integer'],
    ['logs | where level‸ == 1', 'nothing'],
    ['logs | where leve‸l == 1', 'level → level: integer|string'],
    ["logs | where ['geo.ci‸ty'] == 1", "['geo.city'] → ['geo.city']: string"],
    ['logs | where geo.ci‸ty == 1', "geo.city → ['geo.city']: string"],
    ['logs | where tags.a.‸b == 1', 'tags.a.b → tags: array'],
    ['logs | where trace_‸state == 1', 'trace_state → trace_state: string'],
    ['logs | extend n = strlen(method) | where ‸n > 1', 'n → n: integer'],
    ['logs | project id | where ‸method == "a"', 'nothing'],
    ['logs | where str‸len(method) > 1', 'strlen → strlen(text: string)'],
    ['logs | summarize co‸unt()', 'count → count()'],
    ['logs | summarize coun‸tif(id > 1)', 'countif → countif(predicate: bool)'],
    ['logs | where method ‸contains "a"', 'contains → text contains "…"'],
    ['logs | where method matches re‸gex "a"', 'matches regex → text matches regex @"…"'],
    ['logs | where method ‸!has_cs "a"', '!has_cs → text !has_cs "…"'],
    ['logs | where id ‸== 1', '== → a == b'],
    ['logs | where id ‸- 1 > 2', '- → a - b'],
    ['logs | summarize count() ‸by id', 'by → summarize [Name =] Agg, … [by [Name =] Expr, …]'],
    ['logs | sort by id ‸desc', 'desc → sort by Expr [asc|desc] [nulls first|last], …'],
    ['‸let x = 1; logs', 'let → let Name = Value;'],
    ['‸print 1', 'print → print [Name =] Expr, …'],
    ['let lim‸it = 5; logs | take limit', 'nothing'],
    ['let most = 5; logs | take mo‸st', 'most → let most: integer'],
    ['let T = logs | take 1; ‸T | count', 'T → let T: table'],
    ['let f = (n: long) { n + 1 }; logs | extend x = ‸f(1)', 'f → f(n: long)'],
    ['let f = (n: string) { logs | where method == ‸n }; f("a")', 'n → let n: string'],
    ['logs | join (‸logins) on id', 'logins → logins'],
    ['logs | join (logins | project user, id) on $left.id == $right.us‸er', '$right.user → user: string'],
    ['logs | where a == "na‸me"', 'nothing'],
    ['logs | take 1‸0', 'nothing'],
    ['logs // com‸ment', 'nothing'],
    ['‸', 'nothing'],
  ])('%s', (marked, expected) => expect(at(marked)).toBe(expected));
});

describe('everything the language has is explained', () => {
  const firstLine = (text: string, offset: number): string | undefined =>
    hover(text, offset, sampleCatalog)?.markdown.split('\n')[1];
  test.each(operators.map((keyword) => [keyword.name, keyword] as const))('%s', (name, { syntax, doc }) => {
    const found = hover(`logs | ${name} `, 'logs | '.length, sampleCatalog);
    expect(found?.markdown).toContain(syntax);
    expect(found?.markdown).toContain(doc);
  });
  test('sources and statements', () => {
    for (const { name, syntax } of [...statements, ...sources]) expect(firstLine(`${name} `, 0)).toBe(syntax);
  });
  test('functions, their aliases and examples', () => {
    for (const { name, aliases = [], summary, examples } of functions) {
      for (const called of [name, ...aliases]) {
        const markdown = hover(`print ${called}(1)`, 'print '.length, sampleCatalog)?.markdown;
        expect(markdown).toContain(summary);
        expect(markdown).toContain(examples[0]?.apl);
      }
    }
  });
  test('aggregates and their twins', () => {
    for (const { name, summary, twin } of aggregates) {
      expect(hover(`logs | summarize ${name}(id)`, 17, sampleCatalog)?.markdown).toContain(summary);
      if (twin !== undefined)
        expect(hover(`logs | summarize ${twin.name}(id)`, 17, sampleCatalog)?.markdown).toContain(twin.summary);
    }
  });
  test('operators between values', () => {
    for (const { name, syntax } of [...infixOperators.values(), ...signOperators])
      expect(firstLine(`logs | where id ${name} 1`, 16)).toBe(syntax);
  });
});
