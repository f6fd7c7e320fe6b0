import { useQuery } from '@tanstack/react-query';
import { api } from '../../../data/api.js';
import { textOf } from '../../../data/results/cells.js';
import { positionOfCursor } from '../../../data/tail/earlier-rows.js';
import { parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import type { RowSource } from '../../../rows/row-source.js';
import { CopyButton } from '../../../widgets/copy-button.js';
import { errorText } from '../../../widgets/states.js';
import styles from './detail.module.css';

/** Ingest time and storage state of an event. */
export function ReceiptTab({
  cursor,
  source,
  row,
  zone,
}: {
  readonly cursor: string;
  readonly source: RowSource;
  readonly row: number;
  readonly zone: string;
}) {
  const position = positionOfCursor(cursor);
  const { data, error } = useQuery({
    queryKey: ['receipt', position],
    queryFn: ({ signal }) => api.call('getReceipt', { params: { position }, signal }),
  });
  const [time, arrived] = ['_time', '_sysTime'].map((name) => parseInstant(textOf(source.cell(row, name))));
  return (
    <dl className={styles.receipt}>
      <dt>Event time</dt>
      <dd>{time === undefined ? '–' : zonedText(time, zone, 9)}</dd>
      <dt>Arrived</dt>
      <dd>{arrived === undefined ? 'not in this result set set' : zonedText(arrived, zone, 9)}</dd>
      <dt>Lag</dt>
      <dd>{time === undefined || arrived === undefined ? '–' : `${Number(arrived - time) / 1e6} ms`}</dd>
      <dt>Position</dt>
      <dd>{position}</dd>
      <dt>State</dt>
      <dd>{data === undefined ? (error === null ? '…' : errorText(error)) : data.state}</dd>
      <dt>Cursor</dt>
      <dd>
        <code>{cursor}</code> <CopyButton text={cursor} label="Copy the cursor" />
      </dd>
    </dl>
  );
}
