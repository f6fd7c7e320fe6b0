import type { Call } from '../../http/route.js';
import type { Course } from '../run/jobs.js';
import type { QueryService } from '../service.js';
import { catalogueFor } from './catalogue.js';
import type { CompileContext } from './compile.js';
import { filesOf } from './external-files.js';
import { factsOf } from './settle.js';
import { timesOfEvents } from './times-of-events.js';

interface ContextOptions {
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /** Whether questions that must be asked before compiling may be answered from the cache; true by default. */
  readonly cached?: boolean;
}

/** The context in which a request is compiled: what its caller may know about the data at the moment, and a way to ask for more. */
export async function contextFor(
  call: Pick<Call, 'may'>,
  course: Course,
  service: QueryService,
  { now, cached = true }: ContextOptions,
): Promise<CompileContext> {
  const { settings, plans, compilers } = service;
  return {
    catalogue: await catalogueFor(call, service),
    now,
    settings,
    plans,
    compile: (source, options) => compilers.compile(source, options, course),
    answers: {
      fact: factsOf(course, service, cached),
      files: filesOf(course, settings),
      times: timesOfEvents(service),
    },
  };
}
