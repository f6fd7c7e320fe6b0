import { useNavigate } from '@tanstack/react-router';
import { ArrowUpNarrowWide, Bell, BellRing, Pause, Play, Search, WrapText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { datasetText, sourceIn } from '../../data/apl-text.js';
import { useCatalog } from '../../data/catalog.js';
import { useCommands } from '../../data/commands.js';
import { consoleUrl } from '../../data/address/console-path.js';
import { useTail } from '../../data/tail/use-tail.js';
import { queryParam, choiceParam, flagParam, listParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { HighlightTerms } from '../../rows/highlights.js';
import { QueryEditor } from '../../editor/query-editor.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { useNarrow } from '../../widgets/use-narrow-screen.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { EmptyState, ErrorState } from '../../widgets/states.js';
import { DatasetPicker } from '../../workbench/dataset-picker.js';
import styles from './live.module.css';
import { PausedBar } from './paused-bar.js';
import { standingWords } from './connection-status.js';
import { TailFigures } from './tail-stats.js';
import { TailLook } from './tail-options.js';
import { TailRows } from './tail-rows.js';
import { useEarlier } from './use-earlier.js';
import { useNotifications } from './use-notifications.js';
import { usePaused } from './use-paused.js';
import { useUsualQuery } from './use-usual-query.js';
import { useUnseen } from './use-unread.js';

const params = {
  q: queryParam(textParam()),
  after: queryParam(textParam()),
  wrap: flagParam(),
  /** Position of the newest event: at the bottom, as in a terminal, or at the top. */
  newest: choiceParam(['end', 'top'], 'end'),
  /** Fields after the message; all if none is named. */
  c: listParam(),
  /** Words to highlight. */
  mark: listParam(),
};
/** Start of a tail. */
interface Start {
  readonly position: string;
  /** Server time. */
  readonly at: string | undefined;
}

const SNAPSHOT = 'Open snapshot in Query';

const noValues = async (): Promise<readonly never[]> => [];

/** Live tail: events in order of arrival, including late ones, without gaps. */
export function LivePage() {
  const [{ q: asked, after, wrap, newest, c, mark }, change] = useUrlState(params);
  const catalog = useCatalog();
  const usual = useUsualQuery();
  const q = asked === '' ? usual : asked;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  /** Where the page began, once a filter has replaced the first tail. */
  const [begun, setBegun] = useState<Start>();
  const tail = useTail(q, after === '' ? begun?.position : after);
  const view = usePaused(tail.state);
  const navigate = useNavigate();
  // Phones show icons, so that the bar is one line.
  const isNarrow = useNarrow();
  const { state } = tail;
  const standing = state?.standing;
  const startedAt = begun?.at ?? state?.startedAt;
  const earlier = useEarlier(q, begun?.position ?? state?.since, after === '');
  const unseen = useUnseen(state?.next ?? 0);
  const notifications = useNotifications(unseen, q);
  const isTop = newest === 'top';
  const turn = (): void => {
    view.resume();
    change({ newest: isTop ? 'end' : 'top' });
  };
  const words = standingWords(q === '' ? undefined : standing, view.isPaused, state?.position);
  // A new filter restarts at the original start, to include events that the old one excluded.
  const run = (): void => {
    view.resume();
    if (state?.since !== undefined) setBegun(begun ?? { position: state.since, at: startedAt });
    change({ q: text.trim() });
  };
  const openSnapshot = (): void =>
    void navigate({
      to: '/query' as string,
      search: { q, from: 'now-15m', ...(state?.position !== undefined && { asof: state.position }) } as never,
    });
  const toggle = (): void => (view.isPaused ? view.resume() : view.pause());
  useCommands([
    { id: 'tail.run', title: 'Follow this query', group: 'Live', keys: ['mod+Enter'], run },
    {
      id: 'tail.pause',
      title: view.isPaused ? 'Resume' : 'Pause',
      group: 'Live',
      keys: ['Space'],
      run: toggle,
    },
    { id: 'tail.newest', title: 'Newest event', group: 'Live', keys: ['n'], run: view.resume },
    { id: 'tail.wrap', title: 'Wrap lines', group: 'Live', keys: ['w'], run: () => change({ wrap: !wrap }) },
    {
      id: 'tail.turn',
      title: isTop ? 'Newest last' : 'Newest first',
      group: 'Live',
      keys: ['r'],
      run: turn,
    },
  ]);
  return (
    <Page
      title="Live"
      scrolls={false}
      unseen={unseen}
      flow={q === '' ? 'idle' : words.flow}
      bar={
        <>
          {q !== '' && <DatasetPicker dataset={sourceIn(q)} onDataset={(name) => change({ q: datasetText(name) })} />}
          {/* On a phone the line below the bar and the bar of a pause say it. */}
          {q !== '' && !isNarrow && <Chip tone={words.tone}>{words.text}</Chip>}
          <BarSpace />
          <IconButton label="Wrap lines" pressed={wrap} onPress={() => change({ wrap: !wrap })}>
            <WrapText />
          </IconButton>
          <IconButton label="Newest first" pressed={isTop} onPress={turn}>
            <ArrowUpNarrowWide />
          </IconButton>
          {!isNarrow && (
            <IconButton
              label="Notify me about new events when this tab is in the background"
              pressed={notifications.isOn}
              onPress={notifications.toggle}
            >
              {notifications.isOn ? <BellRing /> : <Bell />}
            </IconButton>
          )}
          {state?.position !== undefined && (
            <CopyButton
              words={!isNarrow}
              label="Copy link to this position"
              text={() => `${consoleUrl}tail?${new URLSearchParams({ q, after: state.position! }).toString()}`}
            />
          )}
          {isNarrow ? (
            <IconButton label={SNAPSHOT} disabled={q === ''} onPress={openSnapshot}>
              <Search />
            </IconButton>
          ) : (
            <Button disabled={q === ''} onPress={openSnapshot}>
              {SNAPSHOT}
            </Button>
          )}
          <Button
            kind={view.isPaused ? 'primary' : 'plain'}
            disabled={q === ''}
            onPress={toggle}
            label={view.isPaused ? 'Resume' : 'Pause'}
          >
            {view.isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
            {!isNarrow && (view.isPaused ? ' Resume' : ' Pause')}
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        <div className={styles.editor}>
          <QueryEditor
            label="Query to tail"
            placeholder="logs | where status >= 500"
            text={text}
            onChange={setText}
            onRun={run}
            onFindings={() => {}}
            valuesOf={noValues}
          />
        </div>
        <Button kind={text.trim() === q ? 'plain' : 'primary'} disabled={text.trim() === ''} onPress={run}>
          Follow
        </Button>
      </div>
      {q === '' ? (
        catalog !== undefined && (
          <EmptyState
            title="No datasets yet"
            actions={
              <Button kind="primary" onPress={() => void navigate({ to: '/welcome' as string })}>
                Send events
              </Button>
            }
          >
            Live shows the events of a dataset as they arrive.
          </EmptyState>
        )
      ) : standing?.kind === 'refused' && !standing.signedOut ? (
        <ErrorState title="This query cannot be tailed" error={new Error(standing.problem)} />
      ) : (
        <>
          <TailFigures state={state} />
          <TailLook
            fields={c}
            words={mark}
            onFields={(next) => change({ c: next })}
            onWords={(next) => change({ mark: next })}
          />
          <HighlightTerms value={mark}>
            <TailRows
              tail={tail}
              view={view}
              earlier={earlier}
              startedAt={startedAt}
              wrap={wrap}
              chosen={c}
              isTop={isTop}
              dataset={sourceIn(q)}
            />
          </HighlightTerms>
          {view.isPaused && <PausedBar view={view} />}
        </>
      )}
    </Page>
  );
}
