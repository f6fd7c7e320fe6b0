import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import { bytesText, shortAmount } from '../data/format-units.js';
import { api } from '../data/api.js';
import { requestOf } from '../data/run-query.js';
import { Hint } from '../widgets/overlays/tooltip.js';
import { Button } from '../widgets/inputs/button.js';
import { cx } from '../widgets/class-names.js';
import styles from './workbench.module.css';
import type { Range } from '../data/time/ranges.js';

const TYPING_MILLISECONDS = 400;
const DEAR = 1e9;
const TOO_DEAR = 50e9;

/** Estimated maximum of bytes that the query would read. */
export function Cost({ text, range: { from, to } }: { readonly text: string; readonly range: Range }) {
  const [estimatedText, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    queryKey: ['cost', estimatedText, from, to],
    queryFn: ({ signal }) => api.call('estimateQuery', { body: requestOf({ apl: estimatedText, from, to }), signal }),
    enabled: estimatedText.trim() !== '',
    staleTime: 30_000,
    retry: false,
  });
  return data === undefined ? null : <Estimate rows={data.rows} bytes={data.bytes} />;
}

const Estimate = memo(function Estimate({ rows, bytes }: { readonly rows: number; readonly bytes: number }) {
  return (
    <Hint text="Upper bound of data read after partition and index pruning">
      <Button
        small
        kind="quiet"
        className={cx(styles.cost, bytes > TOO_DEAR ? styles.tooDear : bytes > DEAR && styles.dear)}
      >
        ≈ {shortAmount(rows).trimEnd()} rows · {bytesText(bytes)}
      </Button>
    </Hint>
  );
});
