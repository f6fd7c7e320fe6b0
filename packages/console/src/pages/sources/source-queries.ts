import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { queryClient } from '../../data/query-client.js';

export type Source = AnswerOf<'getSource'>;

/** As often as the server records a status. */
const LOOK_MILLISECONDS = 3000;

const key = ['sources'] as const;

export const useSources = () =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.call('listSources', { signal }),
    refetchInterval: LOOK_MILLISECONDS,
  });

export const refreshSources = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key });
