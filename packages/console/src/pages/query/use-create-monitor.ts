import { useNavigate } from '@tanstack/react-router';
import type { QueryState } from './query-state.js';

/** Opens a new monitor with the current query and range. */
export function useCreateMonitor({ from, to }: QueryState, textNow: () => string): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/monitors/new' as string, search: { q: textNow(), from, to } as never });
}
