import type { DatasetInfo } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { bytesText, countOf } from '../../data/format-units.js';
import { datasetText } from '../../data/apl-text.js';
import { askNumbers, EVER } from '../../data/scalar-query.js';

const DAY_MILLISECONDS = 86_400_000;

/** Number of events older than this many days, which a retention would delete. */
export const useOlderEvents = (dataset: string, days: number | undefined) =>
  useQuery({
    queryKey: ['older-events', dataset, days],
    enabled: days !== undefined,
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const to = new Date(Date.now() - days! * DAY_MILLISECONDS).toISOString();
      const { events = 0 } = await askNumbers(
        `${datasetText(dataset)} | summarize events = count()`,
        { from: EVER, to },
        signal,
      );
      return events;
    },
  });

/** `12,000 events, about 3.4 MB`. Bytes are estimated from the share of events. */
export function amountText(events: number, info: DatasetInfo | undefined): string {
  const share = info === undefined || info.numEvents === 0 ? 0 : events / info.numEvents;
  const bytes = share * (info?.compressedBytes ?? 0);
  return events === 0 ? 'no event' : `${countOf(events, 'event')}, about ${bytesText(bytes)}`;
}
