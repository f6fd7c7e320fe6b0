import type { ChartRun } from '../../charts/run-states.js';
import type { Monitor, Run } from '../../data/alerts.js';

/** Describes monitors for display. */

export const typeTitles: Readonly<Record<Monitor['type'], string>> = {
  Threshold: 'Threshold',
  MatchEvent: 'Match',
  AnomalyDetection: 'Anomaly',
};

type Severity = NonNullable<Monitor['severity']>;

/** The server's default. */
export const severityOf = ({ severity }: Pick<Monitor, 'severity'>): Severity => severity ?? 'error';

export const severityTitles: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  error: 'Error',
  warning: 'Warning',
  info: 'Info',
};

export const severityTones = {
  critical: 'bad',
  // The default: in red, everything would look broken.
  error: 'plain',
  warning: 'warn',
  info: 'info',
} as const satisfies Readonly<Record<Severity, string>>;

/** `team=payments`, one per label. */
export const labelLines = ({ labels = {} }: Pick<Monitor, 'labels'>): readonly string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${value}`);

type Operator = NonNullable<Monitor['operator']>;

export const operatorTitles: Readonly<Record<Operator, string>> = {
  Above: 'above',
  AboveOrEqual: 'above or equal to',
  Below: 'below',
  BelowOrEqual: 'below or equal to',
  AboveOrBelow: 'above or below',
};

/** The side of a threshold that fires. */
export const sideOf = (operator: string): 'above' | 'below' => (operator.startsWith('Below') ? 'below' : 'above');

/** `above 100`, `unusually low`, `every event`. */
export function conditionOf({ type, operator, threshold }: Pick<Monitor, 'type' | 'operator' | 'threshold'>): string {
  switch (type) {
    case 'MatchEvent':
      return 'every event that matches';
    case 'AnomalyDetection':
      return `unusual: ${operatorTitles[operator ?? 'AboveOrBelow'].replace(/ or equal to$/, '')} what is expected`;
    case 'Threshold':
      return `${operatorTitles[operator ?? 'Above']} ${threshold.toLocaleString('en', { maximumFractionDigits: 10 })}`;
    default:
      return type satisfies never;
  }
}

/** Runs for charts, oldest first. */
export const chartRuns = (runs: readonly Omit<Run, 'deliveries'>[]): readonly ChartRun[] =>
  runs.toReversed().map(({ time, state, value, matched, error }) => ({
    time: Date.parse(time),
    state,
    value: value ?? matched,
    problem: error,
  }));
