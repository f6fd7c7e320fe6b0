import type { AnswerOf } from '@millrace/client';
import type { Silence } from '../../../data/alerts.js';

/** What happened during an incident, in order. */

export type Incident = AnswerOf<'getIncident'>;
type Annotation = AnswerOf<'listAnnotations'>[number];

export interface TimelineEntry {
  readonly key: string;
  /** RFC 3339. */
  readonly time: string;
  readonly tone: 'bad' | 'good' | 'warn' | 'info' | 'plain';
  readonly title: string;
  readonly text?: string;
  /** Path of the console. */
  readonly path?: string;
}

interface TimelineContext {
  readonly nameOfNotifier: (id: string) => string;
  readonly nameOfUser: (id: string) => string;
  readonly annotations: readonly Annotation[];
  /** Silences of the monitor or of the group. */
  readonly silences: readonly Silence[];
}

const outcomeTones = { delivered: 'good', later: 'warn', failed: 'bad' } as const;

export function timelineOf(incident: Incident, known: TimelineContext): readonly TimelineEntry[] {
  const { openedAt, closedAt, text, closedText, monitorId, others, deliveries } = incident;
  const end = closedAt ?? new Date().toISOString();
  const entries: TimelineEntry[] = [
    { key: 'opened', time: openedAt, tone: 'bad', title: 'Opened', text },
    ...(closedAt === undefined
      ? []
      : [{ key: 'closed', time: closedAt, tone: 'good', title: 'Resolved', text: closedText ?? '' } as const]),
    ...deliveries.flatMap((delivery) => attemptsOf(delivery, known)),
    ...acknowledgmentsOf(incident, known),
    ...others.map((other) => ({
      key: other.id,
      time: other.openedAt,
      tone: 'plain' as const,
      title: 'Also opened',
      text: other.name,
      path: `/monitors/${monitorId}/incidents/${other.id}`,
    })),
    // Monitors annotate their own openings.
    ...known.annotations
      .filter(({ type }) => type !== 'alert')
      .map(({ id, time, type, title = '', description = '' }) => ({
        key: id,
        time,
        tone: 'info' as const,
        title: title === '' ? type : title,
        text: description,
      })),
    ...known.silences
      .filter(({ createdAt }) => createdAt >= openedAt && createdAt <= end)
      .map(({ id, createdAt, createdBy, reason }) => ({
        key: id,
        time: createdAt,
        tone: 'warn' as const,
        title: createdBy === '' ? 'Snoozed' : `Silenced by ${known.nameOfUser(createdBy)}`,
        text: reason,
        path: `/monitors/silences?id=${id}`,
      })),
  ];
  return entries.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time) || rank(a) - rank(b));
}

/** Who acknowledged it: a user, or a person who had the message and entered a name. */
function acknowledgmentsOf(
  { acknowledged }: Incident,
  { nameOfUser, nameOfNotifier }: TimelineContext,
): readonly TimelineEntry[] {
  if (acknowledged === undefined) return [];
  const { at, by, through, name } = acknowledged;
  const entry = { key: 'acknowledged', time: at, tone: 'info' } as const;
  if (through === undefined) return [{ ...entry, title: `Acknowledged by ${nameOfUser(by)}` }];
  return [
    {
      ...entry,
      title: name === undefined ? 'Acknowledged' : `Acknowledged by ${name}`,
      text: `Through a message to ${nameOfNotifier(through)}, without sign-in`,
    },
  ];
}

/** Opening and closing come before what they cause in the same millisecond. */
const rank = ({ key }: TimelineEntry): number => (key === 'opened' ? 0 : key === 'closed' ? 1 : 2);

function attemptsOf(
  { id, notifierId, action, attempts, state, problem, created, nextTry }: Incident['deliveries'][number],
  { nameOfNotifier }: TimelineContext,
): readonly TimelineEntry[] {
  const name = nameOfNotifier(notifierId);
  const what = action === 'Open' ? 'alert' : 'resolution';
  const titles = {
    delivered: `${name} received the ${what}`,
    later: `${name} did not take the ${what}; it is retried`,
    failed: `${name} did not get the ${what}`,
  };
  const made = attempts.map(({ time, outcome, status, answer, problem: why, milliseconds }, index): TimelineEntry => ({
    key: `${id} ${index}`,
    time,
    tone: outcomeTones[outcome],
    title: titles[outcome],
    text: [
      ...(why === undefined ? [[status, answer].filter((each) => each !== undefined).join(' ')] : [why]),
      `${milliseconds} ms`,
    ]
      .filter((each) => each !== '')
      .join(' · '),
  }));
  if (state === 'waiting' && nextTry !== undefined)
    return [...made, { key: id, time: nextTry, tone: 'warn', title: `${name}: next attempt to send the ${what}` }];
  // Replaced by a newer message, or delivered by a version that kept no attempts.
  if (made.length === 0)
    return [
      {
        key: id,
        time: created,
        tone: state === 'delivered' ? 'good' : 'plain',
        title: state === 'delivered' ? titles.delivered : `${name}: the ${what} was not sent`,
        ...(problem !== undefined && { text: problem }),
      },
    ];
  return made;
}

/** `12 min`, `1 h 5 min`. */
export function openFor({ openedAt, closedAt }: Pick<Incident, 'openedAt' | 'closedAt'>, now: number): number {
  return Math.max(0, (closedAt === undefined ? now : Date.parse(closedAt)) - Date.parse(openedAt));
}
