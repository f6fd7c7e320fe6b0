import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * Random nested events, whose members are stored in columns, compared with a model that keeps each
 * event as JSON. `NESTED_EVENTS` asks for more, `NESTED_SEED` for others.
 */

const count = Number(process.env.NESTED_EVENTS ?? 40);
const seed = Number(process.env.NESTED_SEED ?? 1);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Numbers from 0 up to a bound, the same for the same seed. */
function numbers(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = numbers(seed);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)]!;

const leaves: readonly Json[] = [1, -7, 2.5, true, false, 'x', 'a "quoted" é\n', '', [1, { k: 2 }], []];
const keys = ['k', 'K', 's', 'é"'];

/** A random value under `o`: an object or anything else. Members are never null. */
function value(depth: number): Json {
  const kind = random(depth === 0 ? 10 : 6);
  if (depth > 0 && kind > 2) return oneOf(leaves);
  if (kind === 9) return oneOf(leaves);
  if (kind === 8) return {};
  const members = Array.from(
    { length: 1 + random(3) },
    () => [oneOf(keys), depth < 2 ? value(depth + 1) : oneOf(leaves)] as const,
  );
  return Object.fromEntries(members);
}

const events = Array.from({ length: count }, (_, u): { readonly u: number; readonly o?: Json } =>
  random(8) === 0 ? { u } : { u, o: value(0) },
);
const objects: readonly Json[] = events.map(({ o }) => o ?? null);

const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
const member = (json: Json, key: string): Json => (isObject(json) ? (json[key] ?? null) : null);
/** Whether `isempty` holds: for null, an empty text and an object without members. */
const isEmpty = (json: Json): boolean =>
  json === null || json === '' || (isObject(json) && Object.keys(json).length === 0);

/** JSON with the keys of an object in order. */
const text = (json: Json): string =>
  isObject(json)
    ? `{${Object.entries(json)
        .toSorted()
        .map(([key, of]) => `${JSON.stringify(key)}:${text(of)}`)
        .join()}}`
    : Array.isArray(json)
      ? `[${json.map(text).join()}]`
      : JSON.stringify(json);
/** The rows that `mv-expand` makes of a value. */
const elementsOf = (json: Json): readonly Json[] =>
  isObject(json) ? Object.entries(json) : Array.isArray(json) ? (json as readonly Json[]) : [json];

const time = '2026-05-01T10:00:00Z';
const range = { startTime: '2026-05-01T09:00:00Z', endTime: '2026-05-01T11:00:00Z' };
const crowd = Array.from({ length: 1000 }, (_, i) => ({ _time: '2026-04-01T00:00:00Z', [`f${i}`]: i }));

describe.each([
  ['in columns', [], {}],
  ['among rare fields', crowd, { columnBudget: 16 }],
])('%s', (_, before, settings) => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer(settings);
    await world.dataset('logs', before);
    await world.ingest(
      'logs',
      events.map((event) => ({ _time: time, ...event })),
    );
    // The same objects in a map field.
    await world.dataset('maps', []);
    await world.send('PUT', '/v2/datasets/maps/mapfields', ['o']);
    await world.ingest(
      'maps',
      events.map((event) => ({ _time: time, ...event, u: event.u + 10_000 })),
    );
  });
  afterAll(() => world.close());

  const columns = async (apl: string): Promise<readonly (readonly Json[])[]> => {
    const answer = await world.apl(apl, range);
    return answer.tables[0]!.columns as readonly (readonly Json[])[];
  };
  const column = async (apl: string): Promise<readonly Json[]> => (await columns(apl))[0] ?? [];
  const rows = (...steps: readonly string[]): string =>
    ['logs', 'where isnotnull(u)', 'sort by u asc', ...steps].join(' | ');
  const matchingNumbers = (holds: (json: Json) => boolean): readonly number[] =>
    events.filter((_, i) => holds(objects[i]!)).map(({ u }) => u);

  it.each(['project o', 'extend x = o | project x', 'project-keep o', 'project-rename x = o | project x'])(
    '%s: the whole object of each event',
    async (query) => expect(await column(rows(query))).toEqual(objects),
  );

  it.each<[predicate: string, holds: (json: Json) => boolean]>([
    ['isnull(o)', (json) => json === null],
    ['isnotnull(o)', (json) => json !== null],
    ['isempty(o)', isEmpty],
    ['isnotempty(o)', (json) => !isEmpty(json)],
    ["gettype(o) == 'dictionary'", isObject],
    ["gettype(o) == 'array'", Array.isArray],
    ["tostring(o) contains 'quoted'", (json) => JSON.stringify(json).includes('quoted')],
    ['o.k == 1', (json) => member(json, 'k') === 1],
    ["o['K'] == 'x'", (json) => member(json, 'K') === 'x'],
    ['parse_json(o).k == 1', (json) => member(json, 'k') === 1],
    ["o.k.s == 'x'", (json) => member(member(json, 'k'), 's') === 'x'],
    ['isnotempty(o.k)', (json) => !isEmpty(member(json, 'k'))],
    ['array_length(bag_keys(o)) == 2', (json) => isObject(json) && Object.keys(json).length === 2],
  ])('where %s', async (predicate, holds) => {
    expect(await column(rows(`where ${predicate}`, 'project u'))).toEqual(matchingNumbers(holds));
  });

  it.each<[expression: string, of: (json: Json) => Json]>([
    ['o.k', (json) => member(json, 'k')],
    ["o['é\"']", (json) => member(json, 'é"')],
    ['o.k.K', (json) => member(member(json, 'k'), 'K')],
    ['todynamic(o).k.s', (json) => member(member(json, 'k'), 's')],
    ['bag_keys(o)', (json) => (isObject(json) ? Object.keys(json).toSorted() : null)],
    ["iff(gettype(o) == 'string', dynamic(null), parse_json(o))", (json) => (typeof json === 'string' ? null : json)],
    ['pack_all().o', (json) => json],
  ])('project %s', async (expression, of) =>
    expect(await column(rows(`project x = ${expression}`))).toEqual(objects.map(of)),
  );

  it('groups by it', async () => {
    const [sizes] = await columns(rows('summarize n = count() by o', 'sort by n desc', 'project n'));
    const texts = new Map<string, number>();
    for (const json of objects) texts.set(text(json), (texts.get(text(json)) ?? 0) + 1);
    expect(sizes).toEqual([...texts.values()].toSorted((a, b) => b - a));
  });

  it('lists, joins and unions of it', async () => {
    const present = objects.filter((json) => json !== null);
    expect(await column(rows('summarize make_list(o)'))).toEqual([present]);
    expect(
      await column(rows('join kind=inner (logs | where isnotnull(u)) on u', 'sort by u asc', 'project o1')),
    ).toEqual(objects);
    expect(
      await column(rows('join kind=inner (logs | where isnotnull(u)) on u', 'sort by u asc', 'project o')),
    ).toEqual(objects);
    expect(await column('union logs, maps | where isnotnull(u) | sort by u asc | project o')).toEqual([
      ...objects,
      ...objects,
    ]);
  });

  it('aggregates and joins that take it from a row', async () => {
    expect(await column(rows('summarize x = take_any(o) by u', 'sort by u asc', 'project x'))).toEqual(objects);
    expect(await column(rows('summarize x = make_list(o) by u', 'sort by u asc', 'project x'))).toEqual(
      objects.map((json) => (json === null ? [] : [json])),
    );
    expect(await column(rows('summarize arg_max(u, o)', 'project o'))).toEqual(objects.slice(-1));
    const present = objects.filter((json) => json !== null).length;
    const others = 'logs | where isnotnull(u) and isnotnull(o) | distinct o';
    expect(await column(rows(`join kind=inner (${others}) on o`, 'count'))).toEqual([present]);
    expect(await column(rows('where isnotnull(o)', `join kind=leftanti (${others}) on o`, 'count'))).toEqual([0]);
  });

  it.each<[query: string, of: (json: Json) => readonly Json[]]>([
    ['mv-expand kind=array o', (json) => elementsOf(json)],
    [
      'mv-expand kind=bag x = o | project x',
      (json) => (isObject(json) ? Object.entries(json).map(([key, of]) => ({ [key]: of })) : elementsOf(json)),
    ],
    ['mv-expand x = o.k | project x', (json) => elementsOf(member(json, 'k'))],
    ['mv-apply x = o on (where isnotnull(x)) | project x', (json) => elementsOf(json).filter((x) => x !== null)],
  ])('%s', async (query, of) => {
    const steps = query.includes('project') ? query : `${query} | project o`;
    const found = await column(rows('where u < 10000', steps));
    expect(found.map(text).toSorted()).toEqual(objects.flatMap(of).map(text).toSorted());
  });

  it('says nothing that hides it', async () => {
    const { status } = await world.apl(rows('project o, isnotempty(o), parse_json(o).k'), range);
    expect(status.messages ?? []).toEqual([]);
  });
});

describe('the same rows, in columns and among rare fields', () => {
  let places: readonly EngineTestServer[];
  beforeAll(async () => {
    places = await Promise.all([openEngineTestServer(), openEngineTestServer({ columnBudget: 16 })]);
    const few = [
      { id: 1, o: { k: 1, s: 'x' }, q: 5 },
      { id: 2, o: 'text' },
      { id: 3, o: {} },
      { id: 4, o: 'both', 'o.k': 7 },
      { id: 5, o: { s: 'x', k: 1 } },
    ];
    const [roomy, crowded] = places;
    await roomy!.dataset('logs', few);
    await crowded!.dataset('logs', [...Array.from({ length: 1000 }, (_, i) => ({ [`f${i}`]: i })), ...few]);
  });
  afterAll(() => Promise.all(places.map((place) => place.close())));

  const one = { k: 1, s: 'x' };
  const members = { 'o.k': 1, 'o.s': 'x' };

  it.each<[query: string, rows: readonly object[]]>([
    ['project-away o', [{ id: 1, q: 5 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]],
    [
      'project-rename x = o',
      [
        { id: 1, x: one, q: 5 },
        { id: 2, x: 'text' },
        { id: 3, x: {} },
        { id: 4, x: 'both' },
        { id: 5, x: one },
      ],
    ],
    [
      "redact 'x' on o",
      [
        { id: 1, q: 5, 'o.k': 1, 'o.s': '*' },
        { id: 2, o: 'te*t' },
        { id: 3, o: {} },
        { id: 4, o: 'both', 'o.k': 7 },
        { id: 5, 'o.k': 1, 'o.s': '*' },
      ],
    ],
    [
      'summarize arg_max(id, *) by q',
      [
        { q: 5, id: 1, ...members },
        { id: 5, ...members },
      ],
    ],
    [
      'where id > 3 | distinct *',
      [
        { id: 4, o: 'both', 'o.k': 7 },
        { id: 5, ...members },
      ],
    ],
    ['summarize arg_max(id, o)', [{ id: 5, o: one }]],
    ['extend x = o | where isempty(x)', [{ id: 3, o: {}, x: {} }]],
    ['where id in (1, 2) | evaluate bag_unpack(o)', [{ id: 1, q: 5, ...one }, { id: 2 }]],
    [
      'where id in (1, 3) | project id, q | join (logs) on id | project id, o',
      [
        { id: 1, o: one },
        { id: 3, o: {} },
      ],
    ],
    [
      'join kind=inner (logs | project id2 = id, o) on o | where id == 1 | project id, id2',
      [
        { id: 1, id2: 1 },
        { id: 1, id2: 5 },
      ],
    ],
    [
      'where id > 3 | project id, o, k = o.k, j = parse_json(o).k',
      [
        { id: 4, o: 'both', k: 7 },
        { id: 5, o: one, k: 1, j: 1 },
      ],
    ],
  ])('%s', async (query, rows) => {
    for (const place of places) {
      const { tables } = await place.apl(`logs | where id > 0 | project-away _time, _sysTime | ${query}`);
      const { fields, columns } = tables[0]!;
      const found = (columns[0] ?? []).map((_, row) =>
        Object.fromEntries(
          fields.flatMap(({ name }, i) => {
            const cell = columns[i]![row];
            return name.startsWith('_') || cell === null ? [] : [[name, cell]];
          }),
        ),
      );
      expect(found).toHaveLength(rows.length);
      expect(found).toEqual(expect.arrayContaining([...rows]));
    }
  });
});
