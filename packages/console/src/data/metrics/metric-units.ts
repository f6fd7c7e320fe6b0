/** Units of metrics, which are written in UCUM, as units of charts. */

const names: Readonly<Record<string, string>> = {
  By: 'Byte',
  kBy: 'Kilobyte',
  MBy: 'Megabyte',
  GBy: 'Gigabyte',
  'By/s': 'BytesSec',
  'kBy/s': 'KilobytesSec',
  'MBy/s': 'MegabytesSec',
  'bit/s': 'BitsSec',
  ns: 'TimeNS',
  us: 'TimeUS',
  ms: 'TimeMS',
  s: 'TimeSec',
  min: 'TimeMin',
  h: 'TimeHour',
  d: 'TimeDay',
  '%': 'Percent100',
};

interface ChartUnit {
  /** A unit of charts. */
  readonly unit?: string;
  /** Written after numbers, if charts do not know the unit. */
  readonly suffix?: string;
}

/** @param perSecond whether the values are rates of the unit */
export function chartUnit(ucum: string, perSecond: boolean): ChartUnit {
  const whole = perSecond ? `${ucum}/s` : ucum;
  // Seconds per second are a ratio.
  if (perSecond && ['s', 'ms', 'us', 'ns'].includes(ucum)) return ucum === 's' ? {} : { suffix: whole };
  const unit = names[whole];
  if (unit !== undefined) return { unit };
  // `{request}` annotates the unit 1.
  const plain = whole.replaceAll(/[{}]/g, '').replace(/^1(?=\/|$)/, '');
  return plain === '' ? {} : { suffix: plain };
}

const words: Readonly<Record<string, string>> = {
  By: 'bytes',
  'By/s': 'bytes per second',
  ns: 'nanoseconds',
  us: 'microseconds',
  ms: 'milliseconds',
  s: 'seconds',
  min: 'minutes',
  h: 'hours',
  d: 'days',
  '%': 'percent',
};

/** Describes a unit next to a metric, in words where it is a common one. */
export const unitText = (ucum: string | null): string =>
  ucum === null || ucum === '1' ? '' : (words[ucum] ?? ucum.replaceAll(/[{}]/g, ''));
