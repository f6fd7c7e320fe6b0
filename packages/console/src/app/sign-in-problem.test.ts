import { expect, test } from 'vitest';
import { problemIn } from './sign-in-problem.js';

test.each([
  ['', undefined],
  ['#code=xotc-1', undefined],
  ['#sign-in=', undefined],
  ['#sign-in=claims.00ff', 'Your account at the provider may not sign in here. Ask an administrator. Trace ID: 00ff'],
  ['#sign-in=constructor.00ff', 'The sign-in failed. Trace ID: 00ff'],
  ['#sign-in=<b>.00ff', undefined],
])('%s', (hash, text) => expect(problemIn(hash)).toBe(text));
