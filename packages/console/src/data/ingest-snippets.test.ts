import { expect, it } from 'vitest';
import { snippets } from './ingest-snippets.js';

it.each(snippets)('$title names the dataset, the token and the server', ({ id, text }) => {
  const shown = text({ url: 'https://events.example.com:8443', dataset: 'shop.logs', token: 'xaat-1' });
  expect(shown).toContain('shop.logs');
  expect(shown).toContain('xaat-1');
  expect(shown).toContain('events.example.com');
  expect(shown).toContain('8443');
  // Addresses without a port use the default one.
  if (id === 'fluent-bit') expect(text({ url: 'http://h', dataset: 'd', token: 't' })).toMatch(/port +80\n/);
});
