import { silences as lengths } from '../../../data/mute.js';
import { minuteText } from '../../../data/time/read-time.js';
import { zoneLabel } from '../../../data/time/zones.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { SegmentedInput } from '../../../widgets/inputs/segmented-input.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../monitors.module.css';
import { dayTitles } from './describe-silence.js';
import { type SilenceDraft, type SilenceProblems, weekdays } from './silence-draft.js';

interface Props {
  readonly draft: SilenceDraft;
  readonly zone: string;
  readonly problems: SilenceProblems;
  readonly onChange: (change: Partial<SilenceDraft>) => void;
}

const kinds = [
  { id: 'once', title: 'Once' },
  { id: 'weekly', title: 'Weekly' },
  { id: 'cron', title: 'Cron' },
] as const;

/** When a silence is active. */
export function SilenceSchedule({ draft, zone, problems, onChange }: Props) {
  const { kind, starts, ends } = draft;
  const isOnce = kind === 'once';
  return (
    <div className={styles.boxes} role="group" aria-label="Schedule">
      <SegmentedInput
        label="Repeats"
        value={kind}
        choices={kinds}
        // The end of one time is rarely that of a repetition.
        onChange={(next) =>
          onChange({ kind: next, ...(isOnce !== (next === 'once') && { ends: next === 'once' ? ends : '' }) })
        }
      />
      {!isOnce && <Repetition draft={draft} zone={zone} problems={problems} onChange={onChange} />}
      <div className={styles.pair}>
        <TextField
          label={isOnce ? `Starts, ${zoneLabel(zone)}` : `First start after, ${zoneLabel(zone)}`}
          value={starts}
          onChange={(next) => onChange({ starts: next })}
          placeholder="Now"
          mono
          problem={problems.starts}
        />
        <TextField
          label={isOnce ? `Ends, ${zoneLabel(zone)}` : `Repeats until, ${zoneLabel(zone)}`}
          value={ends}
          onChange={(next) => onChange({ ends: next })}
          placeholder={isOnce ? '2026-12-24 18:00' : 'Forever'}
          mono
          problem={problems.ends}
        />
      </div>
      {isOnce && (
        <div className={styles.groups} role="group" aria-label="End, from now">
          {lengths.map(({ id, title, until }) => (
            <Button key={id} small kind="quiet" onPress={() => onChange({ ends: minuteText(until(zone), zone) })}>
              {title}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function Repetition({ draft, problems, onChange }: Props) {
  const { kind, days, clock, cron, duration, timeZone } = draft;
  return (
    <>
      {kind === 'weekly' && (
        <div className={styles.days} role="group" aria-label="Days">
          {weekdays.map((day) => (
            <Checkbox
              key={day}
              checked={days.includes(day)}
              onChange={(checked) =>
                onChange({ days: weekdays.filter((each) => (each === day ? checked : days.includes(each))) })
              }
            >
              {dayTitles[day]}
            </Checkbox>
          ))}
          {problems.days !== undefined && <span className={styles.alert}>{problems.days}</span>}
        </div>
      )}
      <div className={styles.triple}>
        {kind === 'weekly' ? (
          <TextField
            label="Start time"
            value={clock}
            onChange={(next) => onChange({ clock: next })}
            mono
            problem={problems.clock}
          />
        ) : (
          <TextField
            label="Cron expression"
            value={cron}
            onChange={(next) => onChange({ cron: next })}
            mono
            problem={problems.cron}
            description="Minute, hour, day, month, weekday"
          />
        )}
        <TextField
          label="Duration"
          value={duration}
          onChange={(next) => onChange({ duration: next })}
          mono
          problem={problems.duration}
          description="Such as 90m or 2h"
        />
        <TextField
          label="Time zone"
          value={timeZone}
          onChange={(next) => onChange({ timeZone: next })}
          problem={problems.timeZone}
          description="Of the start"
        />
      </div>
    </>
  );
}
