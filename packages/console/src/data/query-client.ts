import { QueryClient } from '@tanstack/react-query';
import { isRefusal, Unreachable } from './api.js';
import { keepFewRows } from './kept-answers.js';

/** How often the server is asked again when nobody answers, or it says that it is busy or away. */
const RETRIES = 3;

const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (isRefusal(error) && (error.status === 503 || error.status === 502));

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A person who comes back to the tab is not asking anything.
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES && mayPass(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    },
  },
});
keepFewRows(queryClient);
