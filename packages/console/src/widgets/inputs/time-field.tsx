import { Clock } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { nowInstant } from '../../data/time/instants.js';
import { parseRange, presets, type Range, rangeTitle } from '../../data/time/ranges.js';
import { isZone, zoneLabel, zoneName } from '../../data/time/zones.js';
import { Button } from './button.js';
import { cx } from '../class-names.js';
import { LoadingNotice } from '../states.js';
import menu from '../overlays/menu.module.css';
import { SegmentedInput } from './segmented-input.js';
import { TextField } from './text-field.js';
import styles from './time-field.module.css';

const DayRange = lazy(() => import('./day-range.js').then(({ DayRange }) => ({ default: DayRange })));

const MAX_RECENT = 5;

interface Refresh {
  readonly value: string;
  /** The first is never. */
  readonly choices: readonly string[];
  readonly onChange: (value: string) => void;
}

/** Range picker: a text field, presets, recent ranges, and the time zone. */
export function TimeField({
  range,
  zone,
  open,
  onOpen,
  onRange,
  onZone,
  refresh,
}: {
  readonly range: Range;
  readonly zone: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onRange: (range: Range) => void;
  readonly onZone: (zone: string) => void;
  /** Refresh interval, where supported. */
  readonly refresh?: Refresh;
}) {
  const title = rangeTitle(range, zone);
  return (
    <DialogTrigger isOpen={open} onOpenChange={onOpen}>
      <Button hint="Range and time zone">
        <Clock aria-hidden />
        <span className={styles.title}>{title}</span>
        <span className={styles.zone}>{zoneLabel(zone)}</span>
        {refresh !== undefined && refresh.value !== refresh.choices[0] && (
          <span className={styles.zone}>every {refresh.value}</span>
        )}
      </Button>
      <Popover className={cx(menu.popover, styles.popover)} offset={4} placement="bottom end">
        <AriaDialog aria-label="Range and time zone" className={styles.dialog!}>
          <Choices
            title={title}
            zone={zone}
            onRange={(next) => {
              onOpen(false);
              onRange(next);
            }}
            onZone={onZone}
            refresh={refresh}
          />
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}

function Choices({
  title,
  zone,
  onRange,
  onZone,
  refresh,
}: {
  readonly title: string;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
  readonly onZone: (zone: string) => void;
  readonly refresh: Refresh | undefined;
}) {
  const { recentRanges } = usePreferences();
  const [typed, setTyped] = useState(title);
  const [wrong, setWrong] = useState(false);
  const [zoneText, setZoneText] = useState(zone === 'local' || zone === 'UTC' ? '' : zone);
  const take = (text: string): void => {
    const found = parseRange(text, nowInstant(), zone);
    if (found === undefined) return setWrong(true);
    if (!presets.some((each) => each.title === text))
      setPreferences({ recentRanges: [text, ...recentRanges.filter((each) => each !== text)].slice(0, MAX_RECENT) });
    onRange(found);
  };
  return (
    <>
      <TextField
        label="Range"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        onKeyDown={(event) => event.key === 'Enter' && take(typed)}
        autoFocus
        selectOnFocus
        mono
        description="15m · -1h..-30m · yesterday 14:00 · 2026-11-26 10:00..11:00 · an epoch · RFC 3339"
        problem={wrong ? 'Invalid time range' : undefined}
      />
      <div className={styles.columns}>
        <ul aria-label="Quick ranges">
          {presets.map((preset) => (
            <li key={preset.title}>
              <Button small kind="quiet" className={styles.choice} onPress={() => onRange(preset)}>
                {preset.title}
              </Button>
            </li>
          ))}
        </ul>
        <div>
          {recentRanges.length > 0 && (
            <ul aria-label="Recent ranges">
              {recentRanges.map((each) => (
                <li key={each}>
                  <Button small kind="quiet" className={styles.choice} onPress={() => take(each)}>
                    {each}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <Suspense fallback={<LoadingNotice />}>
        <DayRange zone={zone} onRange={onRange} />
      </Suspense>
      {refresh !== undefined && (
        <div className={styles.refresh}>
          <span>Auto-refresh</span>
          <SegmentedInput
            label="Auto-refresh"
            value={refresh.value}
            choices={refresh.choices.map((id) => ({ id, title: id }))}
            onChange={refresh.onChange}
          />
        </div>
      )}
      <div className={styles.zones}>
        <Button small pressed={zone === 'local'} kind="quiet" onPress={() => onZone('local')}>
          Local ({zoneName('local')})
        </Button>
        <Button small pressed={zone === 'UTC'} kind="quiet" onPress={() => onZone('UTC')}>
          UTC
        </Button>
        <TextField
          label="Another zone"
          bare
          placeholder="Europe/Berlin"
          value={zoneText}
          onChange={setZoneText}
          onKeyDown={(event) => event.key === 'Enter' && isZone(zoneText) && onZone(zoneText)}
          problem={zoneText !== '' && !isZone(zoneText) ? 'Unknown time zone' : undefined}
        />
      </div>
    </>
  );
}
