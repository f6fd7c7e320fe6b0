import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { readPrometheusText, type Scrape } from './prometheus-text.js';

const EVERY_MILLISECONDS = 5000;
const SOON_MILLISECONDS = 1000;
/** Ten minutes of scrapes. */
const MAX_KEPT = 121;

/** Survives navigation to other pages. */
let recentScrapes: readonly Scrape[] = [];

/**
 * Metrics of the last ten minutes while this page was open; scraped every five seconds while the
 * tab is visible.
 */
export const useScrapes = () =>
  useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => {
      const bytes = await api.call('getMetrics', { signal });
      const scrape = readPrometheusText(new TextDecoder().decode(bytes), Date.now());
      recentScrapes = [...recentScrapes, scrape].slice(-MAX_KEPT);
      return recentScrapes;
    },
    staleTime: 0,
    // The second follows soon: a rate needs two.
    refetchInterval: () => (recentScrapes.length < 2 ? SOON_MILLISECONDS : EVERY_MILLISECONDS),
  });
