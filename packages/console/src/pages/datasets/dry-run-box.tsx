import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { countOf } from '../../data/format-units.js';
import { Button } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { errorText } from '../../widgets/states.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './datasets.module.css';
import { type Preview, previewOf } from './event-preview.js';
import { sendEvents } from './send-events.js';
import { ReceiptView } from './receipt-view.js';

const example = '{"level":"info","msg":"hello","status":200,"duration_ms":12.5}\n';

/** Text box for events: preview, send, and the result. */
export function TryBox({ dataset }: { readonly dataset: string }) {
  const [text, setText] = useState(example);
  const preview = usePreview(text);
  const [usesTime, setUsesTime] = useState(true);
  const timeField = usesTime ? preview.timeField : undefined;
  const send = useMutation({ mutationFn: () => sendEvents(dataset, text, preview.format, timeField) });
  const submit = (): void => {
    if (preview.events > 0 && !send.isPending) send.mutate();
  };
  return (
    <>
      <TextField
        label="Events: JSON, one object a line, or CSV"
        lines={7}
        mono
        value={text}
        onChange={(next) => {
          setText(next);
          send.reset();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <PreviewView preview={preview} usesTime={usesTime} onUseTime={setUsesTime} />
      <div className={styles.send}>
        <Button
          kind="primary"
          onPress={submit}
          disabled={preview.events === 0 || send.isPending}
          needs={{ dataset, can: 'ingest', action: 'create' }}
        >
          {send.isPending ? 'Sending…' : `Send ${countOf(preview.events, 'event')}`}
        </Button>
        <kbd>Ctrl</kbd>
        <kbd>↵</kbd>
      </div>
      {send.error !== null && (
        <p role="alert" className={styles.problem}>
          {errorText(send.error)}
        </p>
      )}
      {send.data !== undefined && <ReceiptView sent={send.data} dataset={dataset} />}
    </>
  );
}

/** Deferred, so that it never delays typing. */
function usePreview(text: string): Preview {
  const settled = useDeferredValue(text);
  return useMemo(() => previewOf(settled), [settled]);
}

function timeText(hasTime: boolean, timeField: string | undefined): string {
  if (hasTime) return "Uses the events' _time.";
  return timeField === undefined
    ? 'Events without _time get their arrival time.'
    : `Uses ${timeField} as the event time: senders set timestamp-field=${timeField}.`;
}

const PreviewView = ({
  preview: { format, events, fields, mistakes, hasTime, timeField },
  usesTime,
  onUseTime,
}: {
  readonly preview: Preview;
  readonly usesTime: boolean;
  readonly onUseTime: (uses: boolean) => void;
}) => (
  <div className={styles.preview} role="status" aria-label="Preview">
    <p>
      {countOf(events, 'event')} as {format === 'csv' ? 'CSV' : 'JSON'}.{' '}
      {events > 0 && timeText(hasTime, usesTime ? timeField : undefined)}
    </p>
    {timeField !== undefined && (
      <Checkbox checked={usesTime} onChange={onUseTime}>
        Use <code>{timeField}</code> as the event time
      </Checkbox>
    )}
    {fields.length > 0 && (
      <ul className={styles.types} aria-label="Fields">
        {fields.slice(0, 60).map(({ name, types, example: value }) => (
          <li key={name} title={value}>
            <Chip tone={types.length > 1 ? 'warn' : 'plain'}>
              <code>{name}</code> {types.join(' | ')}
            </Chip>
          </li>
        ))}
      </ul>
    )}
    {mistakes.map(({ at, line, text }) => (
      <p key={`${line} ${at}`} className={styles.problem}>
        Line {line}, byte {at}: {text}
      </p>
    ))}
  </div>
);
