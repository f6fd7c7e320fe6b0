import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Catalogue, useCatalogue } from '../data/catalogue.js';
import { HOUR, instantText, parseInstant } from '../data/time/instants.js';
import { type Cell, textOf } from '../data/answers/cells.js';
import type { RowSource } from './row-source.js';
import styles from './trace-links.module.css';

/** Fields that name the trace that an event belongs to. */
const NAMES = ['trace_id', 'traceId', 'trace.id', 'TraceId', 'traceid', 'otel.trace_id', 'dd.trace_id'];

export const isTraceId = (text: string): boolean => /^([\da-f]{16}|[\da-f]{32})$/i.test(text);

const isTraceCell = (field: string, cell: Cell): cell is string =>
  typeof cell === 'string' && NAMES.includes(field) && isTraceId(cell);

/** A trace, and about when it was. */
interface TraceAt {
  readonly traceId: string;
  readonly time: bigint | undefined;
}

/** The trace of a row; undefined if it names none. */
export function traceOf(source: RowSource, row: number): TraceAt | undefined {
  for (const field of NAMES) {
    const cell = source.cell(row, field);
    if (isTraceCell(field, cell)) return { traceId: cell, time: parseInstant(textOf(source.cell(row, '_time'))) };
  }
  return undefined;
}

/**
 * Where spans of a trace are to be looked for: where somebody is, if there are spans, else the
 * first dataset that has some.
 */
export function spanDatasets(catalogue: Catalogue | undefined): readonly string[] {
  const has = (fields: readonly { readonly name: string }[], name: string): boolean =>
    fields.some((each) => each.name === name);
  return (catalogue?.datasets ?? [])
    .filter(({ fields }) => has(fields, 'trace_id') && has(fields, 'span_id') && has(fields, 'duration'))
    .map(({ name }) => name);
}

interface TraceLinks {
  readonly hrefOf: (trace: TraceAt) => string;
  readonly open: (trace: TraceAt) => void;
}

/**
 * A trace takes seconds, and the id is all that is looked for in this time: how long before and
 * after the event.
 */
const AROUND = HOUR;

export function useTraceLinks(dataset: string | undefined): TraceLinks | undefined {
  const catalogue = useCatalogue();
  const navigate = useNavigate();
  return useMemo(() => {
    const places = spanDatasets(catalogue);
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
  }, [catalogue, dataset, navigate]);
}

const Links = createContext<TraceLinks | undefined>(undefined);

/** Makes ids of traces below it links. */
export const LinkTraces = ({
  links,
  children,
}: {
  readonly links: TraceLinks | undefined;
  readonly children: ReactNode;
}) => <Links value={links}>{children}</Links>;

/** A value; as a link, if it is the id of a trace. */
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
      title="Follow the trace"
      onClick={(event) => {
        event.preventDefault();
        // With Ctrl, ⌘ or Alt the value is included or excluded, as any other.
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        event.stopPropagation();
        links.open(trace);
      }}
    >
      {children}
    </a>
  );
}
