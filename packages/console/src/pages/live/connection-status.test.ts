import { expect, it } from 'vitest';
import { positionText, standingWords } from './connection-status.js';

it('formats positions in groups of three digits', () =>
  expect(['7', '84231', '18446744073709551615'].map(positionText)).toEqual([
    '7',
    '84 231',
    '18 446 744 073 709 551 615',
  ]));

it('an interrupted tail reports where it resumes', () =>
  expect(standingWords({ kind: 'broken', problem: 'the server is unreachable', again: 500 }, false, '84231').text).toBe(
    'reconnecting, will resume at 84 231: the server is unreachable',
  ));
