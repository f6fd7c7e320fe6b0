import { describe, expect, test } from 'vitest';
import { sampleMatch, sampleNotification } from '../testing/notifications.js';
import { humanBody } from '../channels/channel.js';
import { goTime } from './go-time.js';
import { withOwnTexts } from './own-texts.js';
import { parseTemplate } from './parse.js';
import { renderBody } from './render-body.js';
import { TemplateError } from './template-error.js';

/** Templates as in Go; the expected texts are the output of Go's text/template. */

const notification = sampleNotification({ title: 'T', body: 'B' });
const match = sampleMatch({ level: 'error', n: 7, tags: ['a', 'b'], nested: { x: true } });
const urls = { link: 'https://l.example/console/monitors/m' };
const render = (template: string, of = notification): string =>
  renderBody(template, of, { ...urls, isJson: false, templateSteps: 100_000 });

describe('what comes out', () => {
  test.each([
    ['{{.Action}} {{.MonitorID}} {{.Title}} {{ .Body }}', 'Open mon_1 T B'],
    [
      '{{.Value}} {{.Timestamp}} {{.QueryStartTime}}',
      '12.5 2026-11-20 10:05:00.123 +0000 UTC 2026-11-20 10:00:00 +0000 UTC',
    ],
    ['{{if eq .Action "Open"}}o{{else}}c{{end}}', 'o'],
    ['{{if eq .Action "Closed"}}c{{else if gt .Value 10.0}}high{{else}}low{{end}}', 'high'],
    ['{{if and (ne .Action "Closed") (or false .Title)}}y{{end}}', 'y'],
    ['{{if not .MatchedEvent}}none{{end}}', 'none'],
    ['a {{- "b" -}} c', 'abc'],
    ['a{{/* {{ not this */}}b{{- /* x */ -}}  c', 'abc'],
    [
      '{{printf "%q %s %v %d %.2f %5s|%-3s|%t%%" "a\\"b" .Title .Value 3 .Value "x" "y" true}}',
      '"a\\"b" T 12.5 3 12.50     x|y  |true%',
    ],
    ['{{.Title | printf "%s-%s" "x"}}', 'x-T'],
    ['{{$t := .Title}}{{$t}}{{$t = "u"}}{{$t}}', 'Tu'],
    ['{{range $i, $v := .GroupValues}}{{$i}}={{$v}};{{end}}', '0=a;'],
    ['{{range .MatchedEvent}}x{{else}}none{{end}}', 'none'],
    ['{{with .Description}}[{{.}}]{{end}}{{with .MatchedEvent}}x{{else}}-{{end}}', '[What fails]-'],
    ['{{with .GroupValues}}{{$.Title}}{{index . 0}}{{end}}', 'Ta'],
    [
      '{{.GroupKeys}} {{jsonArray .GroupValues}} {{jsonObject .MatchedEvent}} {{len .GroupKeys}}',
      '[service] ["a"] null 1',
    ],
    ['{{html "<a&\'>"}} {{js "it\'s"}} {{urlquery "a b&c"}}', '&#60;a&#38;&#39;&#62; it\\u0027s a+b%26c'],
    ['{{print 1 2 "x" 3}}{{println "y"}}', '1 2x3y\n'],
    ['{{`raw {{ "x"`}}', 'raw {{ "x"'],
    ['}} no action', '}} no action'],
    ['{{.MonitorURL}}{{if .RespondURL}} or {{.RespondURL}}{{end}}', 'https://l.example/console/monitors/m'],
  ])('%s', (template, expected) => expect(render(template)).toBe(expected));

  test.each([
    [
      '{{.MatchedEvent.level}} {{.MatchedEvent.n}} {{.MatchedEvent.nested.x}} {{.MatchedEvent.missing}}',
      'error 7 true <no value>',
    ],
    ['{{index .MatchedEvent "level"}} {{index .MatchedEvent.tags 1}}', 'error b'],
    ['{{range $k, $v := .MatchedEvent}}{{$k}} {{end}}', 'level n nested tags '],
    ['{{.MatchedEvent.nested}} {{.MatchedEvent.tags}}', 'map[x:true] [a b]'],
    ['{{jsonObject .MatchedEvent}}', JSON.stringify(match.matchedEvent)],
  ])('of an event that matched: %s', (template, expected) => expect(render(template, match)).toBe(expected));

  test.each([
    [1e21, '1e+21'],
    [0.00001, '1e-05'],
    [100000, '100000'],
    [-0.5, '-0.5'],
  ])('the number %f', (value, expected) => expect(render('{{.Value}}', sampleNotification({ value }))).toBe(expected));
});

test('a value that breaks the JSON around it is escaped; one that does not is put in as it is', () => {
  const of = sampleNotification({ body: 'a "quote"\nand more', title: 'plain' });
  const template = '{"b": "{{.Body}}", "q": {{printf "%q" .Body}}, "k": {{jsonArray .GroupKeys}}}';
  expect(JSON.parse(renderBody(template, of, { isJson: true, templateSteps: 100_000 }))).toEqual({
    b: of.body,
    q: of.body,
    k: ['service'],
  });
  expect(renderBody('{{.Body}}', of, { isJson: false, templateSteps: 100_000 })).toBe(of.body);
  expect(renderBody('not json {{.Body}}', of, { isJson: true, templateSteps: 100_000 })).toBe(`not json ${of.body}`);
});

test.each([
  ['{{.AlertName}}', 2, 'there is no variable .AlertName; there are .Action,'],
  ['{{.Title.x}}', 8, '.Title has no fields'],
  ['x{{if .Title}}', 3, 'this has no end'],
  ['{{end}}', 2, "'end' without an if"],
  ['{{if .Title}}{{else}}{{else}}{{end}}', 23, 'a second else'],
  ['{{nothing .Title}}', 2, "there is no function 'nothing'; there are jsonObject"],
  ['{{.Title', 0, 'this action does not end with }}'],
  ['{{"x}}', 2, 'this string does not end'],
  ['{{}}', 2, 'this action is empty'],
  ['{{$x}}', 2, 'there is no variable $x'],
  ['{{.Title "x"}}', 2, 'only a function takes values'],
  ['{{(.Title}}', 2, 'this parenthesis is not closed'],
  ['{{template "x"}}', 2, "'template' is not known here"],
  ['{{.Title ~}}', 9, "unexpected '~'"],
  ['{{/* x }}', 2, 'this comment does not end'],
])('mistake: %s', (template, offset, message) => {
  expect(() => parseTemplate(template)).toThrow(TemplateError);
  try {
    parseTemplate(template);
  } catch (error) {
    expect(error).toMatchObject({ offset, message: expect.stringContaining(message) });
  }
});

test('values that do not fit, and output without end, are errors', () => {
  expect(() => render('{{lt .Title 3}}')).toThrow('a string and a number have no order');
  expect(() => render('{{index .GroupValues 5}}')).toThrow('there is no element 5 among 1');
  const long = sampleMatch(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, 'x'.repeat(30)])));
  const loops = '{{range .MatchedEvent}}{{range $.MatchedEvent}}{{.}}{{end}}{{end}}';
  expect(() => render(loops, long)).toThrow('it makes more than 1000000 characters');
});

test('how much it may take is a setting', () => {
  const renderWithSteps = (templateSteps: number): string =>
    renderBody('{{range .GroupValues}}{{.}}{{end}}', notification, { isJson: false, templateSteps });
  expect(renderWithSteps(10)).toBe('a');
  expect(() => renderWithSteps(2)).toThrow('MILLRACE_TEMPLATE_STEPS');
});

test.each([
  ['loops in loops', '{{range .MatchedEvent}}'.replace('.', '$.').repeat(9) + '{{end}}'.repeat(9)],
  ['a text that doubles', `{{$x := "12345678"}}${'{{$x = print $x $x}}'.repeat(40)}`],
  ['a long text, many times in one', `{{$x := jsonObject .MatchedEvent}}{{$x = print${' $x'.repeat(900)}}}`],
  ['widths', `{{$f := "%1000v"}}${'{{$f = print $f $f}}'.repeat(18)}{{len (printf $f 1)}}`],
  [
    'variables in loops',
    `${'{{$v := 1}}'.repeat(10)}{{range .MatchedEvent}}{{range $.MatchedEvent}}{{range $.MatchedEvent}}{{end}}{{end}}{{end}}`,
  ],
])('what would take too long is an error: %s', (_, template) => {
  const event = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, 'x'.repeat(200)]));
  expect(() => render(template, sampleMatch(event))).toThrow('it does too much until here');
});

test('templates that would take long to read are refused', () => {
  expect(() => parseTemplate(`{{print${' 1'.repeat(1000)}}}`)).toThrow('more than 1000 parts');
  const deep = (levels: number) => `${'{{if .Title}}'.repeat(levels)}x${'{{end}}'.repeat(levels)}`;
  expect(() => parseTemplate(deep(5000))).toThrow('nested deeper than 100 levels');
  expect(render(deep(100))).toBe('x');
  expect(render(`${'{{if .Title}}x{{end}}'.repeat(200)}${' '.repeat(60_000)}{{- "y"}}`)).toBe(`${'x'.repeat(200)}y`);
});

test('times as Go prints them', () =>
  expect([goTime('2024-06-28T14:55:57.63100Z'), goTime('2024-06-28T14:55:57Z')]).toEqual([
    '2024-06-28 14:55:57.631 +0000 UTC',
    '2024-06-28 14:55:57 +0000 UTC',
  ]));

test('a notifier has its own titles and texts, also for events', () => {
  const templates = {
    titleTemplate: 'P1 {{.Title}}\n{{.Value}}',
    bodyTemplate: '{{if .MatchedEvent}}{{.MatchedEvent.level}}{{else}}{{.Body}} – see the runbook{{end}}',
  };
  expect(
    withOwnTexts(sampleNotification({ title: 'Load', body: 'high' }), templates, { templateSteps: 1000 }),
  ).toMatchObject({
    title: 'P1 Load 12.5',
    body: 'high – see the runbook',
  });
  expect(humanBody(withOwnTexts(sampleMatch({ level: 'error' }), templates, { templateSteps: 1000 }))).toBe('error');
  expect(withOwnTexts(sampleNotification(), {}, { templateSteps: 1000 })).toEqual(sampleNotification());
});
