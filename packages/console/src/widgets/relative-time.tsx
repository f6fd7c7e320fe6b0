import { agoText, roughDuration } from '../data/format-units.js';
import { usePreferences } from '../data/preferences.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { useNow } from '../data/use-now.js';

/** Relative time, `3 min ago` or `in 2 d`, with the exact one as tooltip. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  const { zone } = usePreferences();
  const then = Date.parse(at);
  const instant = parseInstant(at);
  return (
    <time dateTime={at} title={instant === undefined ? at : zonedText(instant, zone, 3)}>
      {then > now + 1000 ? `in ${roughDuration(then - now)}` : agoText(then, now)}
    </time>
  );
}

/** A time to the minute, in the viewer's zone. */
export function Day({ at }: { readonly at: string }) {
  const { zone } = usePreferences();
  const instant = parseInstant(at);
  return (
    <time dateTime={at} title={at}>
      {instant === undefined ? at : zonedText(instant, zone, 0).slice(0, 16)}
    </time>
  );
}
