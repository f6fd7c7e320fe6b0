import { expect, test } from 'vitest';
import { compileText } from '../../testing/compile-text.js';

const findDiagnostics = (text: string): readonly unknown[] =>
  compileText(text).diagnostics.map(({ severity, message, fix, span }) => ({
    severity,
    at: text.slice(span.start, span.end),
    message,
    fix: fix?.replacement,
  }));

test.each([
  ['print took_ms = 2.5 | where took_ms > 100ms', '100ms', '100000000', 'took_ms', '100'],
  ['range tookMs from 1 to 9 step 1 | where 1.5s < tookMs', '1.5s', '1500000000', 'tookMs', '1500'],
  [
    'range took_seconds from 1 to 9 step 1 | where took_seconds == 1500ms',
    '1500ms',
    '1500000000',
    'took_seconds',
    '1.5',
  ],
  ['range a_us from 1 to 9 step 1 | where a_us between (1 .. 2ms)', '2ms', '2000000', 'a_us', '2000'],
])('%s: the name says the unit', (text, at, nanoseconds, name, fix) => {
  const message = `a timespan is a whole number of nanoseconds, here ${nanoseconds}; ${name} seems to count another unit: write ${fix}`;
  expect(findDiagnostics(text)).toEqual([{ severity: 'warning', at, message, fix }]);
});

test('where nothing says what the number counts there is a hint', () => {
  const message =
    'a timespan is a whole number of nanoseconds, here 1000000000; if the number counts something else, compare with a number';
  expect(findDiagnostics('range took from 1 to 9 step 1 | where took > 1s')).toEqual([
    { severity: 'hint', at: '1s', message, fix: undefined },
  ]);
});

test.each([
  'range took_ns from 1 to 9 step 1 | where took_ns > 1s',
  'range took_ms from 1 to 9 step 1 | where took_ms * 1ms > 1s',
  'range took_ms from 1s to 9s step 1s | where took_ms > 1s',
  'range took_ms from 1 to 9 step 1 | where took_ms > 1',
])('%s is fine', (text) => expect(findDiagnostics(text)).toEqual([]));
