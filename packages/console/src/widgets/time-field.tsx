import { Clock } from 'lucide-react';
import { useState } from 'react';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { setTaste, useTaste } from '../data/taste.js';
import { nowInstant } from '../data/time/instants.js';
import { parseRange, presets, type Range, rangeTitle } from '../data/time/ranges.js';
import { isZone, zoneLabel, zoneName } from '../data/time/zones.js';
import { Button } from './button.js';
import { cx } from './class-names.js';
import menu from './menu.module.css';
import { TextField } from './text-field.js';
import styles from './time-field.module.css';

const MOST_RECENT = 5;

/** The range: one field that understands what people type, the usual ranges, recent ones, and the zone of all times. */
export function TimeField({
  range,
  zone,
  open,
  onOpen,
  onRange,
  onZone,
}: {
  readonly range: Range;
  readonly zone: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onRange: (range: Range) => void;
  readonly onZone: (zone: string) => void;
}) {
  const title = rangeTitle(range, zone);
  return (
    <DialogTrigger isOpen={open} onOpenChange={onOpen}>
      <Button hint="Range and time zone">
        <Clock aria-hidden />
        <span className={styles.title}>{title}</span>
        <span className={styles.zone}>{zoneLabel(zone)}</span>
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
}: {
  readonly title: string;
  readonly zone: string;
  readonly onRange: (range: Range) => void;
  readonly onZone: (zone: string) => void;
}) {
  const { recentRanges } = useTaste();
  const [typed, setTyped] = useState(title);
  const [wrong, setWrong] = useState(false);
  const [zoneText, setZoneText] = useState(zone === 'local' || zone === 'UTC' ? '' : zone);
  const take = (text: string): void => {
    const found = parseRange(text, nowInstant(), zone);
    if (found === undefined) return setWrong(true);
    if (!presets.some((each) => each.title === text))
      setTaste({ recentRanges: [text, ...recentRanges.filter((each) => each !== text)].slice(0, MOST_RECENT) });
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
        mono
        description="15m · -1h..-30m · yesterday 14:00 · 2026-11-26 10:00..11:00 · an epoch · RFC 3339"
        problem={wrong ? 'This is no range' : undefined}
      />
      <div className={styles.columns}>
        <ul className={styles.list} aria-label="Usual ranges">
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
            <ul className={styles.list} aria-label="Recent ranges">
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
          problem={zoneText !== '' && !isZone(zoneText) ? 'No zone has this name' : undefined}
        />
      </div>
    </>
  );
}
