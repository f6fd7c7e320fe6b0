import { expect, it } from 'vitest';
import type { Catalog } from '../data/catalog.js';
import { entriesFor } from './palette-entries.js';

const fields = ['status', 'route'].map((name) => ({ name, type: 'string' }));
/** Number of fields read. */
let read = 0;
const datasets = Array.from({ length: 10_000 }, (_, index) => ({
  name: `team.service-${index}`,
  get fields() {
    read++;
    return fields;
  },
}));
const around = {
  commands: [{ id: 'keys', title: 'Show keyboard shortcuts', group: 'Global', run: () => {} }],
  items: [
    { id: 'd', title: 'Checkout latency', group: 'Dashboard', to: '/dashboards/d', search: {} },
    { id: 'm', title: 'Disk almost full', group: 'Monitor', to: '/monitors/m', search: {} },
    { id: 's', title: 'Slow requests', group: 'Saved query', to: '/query', search: { q: 'logs' } },
  ],
  recent: [{ id: 'recent.q', title: "logs | where code == 'x17'", group: 'Recent query', to: '/query', search: {} }],
  used: [] as readonly string[],
  catalog: { datasets } as unknown as Catalog,
  open: () => {},
};
const titles = (text: string, max = 5): readonly string[] => entriesFor(text, around, max).map(({ title }) => title);

it.each([
  ['', ['Show keyboard shortcuts', 'team.service-0', 'team.service-1', 'team.service-2', 'team.service-3']],
  ['shortcuts show', ['Show keyboard shortcuts', 'Search team.service-0 in the last 24 hours']],
  ['laten', ['Checkout latency']],
  ['almost disk', ['Disk almost full']],
  ['monitor full', ['Disk almost full']],
  ['saved slow', ['Slow requests']],
  ['x17 code', ["logs | where code == 'x17'"]],
  ['SERVICE-9999', ['team.service-9999', 'status in team.service-9999', 'route in team.service-9999']],
  ['status 9998', ['status in team.service-9998', 'Search team.service-0 in the last 24 hours']],
  ['team.service-7', ['team.service-7', 'team.service-70', 'team.service-71']],
  ['logs | take 1', ['Run logs | take 1']],
])('%j', (text, first) => expect(titles(text).slice(0, first.length)).toEqual(first));

it('lists the most used first', () => {
  const used = ['m', 'dataset.team.service-7', 'm', 's'];
  const findIds = (text: string) => entriesFor(text, { ...around, used }, 4).map(({ id }) => id);
  expect(findIds('l')).toEqual(['m', 's', 'd', 'recent.q']);
  expect(findIds('service-7')[0]).toBe('dataset.team.service-7');
  expect(findIds('')[0]).toBe('dataset.team.service-7');
});

it('creates only visible entries', () => {
  read = 0;
  titles('service');
  expect(read).toBe(0);
});
