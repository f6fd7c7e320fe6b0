import { useQuery } from '@tanstack/react-query';
import { textOf } from '../../data/answers/cells.js';
import { useCatalogue } from '../../data/catalogue.js';
import { runQuery } from '../../data/run-query.js';
import { Moment } from '../../widgets/moment.js';
import styles from './welcome.module.css';

const LOOK_AGAIN_MILLISECONDS = 3000;
const SHOWN = 3;
const AUDIT = 'millrace-audit';

/** What was refused while somebody tries: a wrong token or a missing right is what people get wrong first. The audit log has one of each kind a minute. */
export function Refusals() {
  const isThere = useCatalogue()?.datasets.some(({ name }) => name === AUDIT) === true;
  const { data } = useQuery({
    queryKey: ['refusals'],
    queryFn: async ({ signal }) => {
      const apl = `['${AUDIT}']\n| where outcome == 'refused' and method == 'POST'\n| project _time, operation, message\n| take ${SHOWN}`;
      const { table } = await runQuery({ apl, from: 'now-15m', to: 'now' }, 'aside', signal);
      const column = (name: string) => table.columns[table.head.fields.findIndex((each) => each.name === name)] ?? [];
      const [operations, messages] = [column('operation'), column('message')];
      return column('_time').map((time, row) => ({
        time: textOf(time),
        text: `${textOf(operations[row] ?? null)}: ${textOf(messages[row] ?? null)}`,
      }));
    },
    enabled: isThere,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
    staleTime: 0,
    // Whoever may not read the audit log sees no refusals here, and nothing else is missing.
    retry: false,
  });
  if (data === undefined || data.length === 0) return null;
  return (
    <ul className={styles.refusals} aria-label="Refused in the last minutes">
      {data.map(({ time, text }) => (
        <li key={`${time} ${text}`}>
          <strong>Refused</strong> <Moment at={time} /> · {text}
        </li>
      ))}
    </ul>
  );
}
