import { expect, it } from 'vitest';
import type { Catalogue } from '../data/catalogue.js';
import { entriesFor } from './palette-entries.js';

const fields = ['status', 'route'].map((name) => ({ name, type: 'string' }));
/** How many fields somebody looked at. */
let read = 0;
const datasets = Array.from({ length: 10_000 }, (_, index) => ({
  name: `team.service-${index}`,
  get fields() {
    read++;
    return fields;
  },
}));
const around = {
  commands: [{ id: 'keys', title: 'Show all keys', group: 'Everywhere', run: () => {} }],
  catalogue: { datasets } as unknown as Catalogue,
  open: () => {},
};
const titles = (text: string, most = 5): readonly string[] => entriesFor(text, around, most).map(({ title }) => title);

it.each([
  ['', ['Show all keys', 'team.service-0', 'team.service-1', 'team.service-2', 'team.service-3']],
  ['keys all', ['Show all keys', 'Search the last 24 h in team.service-0']],
  ['SERVICE-9999', ['team.service-9999', 'status in team.service-9999', 'route in team.service-9999']],
  ['status 9998', ['status in team.service-9998', 'Search the last 24 h in team.service-0']],
  ['team.service-7', ['team.service-7', 'team.service-70', 'team.service-71']],
  ['logs | take 1', ['Run logs | take 1']],
])('%j', (text, first) => expect(titles(text).slice(0, first.length)).toEqual(first));

it('what nobody sees is not made', () => {
  read = 0;
  titles('service');
  expect(read).toBe(0);
});
