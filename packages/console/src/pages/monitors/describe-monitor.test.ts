import { expect, it } from 'vitest';
import { conditionOf } from './describe-monitor.js';

it.each([
  [{ type: 'Threshold', operator: 'AboveOrEqual', threshold: 0.5 }, 'above or equal to 0.5'],
  [{ type: 'AnomalyDetection', operator: 'AboveOrEqual', threshold: 0 }, 'unusual: above what is expected'],
  [{ type: 'MatchEvent', threshold: 0 }, 'every event that matches'],
] as const)('%j says %s', (monitor, text) => expect(conditionOf(monitor)).toBe(text));
