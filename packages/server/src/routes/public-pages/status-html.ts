import { shownDays } from '@millrace/alerts/status-page/public-status';
import type { PublicStatus } from '@millrace/api/schemas/status-page';
import type { RouteResponse } from '@millrace/http/route';
import { escapeHtml, plainPage } from './plain-page.js';

/** The public status page as HTML. */

const titles: Readonly<Record<PublicStatus['state'], string>> = {
  operational: 'Operational',
  degraded: 'Degraded',
  disrupted: 'Disrupted',
  unknown: 'Unknown',
};

const summaries: Readonly<Record<PublicStatus['state'], string>> = {
  operational: 'All systems operational',
  degraded: 'Some systems are degraded',
  disrupted: 'Some systems are disrupted',
  unknown: 'The state of some systems is unknown',
};

export const statusHtml = ({ title, message, state, updatedAt, components }: PublicStatus): RouteResponse =>
  plainPage({
    title,
    style,
    body: `<h1>${escapeHtml(title)}</h1>
<p class="summary ${state}" role="status">${summaries[state]}</p>
${message === undefined ? '' : `<p class="card message">${escapeHtml(message)}</p>`}
<ul class="components">${components.map(componentText).join('')}</ul>
<p class="muted small">Updated ${timeText(updatedAt)}. Reload the page for newer states.</p>`,
  });

function componentText({ name, state, since, days }: PublicStatus['components'][number]): string {
  const up = 1 - days.reduce((sum, part) => sum + part, 0) / Math.max(1, days.length);
  const percent = `${(Math.floor(up * 100_000) / 1000).toFixed(3).replace(/\.?0+$/, '')}%`;
  // A new monitor has few days; they are at the right end, as wide as those of others.
  const first = shownDays - days.length;
  const bars = Array.from({ length: shownDays }, (_, slot) => {
    const part = days[slot - first];
    const level = part === undefined ? 'none' : `d${levelOf(part)}`;
    return `<rect x="${slot * 10}" width="7" height="24" class="${level}"/>`;
  }).join('');
  return `<li class="card"><div class="head"><strong>${escapeHtml(name)}</strong><span class="state ${state}">${titles[state]}</span></div>
${since === undefined ? '' : `<p class="muted small">since ${timeText(since)}</p>`}
<svg viewBox="0 0 ${shownDays * 10 - 3} 24" preserveAspectRatio="none" role="img" aria-label="${percent} of the last ${dayCount(days.length)} without an incident">${bars}</svg>
<div class="foot muted small"><span>${dayCount(shownDays)} ago</span><span>${percent} of ${dayCount(days.length)}</span><span>now</span></div></li>`;
}

const dayCount = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** 0 for a day without incidents, 3 for one with more than an hour of them. */
const levelOf = (part: number): number => (part === 0 ? 0 : part < 0.007 ? 1 : part < 0.042 ? 2 : 3);

const timeText = (time: string): string =>
  `<time datetime="${escapeHtml(time)}">${escapeHtml(time.slice(0, 16).replace('T', ' '))} UTC</time>`;

const style = `
.summary{font-size:1.125rem;font-weight:600;margin:1.25rem 0;padding:.875rem 1.25rem;border-radius:12px;border:1px solid currentColor;background:var(--card)}
.operational{color:var(--good)}.degraded{color:var(--warn)}.disrupted{color:var(--bad)}.unknown{color:var(--muted)}
.message{white-space:pre-wrap}
.components{list-style:none;margin:1rem 0;padding:0}
.head{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.head strong{overflow-wrap:anywhere}
.state{font-weight:600;font-size:.875rem;white-space:nowrap}
.small{font-size:.8125rem}
svg{display:block;width:100%;height:1.75rem;margin:.75rem 0 .375rem}
.none{fill:var(--line)}.d0{fill:var(--good)}.d1{fill:var(--warn);opacity:.7}.d2{fill:var(--warn)}.d3{fill:var(--bad)}
.foot{display:flex;justify-content:space-between}
`;
