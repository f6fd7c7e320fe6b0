import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { readPrometheusText, type Scrape } from './prometheus-text.js';

const EVERY_MILLISECONDS = 5000;
const SOON_MILLISECONDS = 1000;
/** Ten minutes of them. */
const MOST_KEPT = 121;

/** Stays while other pages are looked at: whoever comes back sees where it was. */
let kept: readonly Scrape[] = [];

/**
 * The figures of the server of the last ten minutes, as far as this page was open; a new scrape
 * every five seconds while the tab is in view.
 */
export const useScrapes = () =>
  useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => {
      const bytes = await api.call('getMetrics', { signal });
      const scrape = readPrometheusText(new TextDecoder().decode(bytes), Date.now());
      kept = [...kept, scrape].slice(-MOST_KEPT);
      return kept;
    },
    staleTime: 0,
    // The second follows soon: there is no rate with one alone.
    refetchInterval: () => (kept.length < 2 ? SOON_MILLISECONDS : EVERY_MILLISECONDS),
  });
