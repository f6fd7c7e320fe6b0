import { isSpan, type ReceivedEvent } from './event.js';
import { type Candidate, isMatch, findNearest } from './find-nearest.js';
import { checkOf, type MatchOptions } from './options.js';
import { compareFields, type LogPattern, show } from './pattern.js';
import { poll } from './poll.js';
import { pluralize, describeCandidate, describeNothing, describeRejected, indent, seconds } from './report.js';
import { type Source, sourceOf } from './source.js';
import { compareSpan, type SpanPattern, spansById } from './spans.js';

/** The core of all matchers: each runner's file calls `checkLogged` and `checkSpan`. */

/** Result of a matcher, as vitest and jest want it. */
export interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Number of events that a failure shows. */
const maxShown = 3;

interface Kind<P> {
  readonly noun: string;
  candidates(pattern: P, received: readonly ReceivedEvent[]): readonly Candidate[];
}

const logs: Kind<LogPattern> = {
  noun: 'log event',
  candidates: (pattern, received) =>
    received
      .filter(({ event }) => !isSpan(event))
      .map((each) => ({ received: each, comparisons: compareFields(pattern, each.event) })),
};

const spans: Kind<SpanPattern> = {
  noun: 'span',
  candidates(pattern, received) {
    const found = received.filter(({ event }) => isSpan(event));
    const byId = spansById(found);
    return found.map((each) => ({ received: each, comparisons: compareSpan(pattern, each.event, byId) }));
  },
};

/** Waits until a server or dataset has an event that is not a span and has the fields. */
export const checkLogged = (received: unknown, pattern: LogPattern, options?: MatchOptions, isNot?: boolean) =>
  check(logs, received, pattern, options, isNot);

/** Waits until a server or dataset has a span with the fields. */
export const checkSpan = (received: unknown, pattern: SpanPattern, options?: MatchOptions, isNot?: boolean) =>
  check(spans, received, pattern, options, isNot);

/** @param isNot whether the check passes if nothing matches until `settle` has passed */
async function check<P extends object>(
  kind: Kind<P>,
  received: unknown,
  pattern: P,
  options: MatchOptions = {},
  isNot = false,
): Promise<Outcome> {
  const source = sourceOf(received);
  const { timeout, settle, count } = checkOf(options, source.limits);
  if (typeof pattern !== 'object' || pattern === null || Object.keys(pattern).length === 0)
    throw new TypeError(`the fields of the ${kind.noun} are missing: toHaveLogged({ level: 'error' })`);
  const read = async () => {
    const all = await source.read();
    const candidates = kind.candidates(pattern, all);
    return { all, candidates, matching: candidates.filter(isMatch) };
  };
  const { last, isDone, took } = await poll(read, ({ matching }) => matching.length >= count, isNot ? settle : timeout);
  const wanted = `${kind.noun}${count === 1 ? '' : 's'} with ${formatPattern(pattern)}`;
  if (isDone) {
    const found = last.matching
      .slice(-maxShown)
      .map((each) => describeCandidate(each, source.label))
      .join('\n\n');
    const text = `${source.label} has ${count === 1 ? 'a' : pluralize(count, '').trim()} ${wanted} after ${seconds(took)}; .not waits for ${seconds(settle)} (option settle):\n\n${indent(found)}`;
    return { pass: true, message: () => text };
  }
  if (isNot) return { pass: false, message: () => `${source.label} has no ${wanted}` };
  const text = [
    count === 1
      ? `${source.label} has no ${wanted} after ${seconds(timeout)} (option timeout)`
      : `${source.label} has ${last.matching.length} of ${count} ${wanted} after ${seconds(timeout)} (option timeout)`,
    ...(await explain(kind, source, pattern, last.all, last.candidates)),
  ].join('\n\n');
  return { pass: false, message: () => text };
}

async function explain<P extends object>(
  kind: Kind<P>,
  source: Source,
  pattern: P,
  all: readonly ReceivedEvent[],
  candidates: readonly Candidate[],
): Promise<readonly string[]> {
  const rejected = source.rejected();
  const others = kind.candidates(pattern, await source.readOthers()).filter(isMatch);
  const parts = [];
  const elsewhere = [...new Set(others.map(({ received }) => received.dataset))];
  if (elsewhere.length > 0)
    parts.push(
      `A match is in another dataset, ${elsewhere.join(', ')}. Does the program get the name or env of ${source.label}?`,
    );
  const different = candidates.filter((candidate) => !isMatch(candidate));
  if (different.length > 0) {
    const shownNow = findNearest(different, maxShown);
    const title =
      different.length === 1 ? `The only ${kind.noun}:` : `Nearest of ${pluralize(different.length, kind.noun)}:`;
    parts.push(`${title}\n\n${indent(shownNow.map((each) => describeCandidate(each, source.label)).join('\n\n'))}`);
  } else if (elsewhere.length === 0 && candidates.length === 0)
    parts.push(describeNothing({ label: source.label, noun: kind.noun, received: all, rejected }));
  if (all.length >= source.limits.maxEvents)
    parts.push(
      `Only the newest ${pluralize(source.limits.maxEvents, 'event')} of a dataset were compared (option maxEvents).`,
    );
  const refused = describeRejected(rejected);
  return refused === '' ? parts : [...parts, refused];
}

const formatPattern = (pattern: object): string =>
  Object.entries(pattern)
    .map(([name, value]) => `${name}: ${show(value)}`)
    .join(', ');
