import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.js';
import { useAllowed } from '../catalog.js';

/** Objectives and their error budgets. */

export type Slo = AnswerOf<'getSlo'>;
export type SloBudget = AnswerOf<'getSloBudget'>;

/** A budget is over days, and counting it reads all of their events. */
const BUDGET_MILLISECONDS = 120_000;

export function useSlos() {
  const enabled = useAllowed({ org: 'monitors', action: 'read' });
  return useQuery({
    queryKey: ['alerts', 'slos'],
    queryFn: ({ signal }) => api.call('listSlos', { signal }),
    enabled,
  });
}

export const useSloBudget = ({ id, updatedAt }: Pick<Slo, 'id' | 'updatedAt'>) =>
  useQuery({
    queryKey: ['alerts', 'slo-budget', id, updatedAt],
    queryFn: ({ signal }) => api.call('getSloBudget', { params: { id }, signal }),
    refetchInterval: BUDGET_MILLISECONDS,
    staleTime: BUDGET_MILLISECONDS / 2,
    retry: false,
  });

/** How a budget stands: `low` below a fifth, `spent` if the objective is missed. */
export function budgetLevel({ remaining, total }: Pick<SloBudget, 'remaining' | 'total'>) {
  if (total === 0) return 'none';
  return remaining <= 0 ? 'spent' : remaining < 0.2 ? 'low' : 'good';
}

/** `62%`; digits only where they tell something. */
export function percentText(part: number): string {
  const percent = part * 100;
  const digits = Math.abs(percent) >= 10 || Number.isInteger(percent) ? 0 : 1;
  return `${percent.toFixed(digits).replace(/^-0$/, '0').replace('-', '−')}%`;
}

/** `99.95%`: the last digits are the ones that count. */
export const attainedText = (percent: number): string => `${percent.toFixed(3).replace(/\.?0+$/, '')}%`;

/** `14.4×`. */
export const rateText = (rate: number): string => `${Number(rate.toPrecision(rate < 100 ? 2 : 3))}×`;
