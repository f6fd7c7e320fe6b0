import type {
  CompiledQuery,
  CompileOptions,
  ExternalFile,
  LookupResult,
  CompileFailure,
  TimeRange,
} from '@millrace/apl';
import type { Compilation } from './compiler-messages.js';
import type { ReadFiles } from './external-files.js';

/**
 * Some queries need lookups before they can be compiled: their columns depend on the data
 * (`evaluate`), their bins on the times of events, or they read files (`externaldata`). The
 * compiler then returns a question. It is looked up here, and the query is compiled again.
 */

/** Lookups for the compiler. */
export interface LookupResults {
  /** Looks up a value in the data. */
  readonly fact: (question: CompiledQuery) => Promise<LookupResult>;
  readonly files: ReadFiles;
  /** The times between the oldest and the newest event of some datasets. */
  readonly times: (datasets: readonly string[]) => Promise<TimeRange>;
}

/** The lookups resolved so far. */
type ResolvedLookups = Required<Pick<CompileOptions, 'facts' | 'files' | 'eventTimes'>>;

/** Compiles again after every lookup, until none is pending. */
export async function resolveLookups(
  attempt: (known: ResolvedLookups) => Promise<Compilation>,
  answers: LookupResults,
): Promise<CompiledQuery | CompileFailure> {
  const facts: LookupResult[] = [];
  const files = new Map<string, ExternalFile>();
  let eventTimes: ResolvedLookups['eventTimes'] = 'ask';
  for (;;) {
    const found = await attempt({ facts, files, eventTimes });
    switch (found.kind) {
      case 'asks':
        facts.push(await answers.fact(found.question));
        break;
      case 'reads':
        for (const [address, file] of await answers.files(found.addresses)) files.set(address, file);
        break;
      case 'times':
        eventTimes = await answers.times(found.datasets);
        break;
      case 'compiled':
      case 'failed':
        return found;
    }
  }
}
