import { type Chart, membersOf, numberMember, textMember } from '../document/document.js';

/** Threshold state of a statistic, and its style. */
interface StatisticLook {
  readonly state: 'ok' | 'warning' | 'error';
  readonly background?: string;
  readonly text?: string;
  readonly spark?: string;
}

const compare: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  Above: (value, threshold) => value > threshold,
  AboveOrEqual: (value, threshold) => value >= threshold,
  Below: (value, threshold) => value < threshold,
  BelowOrEqual: (value, threshold) => value <= threshold,
  AboveOrBelow: (value, threshold) => value !== threshold,
};

/** Maps named colors to the theme: documents may be made for other backgrounds. */
const schemes: Readonly<Record<string, string>> = {
  Blue: 'var(--blue)',
  Orange: 'var(--amber)',
  Yellow: 'var(--amber)',
  Red: 'var(--red)',
  Pink: 'var(--red)',
  Purple: 'var(--violet)',
  Teal: 'var(--accent)',
  Green: 'var(--green)',
  Grey: 'var(--text2)',
  Brown: 'var(--amber)',
};

const tones = { ok: 'var(--spark-ok)', warning: 'var(--amber)', error: 'var(--red)' } as const;

export function statisticLook(chart: Chart, value: number | null): StatisticLook {
  const meets = (name: 'error' | 'warning'): boolean => {
    const test = compare[textMember(chart, `${name}Threshold`) ?? ''];
    const threshold = numberMember(chart, `${name}ThresholdValue`);
    return value !== null && test !== undefined && threshold !== undefined && test(value, threshold);
  };
  const state = meets('error') ? 'error' : meets('warning') ? 'warning' : 'ok';
  const own = membersOf(chart[`${state}ColorProps`]);
  const color = (name: string): string | undefined =>
    safeColor(textMember(own, name) ?? (state === 'ok' ? textMember(chart, name) : undefined));
  const scheme = schemes[textMember(chart, 'colorScheme') ?? ''];
  const background = color('background');
  // A text color without its background may be illegible in this theme.
  const text = background === undefined ? undefined : color('textColor');
  const spark = color('chartFillColor') ?? (state === 'ok' ? scheme : tones[state]);
  return {
    state,
    ...(background !== undefined && { background }),
    ...(text !== undefined && { text }),
    ...(spark !== undefined && { spark }),
  };
}

/** Only colors; nothing that loads resources or affects layout. */
const safeColor = (text: string | undefined): string | undefined =>
  text !== undefined && /^(#[\da-f]{3,8}|[a-z]+|(rgb|hsl)a?\([\d.,%\s/]+\))$/i.test(text) ? text : undefined;
