import type { FastifyRequest } from 'fastify';
import { newNotes, type Notes } from './serve.js';

/** What is noted of each request while it is answered. */
export class RequestNotes {
  readonly #notes = new WeakMap<FastifyRequest, Notes>();

  /** Those of a request that reached no route say so. */
  of(request: FastifyRequest): Notes {
    return this.#notes.get(request) ?? this.keep(request, newNotes(undefined));
  }

  keep(request: FastifyRequest, notes: Notes): Notes {
    this.#notes.set(request, notes);
    return notes;
  }
}
