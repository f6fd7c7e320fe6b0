import type { Catalog } from '../model/catalog.js';
import type { TestEngine } from './engine.js';
import { catalogOf, createDataset } from './events.js';

const views: ReadonlyMap<string, string> = new Map([
  ['failures', 'logs | where status >= 400'],
  [
    'gets',
    'let verb = "GET"; let matching = (m: string) { logs | where method == m }; let T = matching(verb); T | project id, method',
  ],
  ['broken', 'let x = nope(1); logs | where id == x'],
]);

/**
 * The small datasets and views that golden cases read. In `logs`, `level` is a mixed field and
 * `attributes` a map field.
 */
export function createSample(engine: TestEngine): Catalog {
  const logs = createDataset(
    engine,
    'logs',
    [
      {
        _time: '2024-06-15T11:10:00Z',
        'id#i': 1,
        'method#s': 'GET',
        'status#i': 200,
        'duration#f': 1.5,
        'geo.city#s': 'Paris',
        'attributes#m': '{"http.method":"GET","user":{"id":7,"name":"ada"}}',
        'level#s': 'info',
        'message#s': 'user ada logged in',
      },
      {
        _time: '2024-06-15T11:20:00Z',
        'id#i': 2,
        'method#s': 'POST',
        'status#i': 500,
        'duration#f': 20,
        'geo.city#s': 'Lagos',
        'level#i': 3,
        'message#s': 'upstream_timeout after 20s',
      },
      {
        _time: '2024-06-15T11:30:00Z',
        'id#i': 3,
        'method#s': 'GET',
        'status#i': 404,
        'level#f': 2.5,
        'tags#j': '["a","b"]',
      },
      {
        _time: '2024-06-15T11:40:00Z',
        'id#i': 4,
        'method#s': 'GET',
        'status#i': 200,
        'duration#f': 3,
        'geo.city#s': 'Paris',
        'level#s': 'error',
        'message#s': 'user bob logged out',
      },
      { _time: '2024-06-14T11:40:00Z', 'id#i': 5, 'method#s': 'PUT', 'status#i': 200 },
    ],
    { virtualFields: new Map([['slow', 'duration > 2']]) },
  );
  const logins = createDataset(engine, 'logins', [
    { _time: '2024-06-15T11:05:00Z', 'user#s': 'ada', 'id#i': 1, 'host-name#s': 'alpha' },
    { _time: '2024-06-15T11:50:00Z', 'user#s': 'bob', 'id#i': 4, 'host-name#s': 'beta' },
    { _time: '2024-06-15T11:55:00Z', 'user#s': 'eve', 'id#i': 9 },
  ]);
  const crooked = { ...logins, name: 'crooked', virtualFields: new Map([['wrong', 'nope(user)']]) };
  const known = catalogOf(logs, logins);
  return {
    ...known,
    dataset: (name) => (name === 'crooked' ? crooked : known.dataset(name)),
    view: (name) => views.get(name),
  };
}
