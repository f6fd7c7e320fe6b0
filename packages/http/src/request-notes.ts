import type { FastifyRequest } from 'fastify';
import { newNotes, type Notes } from './serve.js';

/** Notes of each request in progress. */
export class RequestNotes {
  readonly #notes = new WeakMap<FastifyRequest, Notes>();

  /** Notes of a request; without a route, the notes have none. */
  of(request: FastifyRequest): Notes {
    return this.#notes.get(request) ?? this.keep(request, newNotes(undefined));
  }

  keep(request: FastifyRequest, notes: Notes): Notes {
    this.#notes.set(request, notes);
    return notes;
  }
}
