import { styleText } from '../io.js';
import { escapeControls } from '../render/width.js';

/** Formats log lines for a terminal; other outputs get JSON. */

type Line = Readonly<Record<string, unknown>>;

type Styler = (style: 'dim' | 'red' | 'yellow', text: string) => string;

/**
 * @param json a line of the logger
 * @param color whether the terminal allows colors
 */
export function formatLogLine(json: string, color: boolean): string {
  let line: Line;
  try {
    line = JSON.parse(json) as Line;
  } catch {
    return json;
  }
  const paint: Styler = (style, text) => styleText({ color }, style, text);
  const { level, time, msg, ...rest } = line;
  const clock = paint('dim', new Date(String(time)).toTimeString().slice(0, 8));
  const head = levelMark(String(level), paint);
  const text = msg === 'request' ? requestText(rest, paint) : `${plain(msg)}${paint('dim', membersText(rest))}`;
  return `${clock} ${head}${text}\n`;
}

function levelMark(level: string, painted: Styler): string {
  if (level === 'error' || level === 'fatal') return `${painted('red', 'error')} `;
  return level === 'warn' ? `${painted('yellow', 'warning')} ` : '';
}

/** `POST /v1/datasets/logs/ingest 200 4 ms`, and the reason of a rejection. */
function requestText({ method, path, status, seconds, message, cut }: Line, painted: Styler): string {
  const shown = painted(Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'dim', plain(status));
  const took = painted('dim', `${Math.round(Number(seconds) * 1000)} ms`);
  const why = message === undefined ? '' : ` ${plain(message)}`;
  return `${plain(method)} ${plain(path)} ${shown} ${took}${cut === true ? ' (cut off)' : ''}${why}`;
}

function membersText(members: Line): string {
  const { err, ...others } = members;
  const extras = Object.entries(others).map(([name, value]) => ` ${plain(name)}=${plain(value)}`);
  return `${extras.join('')}${err === undefined ? '' : `: ${plain((err as Line)['message'] ?? err)}`}`;
}

/** Escapes client input. */
const plain = (value: unknown): string =>
  escapeControls(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
