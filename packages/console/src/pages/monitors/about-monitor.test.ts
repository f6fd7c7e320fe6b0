import { expect, it } from 'vitest';
import { conditionOf, sourceIn } from './about-monitor.js';

it.each([
  ["['http-logs'] | count", 'http-logs'],
  ['  [ "a b" ]\n| count', 'a b'],
  ['// why\nlogs\n| count', 'logs'],
  ['let x = 1;\nlogs | where a > x', 'logs'],
  ['http-logs | count', 'http-logs'],
  ['`a`:`b` | align to 5s using avg', undefined],
  ['', undefined],
])('%j reads %s', (query, dataset) => expect(sourceIn(query)).toBe(dataset));

it.each([
  [{ type: 'Threshold', operator: 'AboveOrEqual', threshold: 0.5 }, 'above or equal to 0.5'],
  [{ type: 'AnomalyDetection', operator: 'AboveOrEqual', threshold: 0 }, 'unusual: above what is expected'],
  [{ type: 'MatchEvent', threshold: 0 }, 'every event that matches'],
] as const)('%j says %s', (monitor, text) => expect(conditionOf(monitor)).toBe(text));
