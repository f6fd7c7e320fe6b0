import { describe, expect, test } from 'vitest';
import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import type { EvaluationResult } from '../evaluate/evaluation.js';
import { storedMonitor } from '../testing/monitors.js';
import { type MonitorState, newState, monitorStatus } from './state.js';
import { step } from './transition.js';

/** Sequences of runs, one letter each, and the changes they cause. */

/**
 * `+` violates, `~` does not and has not recovered, `-` does not, `0` no data, `!` the query fails.
 */
const verdicts: Readonly<Record<string, EvaluationResult>> = {
  '+': { kind: 'read', keys: [], readings: [{ labels: [], violates: true, value: 20 }], noData: false },
  '~': {
    kind: 'read',
    keys: [],
    readings: [{ labels: [], violates: false, keepsOpen: true, value: 9 }],
    noData: false,
  },
  '-': { kind: 'read', keys: [], readings: [{ labels: [], violates: false, value: 1 }], noData: false },
  '0': { kind: 'read', keys: [], readings: [{ labels: [], violates: false }], noData: true },
  '!': { kind: 'error', problem: 'the query ran too long' },
};

const limits = { groups: 1000, failures: 3, memory: 60 * 60_000 } as const;
const minute = 60_000;

/**
 * Per run: `O` opens, `o` repeats that it is open, `C` closes, `.` nothing; the reason, if it is
 * not the value; and the resulting state.
 */
function changesIn(runs: string, monitor: StoredMonitor): string {
  let state: MonitorState = newState(aboutOf(monitor));
  return [...runs]
    .map((run, i) => {
      const result = step(state, monitor, verdicts[run]!, i * minute, limits);
      state = result.state;
      const [change] = result.changes;
      if (change === undefined) return '.';
      const letter = change.action === 'Closed' ? 'C' : change.again ? 'o' : 'O';
      return change.why === 'value' ? letter : `${letter}(${change.why})`;
    })
    .join('');
}

describe('what runs in a row tell', () => {
  test.each<[string, string, string, Partial<StoredMonitor>]>([
    ['opens once, closes at the first clean run', '-++-+', '.O.CO', {}],
    ['each run, if asked', '++-', 'OoC', { notifyEveryRun: true }],
    ['three of three', '++-+++', '.....O', { triggerFromNRuns: 3 }],
    ['two of three', '+-+-', '..OC', { triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 }],
    [
      'two of three, and again as soon as two of the last three count',
      '++-+',
      '.OCO',
      { triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 },
    ],
    [
      'a clean run never opens, whatever was before',
      '++--',
      '.OC.',
      { triggerFromNRuns: 4, triggerAfterNPositiveResults: 2 },
    ],
    ['a failure neither opens nor closes', '+!+!-', 'O...C', {}],
    ['nor does it count', '+!+', '..O', { triggerFromNRuns: 2 }],
    ['three failures in a row notify once, and so is the next success', '!!!!-!!', '..O(failing).C(running)..', {}],
    ['a success in between starts the count again', '!!-!!+', '.....O', {}],
    ['what opened before stays open', '+!!!-', 'O..O(failing)C(running)', {}],
    ['no data closes, and is no value', '+0', 'OC(gone)', {}],
    ['a value that has not recovered neither opens nor closes', '~+~~-~', '.O..C.', {}],
    ['nor does it count', '+~+', '...', { triggerFromNRuns: 2 }],
    ['data that has not recovered ends missing data', '0~', 'O(nodata)C(back)', { alertOnNoData: true }],
    ['keeps firing for two minutes after the last violation', '+--+---', 'O.CO.C.', { keepFiringMinutes: 2 }],
    ['also without data', '+0-', 'O.C', { keepFiringMinutes: 2 }],
    ['and says nothing while it does', '+--', 'O.C', { keepFiringMinutes: 2, notifyEveryRun: true }],
    ['no data opens, if asked', '-0-', '.O(nodata)C(back)', { alertOnNoData: true }],
    ['data that violates notifies, and not that it is back', '0+-', 'O(nodata)oC', { alertOnNoData: true }],
    ['no data after values that violate is news', '+0-', 'Oo(nodata)C(back)', { alertOnNoData: true }],
    ['no data counts for N of M', '+0', '.O(nodata)', { alertOnNoData: true, triggerFromNRuns: 2 }],
    ['no data again is no news', '00', 'O(nodata).', { alertOnNoData: true }],
  ])('%s', (_, runs, expected, changes) => expect(changesIn(runs, storedMonitor(changes))).toBe(expected));
});

describe('groups', () => {
  const monitor = storedMonitor({ notifyByGroup: true });
  const evaluationResult = (...readings: readonly (readonly [string, boolean])[]): EvaluationResult => ({
    kind: 'read',
    keys: ['service'],
    readings: readings.map(([label, violates]) => ({ labels: [label], violates, value: 12 })),
    noData: readings.length === 0,
  });
  const after = (all: readonly EvaluationResult[], by: StoredMonitor = monitor, max = 1000, memory = limits.memory) => {
    let state = newState(aboutOf(by));
    const changes = all.map((verdict, i) => {
      const result = step(state, by, verdict, i * minute, { ...limits, groups: max, memory });
      state = result.state;
      return result.changes.map(({ labels, action, why }) => `${labels.map(String).join()} ${action} ${why}`);
    });
    return { state, changes };
  };

  test('each group opens and closes independently; a group without data closes', () => {
    const { changes, state } = after([
      evaluationResult(['a', true], ['b', false]),
      evaluationResult(['a', true], ['b', true]),
      evaluationResult(['a', false], ['c', false]),
    ]);
    expect(changes).toEqual([['a Open value'], ['b Open value'], ['a Closed value', 'b Closed gone']]);
    expect(state.groups).toEqual({});
  });

  const watching = { ...monitor, alertOnNoData: true };
  test('a known group whose data stops notifies separately; without known groups, the monitor notifies', () =>
    expect(
      after(
        [
          evaluationResult(),
          evaluationResult(['a', false], ['b', true]),
          evaluationResult(['b', true]),
          evaluationResult(),
          evaluationResult(['a', false]),
        ],
        watching,
      ).changes,
    ).toEqual([
      [' Open nodata'],
      ['b Open value', ' Closed back'],
      ['a Open nodata'],
      ['b Open nodata'],
      ['a Closed back'],
    ]));

  test('a group without data is forgotten after a time', () => {
    const { changes, state } = after(
      [
        evaluationResult(['a', false], ['b', false]),
        evaluationResult(['b', false]),
        evaluationResult(['b', false]),
        evaluationResult(),
        evaluationResult(),
        evaluationResult(),
      ],
      watching,
      1000,
      2 * minute,
    );
    expect(changes).toEqual([
      [],
      ['a Open nodata'],
      ['a Closed forgotten'],
      ['b Open nodata'],
      ['b Closed forgotten', ' Open nodata'],
      [],
    ]);
    expect(Object.keys(state.groups)).toEqual(['']);
  });

  test('remembered groups take no slots from firing ones', () => {
    const { changes } = after(
      [
        evaluationResult(['a', false], ['b', false]),
        evaluationResult(['a', false], ['b', false], ['c', true]),
        evaluationResult(['b', true], ['c', true]),
      ],
      watching,
      1,
    );
    expect(changes).toEqual([[], ['c Open value'], ['other groups Open value', 'a Open nodata']]);
  });

  test('tracks a limited number of groups; known groups stay known', () => {
    const many = evaluationResult(['a', true], ['b', true], ['c', true], ['d', true]);
    const { changes, state } = after([many, many, evaluationResult(['c', true], ['d', true])], monitor, 2);
    expect(changes).toEqual([
      ['a Open value', 'b Open value', 'other groups Open value'],
      [],
      ['a Closed gone', 'b Closed gone'],
    ]);
    expect(monitorStatus(state)).toBe('open');
  });
});

test('a changed threshold closes open incidents and restarts evaluation', () => {
  const before = storedMonitor();
  const { state } = step(newState(aboutOf(before)), before, verdicts['+']!, 0, limits);
  const next = { ...before, threshold: 15 };
  const result = step(state, next, verdicts['-']!, 1, limits);
  expect(result.changes).toMatchObject([{ action: 'Closed', why: 'edited' }]);
  expect(result.state).toMatchObject({ about: aboutOf(next), groups: {}, runs: 2 });
  // Another name or notifier changes nothing.
  expect(step(state, { ...before, name: 'x', notifierIds: ['y'] }, verdicts['+']!, 1, limits).changes).toEqual([]);
});

test('the reason of a failure is kept until a run succeeds', () => {
  const monitor = storedMonitor();
  const { state } = step(newState(aboutOf(monitor)), monitor, verdicts['!']!, 0, limits);
  expect([state.error, monitorStatus(state)]).toEqual(['the query ran too long', 'error']);
  expect(step(state, monitor, verdicts['-']!, 0, limits).state.error).toBeUndefined();
});

test('while it is failing, everything that was open is known; another query starts over', () => {
  const monitor = storedMonitor();
  let { state } = step(newState(aboutOf(monitor)), monitor, verdicts['+']!, 0, limits);
  for (let i = 0; i < 2; i++) {
    const result = step(state, monitor, verdicts['!']!, 1, limits);
    expect(result.open).toBeUndefined();
    ({ state } = result);
  }
  const failing = step(state, monitor, verdicts['!']!, 2, limits);
  expect(failing.open).toMatchObject([
    { group: '', why: 'unread', value: 20 },
    { group: 'failing', why: 'failing', failure: { runs: 3, problem: 'the query ran too long' } },
  ]);
  expect(failing.state).toMatchObject({ failures: 3, failingSince: 2 });
  const other = step(failing.state, { ...monitor, threshold: 15 }, verdicts['!']!, 3, limits);
  expect(other.changes.map(({ group, action, why }) => `${group} ${action} ${why}`)).toEqual([
    ' Closed edited',
    'failing Closed edited',
  ]);
  expect(other.state).toMatchObject({ failures: 1, error: 'the query ran too long' });
  expect(other.state.failingSince).toBeUndefined();
});
