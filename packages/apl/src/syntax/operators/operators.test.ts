import { describe, expect, test } from 'vitest';
import { readOperator, readQuery } from '../../testing/check-syntax.js';
import { operators } from '../lexing/keywords.js';

const cases: Readonly<Record<string, readonly (readonly [text: string, tree: string])[]>> = {
  as: [['as recent', '(as recent)']],
  count: [['count', 'count']],
  distinct: [
    ['distinct a, b.c', '(distinct a (. b c))'],
    ['distinct *', '(distinct *)'],
  ],
  evaluate: [['evaluate pivot(kind, count(), host)', '(evaluate pivot kind (count) host)']],
  extend: [
    ["extend a = 1, ['b c'] = x", `(extend a=1 'b c'=x)`],
    ['extend strlen(a)', '(extend (strlen a))'],
    ["extend (a, ['b c']) = f(c), d = 1", "(extend (a 'b c')=(f c) d=1)"],
  ],
  'extend-valid': [['extend-valid a = b', '(extend-valid a=b)']],
  facet: [
    ['facet by a, b', '(facet a b)'],
    ['facet by a with (where b | take 1)', '(facet a (with (where b) (take 1)))'],
  ],
  find: [
    ['find where a == 1', '(find (== a 1))'],
    ['find withsource=s in (a, b*) where c project d, e = f', '(find source=s in (a b*) c (project d e=f))'],
    ['find "x"', '(find "x")'],
  ],
  fork: [['fork (take 1) b = (where c | count)', '(fork ((take 1)) b=((where c) count))']],
  getschema: [['getschema', 'getschema']],
  invoke: [['invoke f(1, x)', '(invoke f 1 x)']],
  join: [
    ['join (b | where x) on id', '(join inner (b | (where x)) id)'],
    ['join kind=leftouter b on $left.x == $right.y', '(join leftouter (b) (. $left x)=(. $right y))'],
    [`join kind = innerunique ['b-c'] on a, b == c`, `(join innerunique ('b-c') a b=c)`],
    [
      'join kind=anti b on $left.a == $right.a and $left.b == $right.b',
      '(join leftanti (b) (. $left a)=(. $right a) (. $left b)=(. $right b))',
    ],
    ['join kind=fullouter (recent(1h)) on id', '(join fullouter ((recent 3600000000000ns)) id)'],
  ],
  limit: [
    ['limit', '(take)'],
    ['limit 10', '(take 10)'],
  ],
  lookup: [
    ['lookup names on code', '(lookup leftouter (names) code)'],
    ['lookup kind=inner (datatable(a: int)[1]) on a', '(lookup inner ((datatable a:long | 1)) a)'],
  ],
  'make-series': [
    [
      'make-series n = avg(x) default=0, count() on _time from ago(1d) to now() step 1h by a, h = b',
      '(make-series n=(avg x)?0 (count) on=_time from=(ago 86400000000000ns) to=(now) step=3600000000000ns by a h=b)',
    ],
    ['make-series avg(x) on _time step 1s', '(make-series (avg x) on=_time step=1000000000ns)'],
    [
      'make-series default=1.5 avg(x), sum(y) default=2 on _time step 1s',
      '(make-series (avg x)?1.5 (sum y)?2 on=_time step=1000000000ns)',
    ],
    [
      'make-series avg(x), sum(y) default=2 on _time step 1s default=0',
      '(make-series (avg x)?0 (sum y)?2 on=_time step=1000000000ns)',
    ],
    ['make-series default = count() on _time step 1s', '(make-series default=(count) on=_time step=1000000000ns)'],
  ],
  'mv-apply': [
    [
      'mv-apply e = tags to typeof(string) on (where e == "x" | summarize n = count())',
      '(mv-apply e=tags:string (where (== e "x")) (summarize n=(count)))',
    ],
    ['mv-apply bagexpansion=bag a on (count)', '(mv-apply bag a count)'],
    ['mv-apply with_itemindex=i a, b limit 3 on (top 1 by a)', '(mv-apply index=i a b limit=3 (top 1 a))'],
  ],
  'mv-expand': [
    ['mv-expand a', '(mv-expand a)'],
    [
      'mv-expand kind=bag with_itemindex=i a to typeof(long), x = b.c limit 10',
      '(mv-expand bag index=i a:long x=(. b c) limit=10)',
    ],
    ['mv-expand bagexpansion=array a', '(mv-expand a)'],
  ],
  order: [['order by a', '(sort a)']],
  parse: [
    ['parse uri with "/api/" version "/" *', '(parse simple uri "/api/" version:string "/" *)'],
    [
      `parse kind=regex flags=Ui m with @"a\\d" n:long ['x.y']:real`,
      `(parse regex flags=Ui m "a\\\\d" n:long 'x.y':real)`,
    ],
    ['parse kind=relaxed m with a:int "," b', '(parse relaxed m a:long "," b:string)'],
    ['parse m with with "x" count\n"y"', '(parse simple m with:string "x" count:string "y")'],
  ],
  'parse-kv': [
    [
      `parse-kv m as (a: int, ['b.c']) with (pair_delimiter=';', kv_delimiter="=")`,
      `(parse-kv m a:long 'b.c' pair_delimiter=";" kv_delimiter="=")`,
    ],
    ['parse-kv m as (a)', '(parse-kv m a)'],
  ],
  'parse-where': [['parse-where m with "a" b', '(parse-where simple m "a" b:string)']],
  partition: [
    ['partition by a (top 1 by b)', '(partition a (top 1 b))'],
    ['partition by f(a) (take 1 | count)', '(partition (f a) (take 1) count)'],
  ],
  project: [
    ['project a, b = c + 1, "d e" = f', `(project a b=(+ c 1) 'd e'=f)`],
    ['project geo.city', '(project (. geo city))'],
  ],
  'project-away': [[`project-away a*, ['geo.']*, b.c, *d*`, '(project-away a* geo.* b.c *d*)']],
  'project-keep': [[`project-keep a, ['x*']`, '(project-keep a x\\*)']],
  'project-rename': [[`project-rename a = b.c, ['d e'] = f`, `(project-rename a=b.c 'd e'=f)`]],
  'project-reorder': [['project-reorder z, *, a* granny-desc, b desc', '(project-reorder z * a*:granny-desc b:desc)']],
  redact: [
    [
      `redact replaceToken="x" redactGroups=true @'a(.*)', "b" on a, b.c`,
      '(redact replaceToken="x" redactGroups=true "a(.*)" "b" on=[a b.c])',
    ],
    [`redact replaceToken="x" @'.*'`, '(redact replaceToken="x" ".*")'],
    ['redact dynamic(["a", "b"])', '(redact (dynamic ["a" "b"]))'],
  ],
  reduce: [
    ['reduce by message', '(reduce message)'],
    ['reduce by message with (threshold=0.3, characters="-")', '(reduce message threshold=0.3 characters="-")'],
    ['reduce by message with threshold=0.3', '(reduce message threshold=0.3)'],
  ],
  render: [
    ['render timechart', '(render timechart)'],
    ['render piechart with (title="Errors")', '(render piechart title="Errors")'],
  ],
  sample: [['sample 0.1', '(sample 0.1)']],
  'top-hitters': [
    ['top-hitters 5 of a', '(top-hitters 5 a)'],
    ['top-hitters 5 of x = strlen(a) by b + 1', '(top-hitters 5 x=(strlen a) by (+ b 1))'],
  ],
  scan: [
    ['scan with (step a: x > 1)', '(scan (a all (> x 1)))'],
    [
      'scan with_match_id=m declare (n: long = 0, s: string) with (step a output=none: true => n = a.n + 1, s = "x"; step b: y;)',
      '(scan id=m n:long=0 s:string (a none true n=(+ (. a n) 1) s="x") (b all y))',
    ],
  ],
  'sample-distinct': [
    ['sample-distinct 5 of a', '(sample-distinct 5 a)'],
    ['sample-distinct n + 1 of a, x = strlen(b)', '(sample-distinct (+ n 1) a x=(strlen b))'],
    ['sample-distinct 5', '(sample-distinct 5)'],
  ],
  search: [
    ['search "x"', '(search "x")'],
    ['search *', '(search *)'],
    [
      'search kind=case_sensitive "x" and (f:"y*" or not g.h:"z")',
      '(search_cs (and "x" (or (: f "y*") (not (: (. g h) "z")))))',
    ],
    ['search status == "500" and tostring(x):"y"', '(search (and (== status "500") (: (tostring x) "y")))'],
  ],
  serialize: [
    ['serialize', '(serialize)'],
    ['serialize n = row_number()', '(serialize n=(row_number))'],
  ],
  sort: [
    ['sort by a', '(sort a)'],
    [
      'sort by a asc, strlen(b) desc nulls first, c nulls last',
      '(sort a:asc (strlen b):desc:nulls-first c:nulls-last)',
    ],
    ['sort by asc desc', '(sort asc:desc)'],
  ],
  summarize: [
    ['summarize count()', '(summarize (count))'],
    [
      'summarize n = count(), max(x) by bin(_time, 1h), k = tolower(kind)',
      '(summarize n=(count) (max x) by (bin _time 3600000000000ns) k=(tolower kind))',
    ],
    ['summarize by a', '(summarize by a)'],
    ['summarize by = count() by by', '(summarize by=(count) by by)'],
    ['summarize make_list(x)[0]', '(summarize ([] (make_list x) 0))'],
  ],
  take: [['take 5', '(take 5)']],
  top: [['top 3 by f(x) asc nulls last', '(top 3 (f x):asc:nulls-last)']],
  'top-nested': [
    [
      'top-nested 3 of a with others="o" by count() desc, top-nested of b by m = max(x)',
      '(top-nested (3 a others="o" by (count) desc) (all b by m=(max x)))',
    ],
  ],
  union: [
    ['union b', '(union (b))'],
    [`union withsource=s ['a-b'], (c | take 1), d*`, `(union source=s ('a-b') (c | (take 1)) (d*))`],
    ['union kind=outer isfuzzy=true b', '(union (b))'],
  ],
  where: [
    ['where a == 1', '(where (== a 1))'],
    ['where * has "x"', '(where (has * "x"))'],
    ['where * matches regex "x" or * hasprefix "y"', '(where (or (matches regex * "x") (hasprefix * "y")))'],
  ],
};

describe.each(Object.entries(cases))('%s', (_, table) => {
  test.each(table)('%s', (text, tree) => expect(readOperator(text)).toBe(tree));
});

test('every operator of the table has cases', () => {
  expect(Object.keys(cases).toSorted()).toEqual(operators.map(({ name }) => name).toSorted());
});

test('the name of an operator can also name a dataset or a column', () => {
  for (const { name } of operators) {
    if (name.includes('-')) continue;
    expect(readQuery(`${name} | where ${name} == 1`)).toBe(`${name} | (where (== ${name} 1))`);
    expect(readOperator(`summarize ${name} = max(${name}) by ${name}`)).toBe(
      `(summarize ${name}=(max ${name}) by ${name})`,
    );
  }
});
