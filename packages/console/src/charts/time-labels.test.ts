import { expect, it } from 'vitest';
import { axisText } from './time-labels.js';

const at = Date.UTC(2026, 10, 27, 10, 5, 30);

it.each([
  [at, 60_000, '10:05:30'],
  [at, 3_600_000, '10:05'],
  [at, 86_400_000, '10:05'],
  [Date.UTC(2026, 10, 27), 86_400_000, '11-27'],
  [at, 3 * 86_400_000, '11-27 10:05'],
  [at, 30 * 86_400_000, '11-27'],
])('%i at an axis of %i ms is %s', (time, span, text) => expect(axisText(time, 'UTC', span)).toBe(text));

it('uses the time zone of the viewer', () => expect(axisText(at, 'Asia/Tokyo', 3_600_000)).toBe('19:05'));
