import { describe, expect, it } from 'vitest';
import { FairScheduler } from './fair-scheduler.js';

const neverSignal = new AbortController().signal;

/** Work that ends on request. */
function work(done: string[], name: string) {
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  return { finish, run: () => (done.push(name), promise) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('run so many at once', async () => {
    const turns = new FairScheduler(2);
    const started: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => work(started, name));
    const runs = all.map(({ run }) => turns.run('one', neverSignal, run));
    await settle();
    expect(started).toEqual(['a', 'b']);
    all[1]!.finish();
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const { finish } of all) finish();
    await Promise.all(runs);
  });

  it('go to the party that has waited longest since its last slot', async () => {
    const turns = new FairScheduler(1);
    const started: string[] = [];
    const names = ['greedy 1', 'greedy 2', 'greedy 3', 'greedy 4', 'modest 1', 'other 1', 'modest 2'];
    const all = names.map((name) => work(started, name));
    const runs = names.map((name, i) => turns.run(name.split(' ')[0]!, neverSignal, all[i]!.run));
    for (let i = 0; i < names.length; i++) {
      await settle();
      all[names.indexOf(started[i]!)]!.finish();
    }
    await Promise.all(runs);
    expect(started).toEqual(['greedy 1', 'modest 1', 'other 1', 'greedy 2', 'modest 2', 'greedy 3', 'greedy 4']);
  });

  it('reach every party despite repeated requests of others', async () => {
    const turns = new FairScheduler(1);
    const started: string[] = [];
    const begin = (name: string) => {
      const each = work(started, name);
      return { ...each, ran: turns.run(name, neverSignal, each.run) };
    };
    const patient = [begin('patient'), begin('patient')];
    // Each returns while the other runs, so one of them always waits.
    let [running, next] = [begin('eager'), begin('keen')];
    patient[0]!.finish();
    await settle();
    for (const name of ['eager', 'keen', 'eager', 'keen']) {
      running.finish();
      await running.ran;
      [running, next] = [next, begin(name)];
      await settle();
      patient[1]!.finish();
      await settle();
    }
    expect(started.slice(0, 5)).toEqual(['patient', 'eager', 'keen', 'patient', 'eager']);
    running.finish();
    next.finish();
    await Promise.all([...patient, running, next].map(({ ran }) => ran));
  });

  it('go first to the party with the fewest running queries', async () => {
    const turns = new FairScheduler(2);
    const started: string[] = [];
    const names = ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1'];
    const all = names.map((name) => work(started, name));
    const runs = names.map((name, i) => turns.run(name.split(' ')[0]!, neverSignal, all[i]!.run));
    all[0]!.finish();
    await settle();
    expect(started).toEqual(['greedy 1', 'greedy 2', 'modest 1']);
    for (const { finish } of all) finish();
    await Promise.all(runs);
  });

  it('are released when a task fails', async () => {
    const turns = new FairScheduler(1);
    await expect(turns.run('a', neverSignal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run('a', neverSignal, async () => 1)).toBe(1);
  });

  it('are not reserved for canceled requests', async () => {
    const turns = new FairScheduler(1);
    const started: string[] = [];
    const first = work(started, 'first');
    const run = turns.run('a', neverSignal, first.run);
    const leaving = new AbortController();
    const left = turns.run('b', leaving.signal, async () => void started.push('left'));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'query-cancelled' });
    const last = turns.run('c', neverSignal, async () => void started.push('last'));
    first.finish();
    await Promise.all([run, last]);
    expect(started).toEqual(['first', 'last']);
  });

  it('reserved ones go to an idle party, however long others have waited', async () => {
    const turns = new FairScheduler(3, 1);
    const signal = new AbortController().signal;
    const first = await turns.acquire('a', signal);
    await turns.acquire('a', signal);
    let third = false;
    const waiting = turns.acquire('a', signal).then((end) => ((third = true), end));
    const other = await turns.acquire('b', signal);
    expect(third).toBe(false);
    other();
    await Promise.resolve();
    expect(third).toBe(false);
    first();
    (await waiting)();
    expect(third).toBe(true);
  });
});
