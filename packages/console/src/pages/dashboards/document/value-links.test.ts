import { expect, it } from 'vitest';
import { boardOf } from '../testing/example-dashboards.js';
import { addressOf, isLinkAddress, valueLinksOf } from './value-links.js';

const values = { value: 'a&b c', from: 'now-1h', to: 'now' };

it.each([
  ['https://runbooks.example/{value}', 'https://runbooks.example/a%26b%20c'],
  [
    'dashboards/services?f._service={value}&from={from}&to={to}',
    '/console/dashboards/services?f._service=a%26b%20c&from=now-1h&to=now',
  ],
  ['/console/traces?q={value}', '/console/traces?q=a%26b%20c'],
])('%s', (url, address) => {
  expect(isLinkAddress(url)).toBe(true);
  expect(addressOf(url, values)).toBe(address);
});

it.each(['javascript:alert(1)', '//elsewhere.example', 'data:text/html,x', 'https://', ''])('%j never opens', (url) =>
  expect(isLinkAddress(url)).toBe(false),
);

it('links without a field or an address are left out', () =>
  expect(
    valueLinksOf({
      ...boardOf('Links', []),
      valueLinks: [
        { field: 'a', url: 'traces' },
        { field: 'b' },
        { url: 'traces' },
        { field: 'c', url: 'javascript:x' },
      ],
    }),
  ).toEqual([{ field: 'a', title: 'traces', url: 'traces' }]));
