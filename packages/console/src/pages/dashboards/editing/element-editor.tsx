import { useEffect, useMemo, useState } from 'react';
import { QueryEditor } from '../../../editor/query-editor.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { Tabs } from '../../../widgets/tabs.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../board.module.css';
import { type Chart, membersOf, queryOf } from '../document/document.js';
import { withChart, withMember } from '../document/edits.js';
import { Element } from '../element.js';
import { type ElementOption, optionsOfKind } from './element-options.js';
import { elementTable, kindOf } from '../elements/element-table.js';
import { columnOption, withColumnOption } from '../elements/time-series-options.js';
import { JsonField } from './json-field.js';
import { type Asking, everythingOf } from '../questions.js';
import type { Draft } from './use-draft.js';
import { useRunner } from '../use-runner.js';

const ignore = (): void => {};
const noValues = (): Promise<readonly string[]> => Promise.resolve([]);

/** An element with its query, its options, its JSON, and what it looks like. */
export function ElementEditor({
  chart,
  draft,
  asking,
  zone,
  onDone,
}: {
  readonly chart: Chart;
  readonly draft: Draft;
  readonly asking: Asking;
  readonly zone: string;
  readonly onDone: () => void;
}) {
  const kind = kindOf(chart.type);
  const asks = kind?.asks === true;
  const [tab, setTab] = useState(asks ? 'query' : 'options');
  const found = queryOf(chart);
  const apl = 'apl' in found ? found.apl : '';
  const [text, setText] = useState(apl);
  const runner = useRunner();
  useEffect(() => runner.want(everythingOf(chart, kind, asking)), [runner, chart, kind, asking]);
  const put = (next: Chart): void => draft.change((before) => withChart(before, chart.id, next));
  const set = (path: readonly string[], value: unknown): void => put(withMember(chart, path, value) as Chart);
  const run = (): void => {
    if (text === apl) runner.refresh('wanted');
    else set(['query', 'apl'], text);
  };
  const options = useMemo(() => optionsOfKind(chart.type, asks), [chart.type, asks]);
  return (
    <div className={styles.form}>
      <div className={styles.preview}>
        <Element chart={chart} asking={asking} runner={runner} zone={zone} onRange={ignore} />
      </div>
      <Tabs
        label="What to change"
        open={tab}
        onOpen={setTab}
        tabs={[
          ...(asks
            ? [
                {
                  id: 'query',
                  title: 'Query',
                  content: (
                    <div className={styles.form}>
                      <QueryEditor
                        text={text}
                        onChange={setText}
                        onRun={run}
                        onFindings={ignore}
                        valuesOf={noValues}
                        label="Query of the element"
                      />
                      <div className={styles.row}>
                        <Button kind="primary" onPress={run}>
                          {text === apl ? 'Run again' : 'Apply and run'}
                        </Button>
                      </div>
                    </div>
                  ),
                },
              ]
            : []),
          {
            id: 'options',
            title: 'Options',
            content: (
              <div className={styles.form}>
                {asks && (
                  <Select
                    label="Kind"
                    value={chart.type}
                    onChange={(type) => put({ ...chart, type })}
                    choices={Object.entries(elementTable)
                      .filter(([, each]) => each.asks)
                      .map(([id, { title }]) => ({ id, title }))}
                  />
                )}
                {options.map((option) => (
                  <OptionField key={option.path.join('.')} option={option} chart={chart} onChange={set} />
                ))}
              </div>
            ),
          },
          {
            id: 'json',
            title: 'JSON',
            content: (
              <JsonField
                key={JSON.stringify(chart)}
                label="Element"
                value={chart}
                lines={18}
                problemOf={(value) =>
                  typeof membersOf(value)['type'] === 'string' ? undefined : 'An element needs a type.'
                }
                onChange={(value) => {
                  put(value as Chart);
                  const changed = queryOf(value as Chart);
                  setText('apl' in changed ? changed.apl : '');
                }}
              />
            ),
          },
        ]}
      />
      <div className={styles.row}>
        <Button
          onPress={() => {
            if (asks && text !== apl) set(['query', 'apl'], text);
            onDone();
          }}
        >
          Done
        </Button>
      </div>
    </div>
  );
}

function OptionField({
  option: { path, label, choices, lines, ofColumns },
  chart,
  onChange,
}: {
  readonly option: ElementOption;
  readonly chart: Chart;
  readonly onChange: (path: readonly string[], value: unknown) => void;
}) {
  const found =
    ofColumns === undefined
      ? path.reduce<unknown>((members, name) => membersOf(members)[name], chart)
      : columnOption(chart, ofColumns);
  const value = found === undefined || found === null ? '' : String(found);
  const [typed, setTyped] = useState(value);
  // A document that has a boolean or a number there gets one again.
  const taken = (text: string): unknown =>
    text === ''
      ? undefined
      : typeof found === 'number'
        ? Number(text)
        : text === 'true' || text === 'false'
          ? text === 'true'
          : text;
  if (choices !== undefined)
    return (
      <Select
        label={label}
        value={value}
        onChange={(next) =>
          onChange(path, ofColumns === undefined ? taken(next) : withColumnOption(chart, ofColumns, taken(next)))
        }
        choices={[
          { id: '', title: 'Not set' },
          ...choices,
          ...(value === '' || choices.some(({ id }) => id === value) ? [] : [{ id: value, title: value }]),
        ]}
      />
    );
  const done = (): void => {
    if (typed !== value) onChange(path, taken(typed));
  };
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      onBlur={done}
      {...(lines === undefined ? { onKeyDown: (event) => event.key === 'Enter' && done() } : { lines })}
    />
  );
}
