import type { Call } from '../../http/route.js';
import type { Course } from '../run/jobs.js';
import type { QueryService } from '../service.js';
import { catalogueFor } from './catalogue.js';
import type { CompileContext } from './compile.js';
import { factsOf } from './facts.js';

interface ContextOptions {
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /** Whether what is asked before compiling may be answered from the cache; the default is true. */
  readonly cached?: boolean;
}

/** What a request is compiled in: what its caller may know about the data as they are now, and a way to ask them more. */
export async function contextFor(
  call: Pick<Call, 'may'>,
  course: Course,
  service: QueryService,
  { now, cached = true }: ContextOptions,
): Promise<CompileContext> {
  const { settings, plans } = service;
  return { catalogue: await catalogueFor(call, service), now, settings, plans, find: factsOf(course, service, cached) };
}
