import { expect, it } from 'vitest';
import { positionText, standingWords } from './standing-words.js';

it('positions are read in groups of three', () =>
  expect(['7', '84231', '18446744073709551615'].map(positionText)).toEqual([
    '7',
    '84 231',
    '18 446 744 073 709 551 615',
  ]));

it('a tail that broke off says where it goes on', () =>
  expect(
    standingWords({ kind: 'broken', problem: 'the server cannot be reached', again: 500 }, false, '84231').text,
  ).toBe('reconnecting, will resume at 84 231: the server cannot be reached'));
