import { useRef, useState } from 'react';
import { api } from '../../../data/api.js';
import { requestOf } from '../../../data/run-query.js';
import { Button } from '../../../widgets/inputs/button.js';
import { errorText } from '../../../widgets/states.js';
import { Select } from '../../../widgets/inputs/select.js';
import styles from '../query.module.css';
import type { SheetProps } from './query-drawers.js';
import { rowsAs } from '../result/format-rows.js';
import { tableColumns } from '../result/shown-columns.js';
import { saveStream, saveText } from '../../../data/save-file.js';

const formats = [
  { id: 'csv', title: 'CSV' },
  { id: 'ndjson', title: 'NDJSON' },
  { id: 'parquet', title: 'Parquet' },
] as const;

/** Exports the full result from the server, or the loaded rows. */
export function Export({ access, result }: SheetProps) {
  const [format, setFormat] = useState<(typeof formats)[number]['id']>('csv');
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [busy, setBusy] = useState(false);
  const { q, from, to, asof } = access.state;
  const name = `query.${format}`;
  const everything = async (): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    setProblem(undefined);
    try {
      const request = (): Promise<Response> =>
        api.send('export', {
          body: { ...requestOf({ apl: q, from, to, ...(asof !== '' && { asOf: asof }) }), format },
          signal: stop.signal,
        });
      await saveStream(request, name, setDone);
    } catch (error) {
      setProblem(stop.signal.aborted ? 'Stopped.' : errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const markSeen = (): void => {
    const columns = tableColumns(access, result).map((each) => each.name);
    const as = format === 'csv' ? 'csv' : 'ndjson';
    saveText(rowsAs(as, result.source, columns), `rows.${as}`);
  };
  return (
    <div className={styles.form}>
      <Select label="Format" value={format} choices={formats} onChange={setFormat} />
      <p>Full result, without row limit:</p>
      {busy ? (
        <Button kind="danger" onPress={() => running.current?.abort()}>
          Stop ({((done ?? 0) / 1e6).toFixed(1)} MB)
        </Button>
      ) : (
        <Button kind="primary" onPress={() => void everything()}>
          Export everything
        </Button>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {!busy && done !== undefined && problem === undefined && <p role="status">{(done / 1e6).toFixed(1)} MB saved.</p>}
      <p>
        What is on the screen: {result.source.rows.toLocaleString('en')} rows, in their order, with the columns of the
        table:
      </p>
      <Button onPress={markSeen} disabled={format === 'parquet'}>
        Export visible rows
      </Button>
    </div>
  );
}
