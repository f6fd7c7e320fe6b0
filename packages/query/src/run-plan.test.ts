import type { CompiledQuery } from '@millrace/apl';
import { describe, expect, it } from 'vitest';
import type { QueryRunContext } from './context.js';
import { runPlan, runPlans } from './run-plan.js';
import type { QueryService } from './service.js';

const plan = { datasets: ['logs'] } as unknown as CompiledQuery;

/** A caller that records the order of steps; results come from the cache. */
function asker() {
  const order: string[] = [];
  let version = 1;
  const service = {
    metadata: { datasets: { find: () => ({ name: 'logs', datasetId: 7 }) } },
    storage: {
      versionOf: () => `${version}`,
      flush: async () => {
        order.push('insert begins');
        await Promise.resolve();
        version++;
        order.push('insert ends');
      },
    },
    cache: {
      get: async (_: CompiledQuery, of: string) => {
        order.push(`version ${of}`);
        return { cached: true };
      },
    },
  } as unknown as QueryService;
  const execution = {
    runPhase: (_: string, work: (signal: AbortSignal) => unknown) => work(new AbortController().signal),
    runInSlot: (work: (deadline: number, grant: object) => Promise<unknown>) => {
      order.push('turn');
      return work(Infinity, {});
    },
  } as unknown as QueryRunContext['execution'];
  const call = {
    renew: async () => void order.push('asked again whether it may'),
  } as unknown as QueryRunContext['call'];
  return { order, context: { call, execution, service, cached: true } };
}

describe('performing', () => {
  it('waits for an insert before its turn, and takes only an answer of what was there before', async () => {
    const { order, context } = asker();
    await runPlan(plan, context);
    expect(order).toEqual(['insert begins', 'insert ends', 'turn', 'asked again whether it may', 'version 1']);
  });
  it('does so for several plans at once, which have one turn', async () => {
    const { order, context } = asker();
    expect(await runPlans([{ plan }, { plan }], context)).toHaveLength(2);
    expect(order.filter((what) => what === 'turn')).toHaveLength(1);
    expect(order.slice(0, 2)).toEqual(['insert begins', 'insert begins']);
  });
});
