import { and, call, cast, column, integer, lambda, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import { filterElements, mapElements } from '../array/elements.js';
import { part } from '../json-text.js';

/**
 * XML is parsed in one pass over its tags and texts. The state is a stack of open elements, each
 * with its name and its members so far: tuples (key, JSON text), `@name` for attributes and `#text`
 * for texts.
 */

/**
 * Longer texts are null: each tag copies the members that are open, which takes a tenth of a second
 * for a text of this length.
 */
const MAX_BYTES = 128 * 1024;

/** Comments, CDATA, instructions, declarations, tags, and texts between them. */
const TOKENS = String.raw`<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<(?:[^<>"']|"[^"]*"|'[^']*')+>|[^<]+`;
const ATTRIBUTES = String.raw`([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')`;
const STACK = 'Tuple(UInt8, Array(Tuple(String, Array(Tuple(String, String)))))';
const TEXT = '#text';

const text = (value: string): Expr => literal(value);
const last = (array: Expr, from = 1): Expr => call('arrayElement', array, integer(-from));
const pushElement = (array: Expr, element: Expr): Expr => call('arrayPushBack', array, element);
const popElement = (array: Expr): Expr => call('arrayPopBack', array);
const jsonOf = (raw: Expr): Expr => call('toJSONString', call('decodeXMLComponent', raw));

/** Texts that are read as numbers; longer integers, which may be identifiers, stay texts. */
const NUMBER = String.raw`^-?(0|[1-9][0-9]{0,17})([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$`;

/**
 * JSON text of an element: null if it is empty, its text if it has nothing else, otherwise an
 * object in which members of one name are an array.
 */
function valueOf(members: Expr): Expr {
  const memberNamed = (key: Expr): Expr =>
    shareSubexpression(
      mapElements(
        filterElements(members, 'member', (member) => call('equals', part(member, 1), key)),
        'member',
        (member) => part(member, 2),
      ),
      (values) =>
        call(
          'if',
          call('equals', call('length', values), integer(1)),
          call('arrayElement', values, integer(1)),
          call('concat', text('['), call('arrayStringConcat', values, text(',')), text(']')),
        ),
    );
  const keys = call(
    'arrayDistinct',
    mapElements(members, 'member', (member) => part(member, 1)),
  );
  const written = mapElements(keys, 'key', (key) =>
    call('concat', call('toJSONString', key), text(':'), memberNamed(key)),
  );
  const first = call('arrayElement', members, integer(1));
  return call(
    'multiIf',
    call('empty', members),
    text('null'),
    and(call('equals', call('length', members), integer(1)), call('equals', part(first, 1), text(TEXT))),
    part(first, 2),
    call('concat', text('{'), call('arrayStringConcat', written, text(',')), text('}')),
  );
}

/** The attributes of a tag as members. */
const attributesOf = (tag: Expr): Expr =>
  mapElements(call('extractAllGroupsVertical', tag, text(ATTRIBUTES)), 'groups', (groups) => {
    const [name, ...values] = [1, 2, 3].map((n) => call('arrayElement', groups, integer(n)));
    return call('tuple', call('concat', text('@'), name!), jsonOf(call('concat', ...values)));
  });

/** The stack of open elements after the next token. */
function after(open: Expr, token: Expr): Expr {
  const [isGood, stack] = [part(open, 1), part(open, 2)];
  const [element, outside] = [last(stack), popElement(stack)];
  const starts = (mark: string): Expr => call('startsWith', token, text(mark));
  const isData = starts('<![CDATA[');
  const isText = or(isData, not(starts('<')));
  const plain = call(
    'if',
    isData,
    call('toJSONString', call('substring', token, integer(10), call('minus', call('length', token), integer(12)))),
    shareSubexpression(call('replaceRegexpAll', token, text(String.raw`^\s+|\s+$`), text('')), (bare) =>
      call('if', call('match', bare, text(NUMBER)), bare, jsonOf(bare)),
    ),
  );
  const name = call('extract', token, text(String.raw`^</?([^\s/>]+)`));
  const addMember = (rest: Expr, parent: Expr, member: Expr): Expr =>
    pushElement(rest, call('tuple', part(parent, 1), pushElement(part(parent, 2), member)));
  const state = (good: Expr, elements: Expr): Expr => cast(call('tuple', good, elements), STACK);
  const closes = and(
    isGood,
    call('equals', part(element, 1), name),
    call('greater', call('length', stack), integer(1)),
  );
  return call(
    'multiIf',
    or(and(isText, not(isData), call('match', token, text(String.raw`^\s*$`))), starts('<!--'), starts('<?')),
    open,
    isText,
    state(isGood, addMember(outside, element, call('tuple', text(TEXT), plain))),
    starts('<!'),
    open,
    starts('</'),
    state(
      closes,
      addMember(popElement(outside), last(outside), call('tuple', part(element, 1), valueOf(part(element, 2)))),
    ),
    call('endsWith', token, text('/>')),
    state(isGood, addMember(outside, element, call('tuple', name, valueOf(attributesOf(token))))),
    state(isGood, pushElement(stack, call('tuple', name, attributesOf(token)))),
  );
}

/** JSON text of the only element of an XML text; null if it is not one. */
function xmlJson(xml: Expr): Expr {
  const tokens = call('extractAll', xml, text(TOKENS));
  const start = cast(
    call(
      'tuple',
      integer(1),
      call('array', call('tuple', text(''), cast(call('array'), 'Array(Tuple(String, String))'))),
    ),
    STACK,
  );
  const read = call('arrayFold', lambda(['open', 'token'], after(column('open'), column('token'))), tokens, start);
  return shareSubexpression(read, (end) =>
    shareSubexpression(part(call('arrayElement', part(end, 2), integer(1)), 2), (roots) => {
      const [root] = [call('arrayElement', roots, integer(1))];
      const isXml = and(
        part(end, 1),
        call('equals', call('length', part(end, 2)), integer(1)),
        call('equals', call('length', roots), integer(1)),
        call('notEquals', part(root, 1), text(TEXT)),
        // The tokens must cover the text: a single bracket belongs to no token.
        call('equals', call('length', xml), call('length', call('arrayStringConcat', tokens))),
      );
      const object = call(
        'concat',
        text('{'),
        call('toJSONString', part(root, 1)),
        text(':'),
        part(root, 2),
        text('}'),
      );
      return call('if', isXml, object, nullOf('dynamic'));
    }),
  );
}

export const xml = defineFunction({
  name: 'parse_xml',
  summary:
    'The object that an XML text stands for: elements are members, attributes are members with an @ before the name, and the text beside them is #text; a text that is a number is one; several elements of one name are an array. Null if it is no XML.',
  params: [param('xml', 'string')],
  returns: 'dynamic',
  lower: ([given]) =>
    shareSubexpression(given.sql, (value) => {
      const isShort = call('lessOrEquals', call('length', value), integer(MAX_BYTES));
      return call(
        'if',
        isShort,
        xmlJson(call('if', isShort, call('ifNull', value, text('')), text(''))),
        nullOf('dynamic'),
      );
    }),
  examples: [
    { apl: 'parse_xml("<e/>")', gives: { e: null } },
    { apl: 'parse_xml("<e>text</e>").e', gives: 'text' },
    { apl: `parse_xml('<e name="value" />').e["@name"]`, gives: 'value' },
    { apl: `parse_xml('<e name="value">text</e>')`, gives: { e: { '@name': 'value', '#text': 'text' } } },
    { apl: 'parse_xml("<e> <a>text</a> <b>text</b> </e>")', gives: { e: { a: 'text', b: 'text' } } },
    { apl: 'parse_xml("<e> <a>text</a> <a>more</a> </e>").e.a[1]', gives: 'more' },
    { apl: 'parse_xml("<e> text <a>text</a> </e>")', gives: { e: { '#text': 'text', a: 'text' } } },
    {
      apl: `parse_xml('<?xml version="1.0"?><!-- no --><d><v u="a>b">118.0</v><v>&lt;&#233;&amp;</v><![CDATA[<x>]]></d>')`,
      gives: { d: { v: [{ '@u': 'a>b', '#text': 118 }, '<é&'], '#text': '<x>' } },
    },
    {
      apl: `parse_xml("<Event xmlns='http://x/y'><EventData><Data Name='SubjectUserSid'>S-1</Data><Data Name='Empty'/></EventData></Event>").Event.EventData.Data[1]["@Name"]`,
      gives: 'Empty',
    },
    {
      apl: 'parse_xml("<d><a>118.0</a><b>-5</b><c>007</c><d>1e3</d><e>12345678901234567890</e></d>").d',
      gives: { a: 118, b: -5, c: '007', d: 1000, e: '12345678901234567890' },
    },
    { apl: `parse_xml('<a n="1">2</a>').a`, gives: { '@n': '1', '#text': 2 } },
    { apl: 'parse_xml("<a><b></a></b>")', gives: null },
    { apl: 'parse_xml("<a/><b/>")', gives: null },
    { apl: 'parse_xml("<a>")', gives: null },
    { apl: 'parse_xml("no xml")', gives: null },
    { apl: 'parse_xml("1 < 2")', gives: null },
    { apl: 'parse_xml("")', gives: null },
  ],
  differs: { axiom: 'Not in Axiom.', kusto: 'Texts of more than 128 KiB are null, not only those of more than 1 MiB.' },
});
