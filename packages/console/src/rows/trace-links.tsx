import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Catalog, useCatalog } from '../data/catalog.js';
import { HOUR, instantText, parseInstant } from '../data/time/instants.js';
import { type Cell, textOf } from '../data/results/cells.js';
import { isTraceId, traceFields } from '../data/results/trace-ids.js';
import type { RowSource } from './row-source.js';
import styles from './trace-links.module.css';

const isTraceCell = (field: string, cell: Cell): cell is string =>
  typeof cell === 'string' && mayBeTrace(field) && isTraceId(cell);

/** A trace, and its approximate time. */
interface TraceAt {
  readonly traceId: string;
  readonly time: bigint | undefined;
}

/** Trace of a row; undefined if it has none. */
export function traceOf(source: RowSource, row: number): TraceAt | undefined {
  for (const field of traceFields) {
    const cell = source.cell(row, field);
    if (isTraceCell(field, cell)) return { traceId: cell, time: parseInstant(textOf(source.cell(row, '_time'))) };
  }
  return undefined;
}

/** Dataset to search for a trace: the current one if it has spans, otherwise the first that has. */
export function spanDatasets(catalog: Catalog | undefined): readonly string[] {
  const has = (fields: readonly { readonly name: string }[], name: string): boolean =>
    fields.some((each) => each.name === name);
  return (catalog?.datasets ?? [])
    .filter(({ fields }) => has(fields, 'trace_id') && has(fields, 'span_id') && has(fields, 'duration'))
    .map(({ name }) => name);
}

interface TraceLinks {
  readonly hrefOf: (trace: TraceAt) => string;
  readonly open: (trace: TraceAt) => void;
}

/** Margin around the event: a trace takes seconds, and the search by ID within it is cheap. */
const AROUND = HOUR;

export function useTraceLinks(dataset: string | undefined): TraceLinks | undefined {
  const catalog = useCatalog();
  const navigate = useNavigate();
  return useMemo(() => {
    const places = spanDatasets(catalog);
    const place = dataset !== undefined && places.includes(dataset) ? dataset : (places[0] ?? dataset);
    if (place === undefined) return undefined;
    const pathOf = ({ traceId }: TraceAt): string =>
      `/trace/${encodeURIComponent(place)}/${encodeURIComponent(traceId)}`;
    const rangeOf = ({ time }: TraceAt): Record<string, string> =>
      time === undefined ? {} : { from: instantText(time - AROUND), to: instantText(time + AROUND) };
    return {
      hrefOf: (trace) => `/console${pathOf(trace)}?${new URLSearchParams(rangeOf(trace)).toString()}`,
      open: (trace) => void navigate({ to: pathOf(trace) as string, search: rangeOf(trace) as never }),
    };
  }, [catalog, dataset, navigate]);
}

const Links = createContext<TraceLinks | undefined>(undefined);

/** Turns trace IDs below it into links. */
export const LinkTraces = ({
  links,
  children,
}: {
  readonly links: TraceLinks | undefined;
  readonly children: ReactNode;
}) => <Links value={links}>{children}</Links>;

/** Whether values of a field may be trace IDs. */
export const mayBeTrace = (field: string): boolean => traceFields.includes(field);

/** A value; as a link if it is a trace ID. */
export function TraceLink({
  source,
  row,
  field,
  cell,
  children,
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly field: string;
  readonly cell: Cell;
  readonly children: ReactNode;
}) {
  const links = useContext(Links);
  if (links === undefined || !isTraceCell(field, cell)) return children;
  const trace = { traceId: cell, time: parseInstant(textOf(source.cell(row, '_time'))) };
  return (
    <a
      className={styles.link}
      href={links.hrefOf(trace)}
      tabIndex={-1}
      title="Open trace"
      onClick={(event) => {
        event.preventDefault();
        // With Ctrl, ⌘ or Alt the value is included or excluded, like any other.
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        event.stopPropagation();
        links.open(trace);
      }}
    >
      {children}
    </a>
  );
}
