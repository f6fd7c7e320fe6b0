import { expect, test } from 'vitest';
import { briefReference } from './brief.js';

test('the short reference has the common words and at most 3,000 tokens', () => {
  const text = briefReference();
  for (const word of ['summarize', 'bin_auto', 'percentile', 'parse_json', 'strcat', '`where Predicate`'])
    expect(text).toContain(word);
  expect(text.length / 4).toBeLessThan(3000);
});
