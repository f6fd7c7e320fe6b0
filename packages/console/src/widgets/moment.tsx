import { agoText, roughDuration } from '../data/amounts.js';
import { useTaste } from '../data/taste.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { useNow } from '../data/use-now.js';

/** A time as it is to people, `3 min ago` or `in 2 d`, with the exact one under the pointer. */
export function Moment({ at }: { readonly at: string }) {
  const now = useNow();
  const { zone } = useTaste();
  const then = Date.parse(at);
  const instant = parseInstant(at);
  return (
    <time dateTime={at} title={instant === undefined ? at : zonedText(instant, zone, 3)}>
      {then > now + 1000 ? `in ${roughDuration(then - now)}` : agoText(then, now)}
    </time>
  );
}

/** A time to the minute, in the zone of the viewer. */
export function Day({ at }: { readonly at: string }) {
  const { zone } = useTaste();
  const instant = parseInstant(at);
  return (
    <time dateTime={at} title={at}>
      {instant === undefined ? at : zonedText(instant, zone, 0).slice(0, 16)}
    </time>
  );
}
