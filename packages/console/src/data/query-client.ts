import { QueryClient } from '@tanstack/react-query';
import { isRefusal, Unreachable } from './api.js';
import { keepFewRows } from './result-cache.js';

/** Retries when the server is unreachable, busy or unavailable. */
const RETRIES = 3;

const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (isRefusal(error) && (error.status === 503 || error.status === 502));

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Focusing the tab is not a request for new data.
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES && mayPass(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    },
  },
});
keepFewRows(queryClient);
