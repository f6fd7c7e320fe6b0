import { useState } from 'react';
import { api } from '../../../data/api.js';
import type { Monitor } from '../../../data/alerts.js';
import { wordsOfMinutes } from '../../../data/format-units.js';
import type { RoutesTest } from '../../../data/alerting/routes.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { errorText } from '../../../widgets/states.js';
import { labelsIn } from '../label-lines.js';
import styles from '../monitors.module.css';
import type { Names } from './route-tree.js';

const severities = ['info', 'warning', 'error', 'critical'] as const;

/** Asks the server which notifiers a monitor, or one with these labels, would notify. */
export function WhoIsNotified({
  monitors,
  names,
  result,
  onResult,
}: {
  readonly monitors: readonly Monitor[];
  readonly names: Names;
  readonly result: RoutesTest | undefined;
  readonly onResult: (result: RoutesTest | undefined) => void;
}) {
  const [monitorId, setMonitorId] = useState('');
  const [labels, setLabels] = useState('');
  const [severity, setSeverity] = useState<(typeof severities)[number]>('error');
  const [problem, setProblem] = useState<string>();
  const ask = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const body = monitorId === '' ? { labels: labelsIn(labels), severity } : { monitorId };
      onResult(await api.call('testNotificationRoutes', { body }));
    } catch (error) {
      onResult(undefined);
      setProblem(errorText(error));
    }
  };
  const changeHandler =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      onResult(undefined);
    };
  return (
    <>
      <h2 className={styles.heading}>Who would be notified?</h2>
      <Select
        label="Monitor"
        value={monitorId}
        choices={[{ id: '', title: 'One with these labels' }, ...monitors.map(({ id, name }) => ({ id, title: name }))]}
        onChange={changeHandler(setMonitorId)}
      />
      {monitorId === '' && (
        <>
          <TextField
            label="Labels"
            value={labels}
            onChange={changeHandler(setLabels)}
            lines={2}
            placeholder="team=payments"
            description="One per line"
            mono
          />
          <Select
            label="Severity"
            value={severity}
            choices={severities.map((id) => ({ id, title: id }))}
            onChange={changeHandler(setSeverity)}
          />
        </>
      )}
      <Button onPress={() => void ask()}>Show</Button>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {result !== undefined && <Result result={result} names={names} />}
    </>
  );
}

function Result({ result: { own, routes }, names }: { readonly result: RoutesTest; readonly names: Names }) {
  const notified = [
    ...own.map((id) => ({ name: names.notifier(id), why: 'named by the monitor' })),
    ...routes.flatMap(({ index, name, notifierIds, escalation }) => [
      ...notifierIds.map((id) => ({ name: names.notifier(id), why: `route ${index + 1}, ${name}` })),
      ...(escalation?.notifierIds ?? []).map((id) => ({
        name: names.notifier(id),
        why: `after ${wordsOfMinutes(escalation?.afterMinutes ?? 0)}, route ${index + 1}, ${name}`,
      })),
    ]),
  ];
  return (
    <ul className={styles.messages} aria-label="Notified" role="list">
      {notified.length === 0 && <li>No notifier.</li>}
      {notified.map(({ name, why }) => (
        <li key={`${name} ${why}`}>
          <strong>{name}</strong> <span className={styles.hint}>{why}</span>
        </li>
      ))}
    </ul>
  );
}
