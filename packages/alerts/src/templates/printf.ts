import { goText, numberText, quoteText } from './go-text.js';

const verb = /%([-+ 0]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g;

/** Text with verbs filled in, as in Go. */
export function printf(format: string, args: readonly unknown[]): string {
  let used = 0;
  const text = format.replaceAll(
    verb,
    (_, flags: string, width: string | undefined, precision: string | undefined, letter: string) => {
      if (letter === '%') return '%';
      if (used >= args.length) return `%!${letter}(MISSING)`;
      const shown = show(letter, args[used++], precision === undefined ? undefined : Number(precision), flags);
      const size = Math.min(Number(width ?? 0), 1000);
      if (flags.includes('-')) return shown.padEnd(size);
      return flags.includes('0') && letter !== 's' ? shown.padStart(size, '0') : shown.padStart(size);
    },
  );
  return used < args.length ? `${text}%!(EXTRA ${args.slice(used).map(goText).join(', ')})` : text;
}

function show(letter: string, value: unknown, precision: number | undefined, flags: string): string {
  const signNumber = (text: string): string => (flags.includes('+') && !text.startsWith('-') ? `+${text}` : text);
  switch (letter) {
    case 'v':
    case 's':
      return precision === undefined ? goText(value) : [...goText(value)].slice(0, precision).join('');
    case 'q':
      return quoteText(goText(value));
    case 't':
      return goText(value);
    case 'd':
      if (typeof value === 'number') return signNumber(String(Math.trunc(value)));
      break;
    case 'f':
      if (typeof value === 'number') return signNumber(value.toFixed(Math.min(precision ?? 6, 100)));
      break;
    case 'e':
      if (typeof value === 'number') return signNumber(value.toExponential(Math.min(precision ?? 6, 100)));
      break;
    case 'g':
      if (typeof value === 'number')
        return signNumber(
          precision === undefined
            ? numberText(value)
            : numberText(Number(value.toPrecision(Math.min(precision || 1, 100)))),
        );
      break;
    case 'x':
      if (typeof value === 'string') return Buffer.from(value).toString('hex');
      break;
  }
  return `%!${letter}(${goText(value)})`;
}
