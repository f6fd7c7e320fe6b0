import { expect, test } from 'vitest';
import { storedMonitor } from '../testing/monitors.js';
import { checkInhibition, inhibitionOf } from './inhibition.js';

const isOpen = (id: string): boolean => id.startsWith('open');

test.each([
  [{}, undefined],
  [{ inhibitedBy: ['ok_1', 'open_1'] }, 'Quiet while another monitor is open'],
  [{ inhibitedBy: ['ok_1'] }, undefined],
  [{ notifyOnlyWhile: ['open_1', 'ok_1'] }, 'Quiet until another monitor is open'],
  [{ notifyOnlyWhile: ['open_1', 'open_2'] }, undefined],
])('%j: %s', (monitor, expected) => expect(inhibitionOf(monitor, isOpen)).toBe(expected));

const monitors = [
  storedMonitor({ id: 'a', inhibitedBy: ['b'] }),
  storedMonitor({ id: 'b', inhibitedBy: ['c'] }),
  storedMonitor({ id: 'c' }),
];
test.each([
  ['an unknown monitor', { inhibitedBy: ['x'] }, undefined, "body 'inhibitedBy' names 'x', which is no monitor"],
  ['itself', { notifyOnlyWhile: ['c'] }, 'c', "'notifyOnlyWhile' names 'c', which is the monitor itself"],
  ['a circle', { inhibitedBy: ['a'] }, 'c', "body 'inhibitedBy' leads back to the monitor"],
])('refused: %s', (_, draft, id, problem) => expect(() => checkInhibition(draft, monitors, id)).toThrow(problem));
